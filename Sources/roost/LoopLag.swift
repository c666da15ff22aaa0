import EventLoop
import Metrics

/// How late a loop comes to what is due: work that holds its thread for long shows here.
actor LoopLag {
  nonisolated let delays = Histogram()
  private let loop: Loop
  private var timer: LoopTimer?
  private var armed = Moment.now

  private static let everyMilliseconds: UInt64 = 250

  init(on loop: Loop) { self.loop = loop }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  func start() {
    timer = LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.fire() } }
    arm()
  }

  func stop() { timer = nil }

  private func arm() {
    armed = .now
    timer?.start(afterMilliseconds: Self.everyMilliseconds)
  }

  private func fire() {
    delays.note(max(0, armed.microsecondsSince - Int(Self.everyMilliseconds) * 1_000))
    arm()
  }
}
