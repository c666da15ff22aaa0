import Synchronization

/// A small HTTP/1.1 client on plain sockets. Calls block for at most its time-out for each piece that it waits for.
///
/// Connections are kept and used again. A request is sent once and never repeated, so that tests can count on it. It may
/// be used from several threads at once.
public final class HTTPClient: Sendable {
  public let address: Address
  private let timeoutMilliseconds: Int
  private let background: @Sendable () -> String
  private let idle = Mutex<[RawConnection]>([])

  /// An exchange that failed, with what the server's log said last.
  public struct Failure: Error, CustomStringConvertible {
    public let trouble: RawConnection.Trouble
    public let description: String
  }

  /// `background` is asked when an exchange fails: it may tell what is known about the server.
  public init(
    _ address: Address, timeoutMilliseconds: Int = 15_000, background: @escaping @Sendable () -> String = { "" }
  ) {
    self.address = address
    self.timeoutMilliseconds = timeoutMilliseconds
    self.background = background
  }

  /// Sends one request and waits for its answer.
  ///
  /// `Host` is added, and `Content-Length` when there is a body or the method wants one; `headers` come after them.
  /// `isAlone` takes a new connection and closes it afterwards.
  public func send(
    _ method: String, _ target: String, headers: [(String, String)] = [], body: [UInt8]? = nil, isAlone: Bool = false
  ) throws(Failure) -> Response {
    var head = "\(method) \(target) HTTP/1.1\r\nHost: \(address)\r\n"
    if let count = body?.count ?? (["POST", "PUT", "PATCH"].contains(method) ? 0 : nil) {
      head += "Content-Length: \(count)\r\n"
    }
    if isAlone { head += "Connection: close\r\n" }
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    do throws(RawConnection.Trouble) {
      return try exchange(Array("\(head)\r\n".utf8) + (body ?? []), isToHEAD: method == "HEAD", isAlone: isAlone)
    } catch {
      throw Failure(trouble: error, description: "\(method) \(target): \(error)\n\(background())")
    }
  }

  private func exchange(
    _ bytes: [UInt8], isToHEAD: Bool, isAlone: Bool
  ) throws(RawConnection.Trouble) -> Response {
    let kept = isAlone ? nil : take()
    let connection: RawConnection
    if let kept {
      connection = kept
    } else {
      connection = try RawConnection(address, timeoutMilliseconds: timeoutMilliseconds)
    }
    // A server may answer and close before it has read everything: then the answer counts, not the broken pipe.
    let sent = Result { () throws(RawConnection.Trouble) in try connection.send(bytes) }
    let response: Response
    do throws(RawConnection.Trouble) {
      response = try connection.readResponse(toHEAD: isToHEAD)
    } catch {
      if case .failure(let trouble) = sent { throw trouble }
      throw error
    }
    let isClosing = response["Connection"]?.lowercased() == "close"
    if case .success = sent, !isAlone, !isClosing { idle.withLock { $0.append(connection) } }
    return response
  }

  /// A kept connection that is still good.
  private func take() -> RawConnection? {
    while let connection = idle.withLock({ $0.popLast() }) {
      if !connection.isAtEnd { return connection }
    }
    return nil
  }

  /// Closes the kept connections.
  public func close() {
    idle.withLock { $0 = [] }
  }
}
