import Synchronization
import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A proxy between a client and a server that does what a bad road does: it loses requests and answers, holds them up,
/// and delivers twice.
final class BadRoad: Sendable {
  enum Fate: Sendable {
    case passes
    /// The server never hears of it.
    case requestIsLost
    /// The server does it, and the client never hears so.
    case answerIsLost
    /// The server hears of it twice; the client gets the second answer.
    case arrivesTwice
    case isHeldUp(milliseconds: UInt32)
    /// Something on the way answers in the server's place.
    case isAnswered(Int, String)
  }

  /// A road outlives the last line of its test that names it, since the client still goes there.
  private static let kept = Mutex<[BadRoad]>([])

  private let listener: LocalServer
  private let client: HTTPClient

  var url: String { listener.url }
  var requests: [LocalServer.Request] { listener.requests }

  /// `fate` says what becomes of a request, which is the one of this number, from 0, of its method and target.
  init(to address: HTTPClient.Address, _ fate: @escaping @Sendable (LocalServer.Request, Int) -> Fate) throws {
    let client = HTTPClient(address)
    self.client = client
    let counts = Counts()
    listener = try LocalServer { request, connection in
      let number = counts.next(request.method + request.target)
      var times = 1
      var isHeard = true
      switch fate(request, number) {
      case .passes: break
      case .requestIsLost: return false
      case .answerIsLost: isHeard = false
      case .arrivesTwice: times = 2
      case .isHeldUp(let milliseconds): usleep(milliseconds * 1_000)
      case .isAnswered(let status, let body):
        connection.answer(status, Array(body.utf8), headers: [("Content-Type", "text/html")])
        return true
      }
      let headers = request.headers.filter { !["host", "content-length", "connection", "expect"].contains($0.key) }
      var answer: HTTPClient.Response?
      for _ in 0..<times {
        answer = try? client.send(
          request.method, request.target, headers: headers.map { ($0.key, $0.value) },
          body: request.body.isEmpty ? nil : request.body)
      }
      guard isHeard, let answer else { return false }
      let kept = answer.headers.filter { !["content-length", "connection"].contains($0.name.lowercased()) }
      connection.answer(answer.status, answer.body, headers: kept.map { ($0.name, $0.value) })
      return true
    }
    Self.kept.withLock { $0.append(self) }
  }

  private final class Counts: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func next(_ key: String) -> Int {
      counts.withLock { counts in
        defer { counts[key, default: 0] += 1 }
        return counts[key, default: 0]
      }
    }
  }
}
