public import EventLoop
public import Log
import Metrics

/// The connections of one loop: a few shared by all reads, a few others for the writes.
///
/// Reads and writes are apart because the commit of a write waits for the disk, and would stall the reads behind it on
/// the same connection. Lost connections are made again for as long as the pool is open.
public actor Pool {
  /// Sizes and times. Every wait in the pool is bounded by ``answerMilliseconds``.
  public struct Limits: Sendable {
    /// Connections that reads share.
    public var readConnections = 4
    /// Connections for writes: so many transactions run at once, for each loop.
    public var writeConnections = 4
    /// Statements that may be waiting or under way, for each of the two kinds; more are ``PostgresError/overloaded``.
    public var statementsMax = 10_000
    /// From submission to answer, waiting for a connection included; later it is ``PostgresError/unavailable(_:)``.
    public var answerMilliseconds = 1_800

    public init() {}
  }

  /// How busy the pool is, for metrics.
  public struct Load: Sendable {
    /// Connections that are open now.
    public let connections: Int
    /// Statements that wait for a connection.
    public let waiting: Int
    /// Statements that wait or are under way.
    public let underWay: Int
  }

  private struct Lane {
    let effect: StatementEffect
    let size: Int
    var connections: [Connection] = []
    var waiting = Queue<Call>()
    var opening = 0

    var load: Load { Load(connections: connections.count, waiting: waiting.count, underWay: underWay) }

    var underWay: Int { connections.reduce(waiting.count) { $0 + $1.inFlight } }

    /// The connection for a call: where others want the same row, or else the idlest.
    func connection(for call: Call) -> Connection? {
      guard let row = call.contendedRow else { return idlest }
      return connections.first { $0.isBusy(with: row) } ?? idlest
    }

    /// The connection with the fewest calls on it.
    private var idlest: Connection? {
      guard var best = connections.first else { return nil }
      for connection in connections where connection.inFlight < best.inFlight { best = connection }
      return best
    }
  }

  /// What has happened so far, to reads and to writes.
  public nonisolated let meters = (reads: PoolMeter(), writes: PoolMeter())

  private let loop: Loop
  private let connector: Connector
  private let limits: Limits
  private let log: Log
  private var reads: Lane
  private var writes: Lane
  private var ticker: LoopTimer?
  private var isTicking = false
  private var isOpen = false
  private var isDown = false
  private var isPooled = false
  private var retryAt: UInt64 = 0
  private var retryMilliseconds = Pool.retryMillisecondsMin

  private static let tickMilliseconds: UInt64 = 50
  private static let retryMillisecondsMin: UInt64 = 50
  private static let retryMillisecondsMax: UInt64 = 1_000

  /// A pool that is closed: ``open()`` begins to connect. It lives on `loop`, which must run.
  public init(on loop: Loop, connector: Connector, limits: Limits = Limits(), log: Log) {
    self.loop = loop
    self.connector = connector
    self.limits = limits
    self.log = log
    reads = Lane(effect: .reads, size: limits.readConnections)
    writes = Lane(effect: .writes, size: limits.writeConnections)
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  // MARK: Running statements

  /// Runs a statement and answers what it decodes.
  ///
  /// A read that meets a broken connection is sent again on another; a write is not, and then fails as
  /// ``PostgresError/unavailable(_:)``: it may or may not have been committed.
  public func run<S: Statement>(_ statement: S) async throws(PostgresError) -> S.Answer {
    let answer = await withCheckedContinuation { continuation in
      let deadline = loop.nowMilliseconds + UInt64(limits.answerMilliseconds)
      accept(StatementCall(statement, deadlineMilliseconds: deadline, continuation: continuation))
    }
    return try answer.get()
  }

  private func accept(_ call: Call) {
    guard isOpen else { return call.fail(.unavailable("the pool is closed")) }
    guard lane(call.effect).underWay < limits.statementsMax else {
      meter(call.effect).refused.add()
      return call.fail(.overloaded)
    }
    meter(call.effect).accepted.add()
    submit(call)
  }

  private func submit(_ call: Call) {
    startTicking()
    if let connection = lane(call.effect).connection(for: call) {
      connection.submit(call)
      meter(call.effect).depths.note(connection.inFlight)
    } else if call.effect == .reads {
      reads.waiting.append(call)
    } else {
      writes.waiting.append(call)
    }
  }

  private func lane(_ effect: StatementEffect) -> Lane { effect == .reads ? reads : writes }
  private nonisolated func meter(_ effect: StatementEffect) -> PoolMeter {
    effect == .reads ? meters.reads : meters.writes
  }

  /// How busy it is at this moment: its reads, and its writes.
  public var load: (reads: Load, writes: Load) { (reads.load, writes.load) }

  // MARK: Opening and closing

  /// Begins to open connections; statements may be run at once, and wait for them.
  public func open() {
    guard !isOpen else { return }
    isOpen = true
    ticker = LoopTimer(on: loop) { [unowned self] in tick() }
    loop.onTurnEnd { [weak self] in self?.assumeIsolated { $0.endTurn() } }
    refill()
    startTicking()
  }

  /// Ends all connections. Statements that are still under way fail.
  public func close() {
    isOpen = false
    for connection in reads.connections + writes.connections { connection.lose(.unavailable("the pool is closed")) }
    expire(now: .max)
    ticker = nil
  }

  private func endTurn() {
    for connection in reads.connections { connection.endTurn() }
    for connection in writes.connections { connection.endTurn() }
  }

  /// Opens what is missing.
  private func refill() {
    guard isOpen, loop.nowMilliseconds >= retryAt else { return }
    for effect in [StatementEffect.writes, .reads] {
      let lane = lane(effect)
      let missing = lane.size - lane.connections.count - lane.opening
      for _ in 0..<max(0, missing) { Task(executorPreference: loop) { await self.openOne(effect) } }
      if effect == .reads { reads.opening += max(0, missing) } else { writes.opening += max(0, missing) }
    }
  }

  private func openOne(_ effect: StatementEffect) async {
    let opened: Result<OpenedConnection, PostgresError>
    do throws(PostgresError) { opened = .success(try await connector.open()) } catch { opened = .failure(error) }
    if effect == .reads { reads.opening -= 1 } else { writes.opening -= 1 }
    switch opened {
    case .success(let link): add(link, to: effect)
    case .failure(let error): retryLater(error)
    }
  }

  private func add(_ opened: OpenedConnection, to effect: StatementEffect) {
    guard let connection = Connection(opened, on: loop, owner: self) else {
      return retryLater(.unavailable("the new connection is unusable"))
    }
    guard isOpen else { return connection.lose() }
    if isDown { log.info("database_back") }
    isDown = false
    if connection.isPooled, !isPooled { log.info("database_is_pooled") }
    isPooled = connection.isPooled
    retryMilliseconds = Self.retryMillisecondsMin
    var lane = lane(effect)
    lane.connections.append(connection)
    let waiting = lane.waiting
    lane.waiting = Queue()
    if effect == .reads { reads = lane } else { writes = lane }
    for index in 0..<waiting.count {
      noteWait(of: waiting[index])
      submit(waiting[index])
    }
    loseReplaced()
  }

  /// Gives up connections to a primary that has been replaced since they were made: it may not know yet.
  private func loseReplaced() {
    for connection in reads.connections + writes.connections {
      guard let lineage = connection.lineage, connector.newestLineage.replaces(lineage) else { continue }
      connection.lose(.unavailable("another server has taken over"))
    }
  }

  private func retryLater(_ error: PostgresError) {
    if !isDown { log.warning("database_away", ["reason": .text(error.description)]) }
    isDown = true
    retryAt = loop.nowMilliseconds + retryMilliseconds
    retryMilliseconds = min(retryMilliseconds * 2, Self.retryMillisecondsMax)
    startTicking()
  }

  // MARK: Time

  private func startTicking() {
    guard !isTicking, let ticker else { return }
    isTicking = true
    ticker.start(afterMilliseconds: Self.tickMilliseconds, everyMilliseconds: Self.tickMilliseconds)
  }

  private func tick() {
    let now = loop.nowMilliseconds
    expire(now: now)
    for connection in reads.connections + writes.connections {
      if let deadline = connection.firstDeadlineMilliseconds, deadline <= now {
        connection.lose(.unavailable("no answer within \(limits.answerMilliseconds) ms"))
      }
    }
    loseReplaced()
    refill()
    let isWhole = reads.connections.count == reads.size && writes.connections.count == writes.size
    if isWhole, reads.underWay == 0, writes.underWay == 0 {
      isTicking = false
      ticker?.stop()
    }
  }

  /// Nobody has seen it come: its deadline tells.
  private func noteWait(of call: Call) {
    let began = Int(call.deadlineMilliseconds) - limits.answerMilliseconds
    meter(call.effect).waits.note(max(0, Int(loop.nowMilliseconds) - began) * 1_000)
  }

  /// Fails what has waited for a connection past its deadline.
  private func expire(now: UInt64) {
    while let call = reads.waiting.first, call.deadlineMilliseconds <= now {
      reads.waiting.removeFirst()
      noteWait(of: call)
      call.fail(.unavailable("no connection in time"))
    }
    while let call = writes.waiting.first, call.deadlineMilliseconds <= now {
      writes.waiting.removeFirst()
      noteWait(of: call)
      call.fail(.unavailable("no connection in time"))
    }
  }
}

extension Pool: @preconcurrency ConnectionOwner {
  func connectionLost(_ connection: Connection, calls: [Call], error: PostgresError) {
    for effect in [StatementEffect.reads, .writes] where lane(effect).connections.contains(where: { $0 === connection })
    {
      meter(effect).lost.add()
    }
    reads.connections.removeAll { $0 === connection }
    writes.connections.removeAll { $0 === connection }
    if isOpen, !isDown {
      log.warning("database_connection_lost", ["reason": .text(error.description), "calls": .number(calls.count)])
    }
    let now = loop.nowMilliseconds
    for call in calls {
      let mayRepeat = call.effect == .reads && call.attempts < Connection.attemptsMax && call.deadlineMilliseconds > now
      if isOpen, mayRepeat { submit(call) } else { call.fail(error) }
    }
    startTicking()
  }
}
