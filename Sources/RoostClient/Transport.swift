import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What carries requests. Tests put another in the place of ``Wire``.
protocol Transport: Sendable {
  /// Sends a request, and answers when the head of its answer is there.
  ///
  /// On a connection that was kept from before, the system sends a request again by itself when the connection turns out
  /// to be dead, whatever the method. A request `onNewConnection` is sent once.
  ///
  /// Failures: ``RoostError/unreachable(_:)``, ``RoostError/timedOut``, ``RoostError/cancelled``.
  func open(_ request: URLRequest, onNewConnection: Bool) async throws(RoostError) -> Incoming
}

/// An answer whose head is there, and whose body may still be on its way.
struct Incoming: Sendable {
  let status: Int
  /// By lower-case names.
  let headers: [String: String]
  /// Pieces of the body as they come. Dropping it ends the transfer.
  let body: AsyncThrowingStream<Data, any Error>

  /// Bodies beyond this are not read: no answer of Roost is as large.
  static let bodyBytesMax = 64 * 1_024 * 1_024

  /// The whole body.
  func collected() async throws(RoostError) -> Data {
    var all = Data()
    do {
      for try await piece in body {
        all.append(piece)
        guard all.count <= Self.bodyBytesMax else { throw RoostError.unexpectedAnswer(status: status) }
      }
    } catch let error as RoostError {
      throw error
    } catch {
      throw .unreachable("\(error)")
    }
    if Task.isCancelled { throw .cancelled }
    return all
  }

  /// The seconds of a `Retry-After` header. Its other form, a date, would need a clock that is right.
  var retryAfterSeconds: Int? { headers["retry-after"].flatMap { Int($0) }.map { max($0, 0) } }
}
