import EventLoop
import HTTP
import Log
import Synchronization
import TestSupport

/// Serves one streamed body, to every request, while `asked` runs.
func served(
  _ writer: @escaping Response.Writer, asked: (HTTPClient.Address, Server) async throws -> Void
) async throws {
  let loop = Loop()
  let socket = try ListenSocket(host: "127.0.0.1", port: 0)
  let server = Server(on: loop, socket: socket, limits: ServerLimits(), responder: Streaming(writer: writer), log: .off)
  inBackground { loop.run() }
  try await server.start()
  let result: Result<Void, any Error>
  do {
    result = .success(try await asked(HTTPClient.Address(host: "127.0.0.1", port: socket.port), server))
  } catch {
    result = .failure(error)
  }
  _ = await server.drain(withinMilliseconds: 5_000)
  loop.stop()
  try result.get()
}

private struct Streaming: Responder {
  let writer: Response.Writer

  func bodyBytesMax(for request: Request) -> Int { 0 }

  func respond(to request: Request) async -> Response {
    Response(status: 200, contentType: "text/plain", writer: writer)
  }

  func refuse(_ refusal: Refusal, of request: Request?) -> Response { Response(status: 400) }
}

/// Something one task waits for until another lets it go on.
final class Gate: Sendable {
  private let isOpen = Atomic(false)

  func open() { isOpen.store(true, ordering: .releasing) }

  func wait() async {
    while !isOpen.load(ordering: .acquiring) { try? await Task.sleep(for: .milliseconds(2)) }
  }
}
