internal import CMicroHTTPD
internal import EventLoop

/// Where the pieces of a stream go.
struct Streaming {
  let stream: ResponseStream
  let link: Link
  let connection: OpaquePointer
}

/// Answers whose body is written while it is sent.
extension Server {
  /// How often idle streams are looked at: libmicrohttpd does not, while they are suspended.
  private static let idleStreamsMilliseconds: UInt64 = 2_000

  /// A reply whose body is taken from a stream, piece by piece.
  func streamed(_ exchange: Exchange, _ connection: OpaquePointer) -> OpaquePointer? {
    let stream = ResponseStream(on: loop, of: self)
    exchange.stream = stream
    streaming[ObjectIdentifier(stream)] = Streaming(stream: stream, link: exchange.link, connection: connection)
    let reply = Self.reply(of: stream)
    // The library sends the last chunk of a body also in answer to HEAD, where none may come.
    if exchange.request?.method == .head, let reply { roost_mhd_end_with_connection(reply) }
    return reply
  }

  func suspend(_ stream: ResponseStream) {
    guard let streaming = streaming[ObjectIdentifier(stream)] else { return }
    streaming.link.enter(.sending, now: loop.nowMilliseconds)
    MHD_suspend_connection(streaming.connection)
  }

  func resume(_ stream: ResponseStream) {
    guard let streaming = streaming[ObjectIdentifier(stream)] else { return }
    progress(of: stream)
    MHD_resume_connection(streaming.connection)
    runSoon()
  }

  /// The client has read all but what is handed over now, for which it has its time again.
  func progress(of stream: ResponseStream) {
    streaming[ObjectIdentifier(stream)]?.link.enter(
      .sending, now: loop.nowMilliseconds, milliseconds: limits.sendMilliseconds)
  }

  /// Ends the connection of a body that stays incomplete: libmicrohttpd does so only when something happens on it.
  func breakOff(_ stream: ResponseStream) {
    streaming[ObjectIdentifier(stream)]?.link.cut()
    runSoon()
  }

  /// Ends streams that have nothing to send and whose client has gone.
  func cutIdleStreams(now: UInt64) {
    guard now >= idleStreamsDue else { return }
    idleStreamsDue = now + Self.idleStreamsMilliseconds
    for streaming in streaming.values where streaming.link.isWithoutDeadline && streaming.link.hasPeerGone {
      streaming.stream.assumeIsolated { $0.close() }
    }
  }
}
