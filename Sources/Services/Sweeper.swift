public import EventLoop
public import Log
import Store

/// Deletes what is over: sessions, links, counts, letters, events. It runs on every node, without a master, in batches.
///
/// A sweep that fails is tried again the next time; nothing depends on it but the size of the tables.
public actor Sweeper {
  /// How often, how much, and how long is kept.
  public struct Pace: Sendable {
    public var everySeconds = 60
    /// Rows that one statement deletes.
    public var rowsMax = 1_000
    /// Statements for each table in one sweep.
    public var batchesMax = 100
    public var auditRetentionDays = 365

    public init() {}
  }

  private let loop: Loop
  private let database: Database
  private let pace: Pace
  private let log: Log
  private var timer: LoopTimer?
  private var isSweeping = false
  private var isStopped = false

  public init(on loop: Loop, database: Database, pace: Pace = Pace(), log: Log) {
    self.loop = loop
    self.database = database
    self.pace = pace
    self.log = log
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Begins to sweep, the first time after ``Pace/everySeconds``.
  public func start() {
    guard timer == nil, !isStopped else { return }
    timer = LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.fire() } }
    let milliseconds = UInt64(pace.everySeconds) * 1_000
    timer?.start(afterMilliseconds: milliseconds, everyMilliseconds: milliseconds)
  }

  /// Sends no more statements. One that is under way is not waited for: it deletes its batch, or nothing.
  public func stop() {
    isStopped = true
    timer = nil
  }

  private func fire() {
    guard !isSweeping, !isStopped else { return }
    isSweeping = true
    Task(executorPreference: loop) { await self.sweep() }
  }

  private func sweep() async {
    defer { isSweeping = false }
    let rowsMax = pace.rowsMax
    do throws(Failure) {
      let sessions = try await sweep(SweepSessions(rowsMax: rowsMax))
      let links = try await sweep(SweepLinks(rowsMax: rowsMax))
      let counts = try await sweep(SweepThrottle(rowsMax: rowsMax))
      let letters = try await sweep(SweepOutbox(rowsMax: rowsMax))
      let events = try await sweep(SweepAudit(rowsMax: rowsMax, retentionDays: pace.auditRetentionDays))
      guard sessions + links + counts + letters + events > 0 else { return }
      log.info(
        "swept",
        [
          "sessions": .number(sessions), "links": .number(links), "counts": .number(counts),
          "letters": .number(letters), "events": .number(events),
        ])
    } catch {
      if !isStopped { log.warning("sweep_failed", ["reason": .text("\(error)")]) }
    }
  }

  /// Runs a statement until there is nothing left for it; answers how many rows it has deleted.
  private func sweep<S: SweepStatement>(_ statement: S) async throws(Failure) -> Int {
    var rows = 0
    for _ in 0..<pace.batchesMax where !isStopped {
      let deleted = try await database.run(statement)
      rows += deleted
      if deleted < statement.rowsMax { break }
    }
    return rows
  }
}
