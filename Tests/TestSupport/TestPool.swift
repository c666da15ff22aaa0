public import EventLoop
public import Log
public import Postgres

/// A loop on a thread of its own and a pool of connections on it, lent to one test.
///
/// Only so many exist at once, since the tests of a run share one cluster and its connections.
public struct TestPool: Sendable {
  public let loop: Loop
  public let pool: Pool

  /// Opens a pool, lends it to `body`, and closes it whatever happens.
  ///
  /// Unless `limits` say otherwise a statement may take long: a machine that tests is a busy one.
  public static func open<Answer>(
    _ target: ConnectionTarget, limits: Pool.Limits = .patient, statementMilliseconds: Int = 60_000, log: Log = .off,
    _ body: (TestPool) async throws -> Answer
  ) async throws -> Answer {
    let loop = await Loops.shared.take()
    let connector = Connector(target, statementMilliseconds: statementMilliseconds)
    let lent = TestPool(loop: loop, pool: Pool(on: loop, connector: connector, limits: limits, log: log))
    await lent.pool.open()
    let result: Result<Answer, any Error>
    do { result = .success(try await body(lent)) } catch { result = .failure(error) }
    await lent.pool.close()
    await Loops.shared.giveBack(loop)
    return try result.get()
  }

  /// Runs `body` on the loop's thread and says how long it took: no other test stands in the way there.
  public func timed<Answer: Sendable>(
    _ body: @escaping @Sendable () async -> Answer
  ) async -> (answer: Answer, milliseconds: Int) {
    await Task(executorPreference: loop) {
      let start = ContinuousClock.now
      let answer = await body()
      return (answer, Int((ContinuousClock.now - start) / .milliseconds(1)))
    }.value
  }
}

extension Pool.Limits {
  /// Two connections of each kind, and a minute for each answer.
  public static var patient: Pool.Limits {
    var limits = Pool.Limits()
    limits.readConnections = 2
    limits.writeConnections = 2
    limits.answerMilliseconds = 60_000
    return limits
  }
}

/// The loops that tests run their pools on, each with its thread. They are used again and again, since a loop keeps its
/// descriptors for as long as the process lives.
private actor Loops {
  static let shared = Loops(count: 8)

  private var left: Int
  private var idle: [Loop] = []
  private var waiting: [CheckedContinuation<Loop, Never>] = []

  init(count: Int) { left = count }

  func take() async -> Loop {
    if let loop = idle.popLast() { return loop }
    guard left > 0 else { return await withCheckedContinuation { waiting.append($0) } }
    left -= 1
    let loop = Loop()
    inBackground { loop.run() }
    return loop
  }

  func giveBack(_ loop: Loop) {
    if waiting.isEmpty { idle.append(loop) } else { waiting.removeFirst().resume(returning: loop) }
  }
}
