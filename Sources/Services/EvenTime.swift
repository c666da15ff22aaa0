public import EventLoop

/// Lets answers take the same time whatever was done for them: they go out at the end of a span, or of the next one.
///
/// A letter that is written costs a tenth of a millisecond, which many tries over a network make out. The span is much
/// longer than the work, and waiting for its end costs nothing but a timer.
public struct EvenTime: Sendable {
  /// How long the answers take, or twice as long, and so on.
  public static let spanMilliseconds: UInt64 = 20

  private let loop: Loop

  public init(on loop: Loop) { self.loop = loop }

  /// Does the work, and returns at the end of a span since it began; what fails returns at once.
  func spend(on work: () async throws(Failure) -> Void) async throws(Failure) {
    let start = loop.nowMilliseconds
    try await work()
    let spans = (loop.nowMilliseconds - start) / Self.spanMilliseconds + 1
    await wait(until: start + spans * Self.spanMilliseconds)
  }

  private func wait(until due: UInt64) async {
    var timer: LoopTimer?
    await withCheckedContinuation { continuation in
      timer = LoopTimer(on: loop) { continuation.resume() }
      timer?.start(afterMilliseconds: due - loop.nowMilliseconds)
    }
    timer?.stop()
  }
}
