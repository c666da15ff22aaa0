/// What a server serves: told how much body it may read, and asked for the answer.
public protocol Responder: Sendable {
  /// The most bytes that the body of this request may have. More is 413.
  func bodyBytesMax(for request: Request) -> Int

  /// The answer. It runs on the server's loop; whoever may block belongs on a crew.
  func respond(to request: Request) async -> Response

  /// The answer to a request that is refused before it is read: 400, 408, 413, 431 or 503.
  func refuse(_ refusal: Refusal, of request: Request?) -> Response
}

/// Why a server refuses a request on its own.
public enum Refusal: Sendable, Equatable {
  /// Its framing contradicts itself, or its target is not a path (RFC 9112 §6.3, §3.2).
  case malformed(String)
  /// The body is longer than this many bytes.
  case bodyTooLarge(bytesMax: Int)
  /// The head is longer than this many bytes.
  case headTooLarge(bytesMax: Int)
  /// Head or body did not come in time.
  case tooSlow
  /// More large bodies are under way than there is memory for.
  case overloaded
}
