internal import EventLoop

/// The body of an answer that is written piece by piece while the client reads it.
///
/// It lives on the loop of its server: from a task or an actor of that loop a call is no hop between threads. Between
/// two pieces its connection is suspended and costs no more than its memory.
public actor ResponseStream {
  /// Thrown to the writer when nobody reads any more: the client has gone, or took too long.
  public struct ReaderGone: Error {}

  /// How a stream stands towards whoever sends it.
  enum Next {
    case bytes(Int)
    /// Nothing to send now.
    case later
    case end
    /// The body stays incomplete: the client is to see that.
    case failure
  }

  private enum State { case open, finished, failed, gone }

  private let loop: Loop
  private unowned let server: Server
  private var state = State.open
  private var bytes: [UInt8] = []
  private var sent = 0
  private var isWaiting = false
  private var onRoom: CheckedContinuation<Void, Never>?

  /// A writer that is ahead of the client by more bytes than this waits.
  public static let waitingBytesMax = 64 * 1_024

  init(on loop: Loop, of server: Server) {
    self.loop = loop
    self.server = server
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  // MARK: Writing

  /// How many bytes wait for the client to read.
  public var waitingBytes: Int { bytes.count - sent }

  /// Adds a piece, and waits while ``waitingBytesMax`` are before it.
  public func write(_ piece: [UInt8]) async throws(ReaderGone) {
    guard state == .open else { throw ReaderGone() }
    bytes.append(contentsOf: piece)
    resume()
    guard waitingBytes > Self.waitingBytesMax else { return }
    await withCheckedContinuation { onRoom = $0 }
    guard state == .open else { throw ReaderGone() }
  }

  // MARK: Sending

  func finish(completely isComplete: Bool) {
    guard state == .open else { return }
    state = isComplete ? .finished : .failed
    resume()
  }

  /// Fills the buffer with what comes next. While that is nothing, the connection is suspended.
  func take(into buffer: UnsafeMutableRawBufferPointer) -> Next {
    let count = min(waitingBytes, buffer.count)
    guard count > 0 else {
      switch state {
      case .open:
        isWaiting = true
        server.assumeIsolated { $0.suspend(self) }
        return .later
      case .finished: return .end
      case .failed, .gone:
        server.assumeIsolated { $0.breakOff(self) }
        return .failure
      }
    }
    bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[sent..<(sent + count)])) }
    sent += count
    if sent == bytes.count {
      // An idle stream, and there may be thousands, keeps no buffer.
      bytes = []
      sent = 0
    }
    if waitingBytes <= Self.waitingBytesMax / 2 { makeRoom() }
    server.assumeIsolated { $0.progress(of: self) }
    return .bytes(count)
  }

  /// Nobody reads any more, or the exchange is over: the writer learns of it with its next piece.
  func close() {
    state = .gone
    bytes = []
    sent = 0
    makeRoom()
    resume()
  }

  private func resume() {
    guard isWaiting else { return }
    isWaiting = false
    server.assumeIsolated { $0.resume(self) }
  }

  private func makeRoom() {
    onRoom?.resume()
    onRoom = nil
  }
}
