internal import CPostgres
internal import EventLoop

/// One connection in pipeline mode. It lives inside its pool's isolation, on the pool's loop.
///
/// Reads that are submitted in one turn of the loop share a sync, hence a transaction; a read that is aborted by a
/// neighbour's error is innocent and is sent again alone. A write has a sync of its own, and its answer counts only
/// when that sync has come back, which is when PostgreSQL has committed.
final class Connection {
  private enum Slot {
    case preparation(Call)
    case call(Call)
    case sync
  }

  private let link: OpaquePointer
  /// Whether each statement is sent with its text, since what is prepared does not stay.
  let isPooled: Bool
  /// What its server said of itself.
  let lineage: Lineage?
  private let loop: Loop
  private let owner: any ConnectionOwner
  private var watcher: Watcher?
  private var slots = Queue<Slot>()
  private var isHeadAnswered = false
  private var uncommitted: [Call] = []
  private var again: [Call] = []
  /// What each statement is called here: the name of its type.
  private var prepared: [ObjectIdentifier: String] = [:]
  private var parameters = Parameters()
  private var unsynced = 0
  private var isTurnDue = false
  private var isLost = false

  /// How many calls await their answer.
  private(set) var inFlight = 0
  /// Of these, how many want the lock of a row.
  private var contended: [ContendedRow: Int] = [:]

  /// The most times one call is sent: once, and again after a deadlock or beside a neighbour's error.
  static let attemptsMax = 3

  /// Takes over a connection that has just been made; nil when it is already unusable.
  init?(_ opened: OpenedConnection, on loop: Loop, owner: any ConnectionOwner) {
    link = opened.link
    isPooled = opened.isPooled
    lineage = opened.lineage
    self.loop = loop
    self.owner = owner
    PQsetNoticeProcessor(link, { _, _ in }, nil)
    guard PQsetnonblocking(link, 1) == 0, PQenterPipelineMode(link) == 1 else {
      PQfinish(link)
      isLost = true
      return nil
    }
    watcher = Watcher(on: loop, descriptor: PQsocket(link), events: .readable) { [unowned self] events in
      onReady(events)
    }
    guard watcher != nil else {
      PQfinish(link)
      isLost = true
      return nil
    }
  }

  deinit { if !isLost { PQfinish(link) } }

  // MARK: Sending

  /// Queues a call. A read goes out at the end of the turn, a write, or what is to stand alone, at once.
  func submit(_ call: Call, alone: Bool = false) {
    let hasOwnSync = alone || call.effect == .writes
    if hasOwnSync { sync() }
    guard !isLost else { return owner.connectionLost(self, calls: [call], error: .unavailable("the connection broke")) }
    call.attempts += 1
    began(call)
    guard send(call) else { return lose() }
    unsynced += 1
    if hasOwnSync { sync() }
    isTurnDue = true
    loop.requestTurnEnd()
  }

  private func send(_ call: Call) -> Bool {
    let name = isPooled ? nil : prepare(call)
    guard isPooled || name != nil else { return false }
    parameters.removeAll()
    call.bind(to: &parameters)
    slots.append(.call(call))
    let sent = parameters.withArrays {
      if let name { return PQsendQueryPrepared(link, name, $0.count, $0.values, $0.lengths, $0.formats, 1) }
      return PQsendQueryParams(link, call.type.sql, $0.count, nil, $0.values, $0.lengths, $0.formats, 1)
    }
    return sent == 1
  }

  private func began(_ call: Call) {
    inFlight += 1
    if let row = call.contendedRow { contended[row, default: 0] += 1 }
  }

  private func ended(_ call: Call) {
    inFlight -= 1
    guard let row = call.contendedRow, let count = contended[row] else { return }
    contended[row] = count > 1 ? count - 1 : nil
  }

  /// Whether calls that want the lock of this row are under way here.
  func isBusy(with row: ContendedRow) -> Bool { contended[row] != nil }

  /// The name of a call's statement, whose text goes ahead of its first use on this connection; nil: it broke.
  private func prepare(_ call: Call) -> String? {
    if let name = prepared[call.key] { return name }
    let name = "\(call.type)"
    slots.append(.preparation(call))
    guard PQsendPrepare(link, name, call.type.sql, 0, nil) == 1 else {
      slots.append(.call(call))
      return nil
    }
    prepared[call.key] = name
    return name
  }

  private func sync() {
    guard unsynced > 0 else { return }
    unsynced = 0
    slots.append(.sync)
    guard PQpipelineSync(link) == 1 else { return lose() }
  }

  /// Ends the turn: what was queued goes out in one piece.
  func endTurn() {
    guard isTurnDue else { return }
    isTurnDue = false
    sync()
    flush()
  }

  private func flush() {
    guard !isLost else { return }
    switch PQflush(link) {
    case 0: watcher?.watch(.readable)
    case 1: watcher?.watch([.readable, .writable])
    default: lose()
    }
  }

  // MARK: Receiving

  private func onReady(_ events: Watcher.Events) {
    if events.contains(.writable) { flush() }
    guard !isLost else { return }
    guard PQconsumeInput(link) == 1 else { return lose() }
    takeResults()
    // Should one of them lose the connection, the rest are still here to be handed over.
    while !again.isEmpty { submit(again.removeFirst(), alone: true) }
    flush()
  }

  private func takeResults() {
    // Between two queries libpq answers nil, at times twice; a third in a row means that nothing has come.
    var nils = 0
    while !slots.isEmpty, nils < 3, !isLost, PQisBusy(link) == 0 {
      guard let result = PQgetResult(link) else {
        nils += 1
        if isHeadAnswered {
          isHeadAnswered = false
          slots.removeFirst()
        }
        continue
      }
      nils = 0
      take(PGResult(result))
    }
  }

  private func take(_ result: consuming PGResult) {
    switch slots.first {
    case .sync:
      if result.status == PGRES_PIPELINE_SYNC {
        slots.removeFirst()
        commit()
      } else {
        refuseCommit(PostgresError(refusal: result.pointer))
      }
    case .preparation(let call):
      isHeadAnswered = true
      if result.status != PGRES_COMMAND_OK { refusePreparation(of: call, result) }
    case .call(let call):
      isHeadAnswered = true
      answer(call, result)
    case nil:
      break
    }
  }

  private func refusePreparation(of call: Call, _ result: consuming PGResult) {
    guard result.status != PGRES_PIPELINE_ABORTED else { return prepared[call.key] = nil }
    let error = PostgresError(refusal: result.pointer)
    // Two calls found it unprepared, and the other was first: it is there, and this call, aborted with it, runs again.
    if case .rejected(Self.alreadyPrepared, _, _) = error { return }
    // The server ends the connection: what it was to read is read elsewhere.
    if case .unavailable = error { return lose(error) }
    prepared[call.key] = nil
    call.preparationError = error
  }

  private func answer(_ call: Call, _ result: consuming PGResult) {
    switch result.status {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
      if call.effect == .writes {
        call.held = consume result
        uncommitted.append(call)
      } else {
        ended(call)
        call.succeed(result)
      }
    case PGRES_PIPELINE_ABORTED:
      ended(call)
      if let error = call.preparationError {
        call.fail(error)
      } else {
        again.append(call)
      }
    default:
      refuse(call, PostgresError(refusal: result.pointer))
    }
  }

  private func refuse(_ call: Call, _ error: PostgresError) {
    ended(call)
    switch error {
    case .unavailable where call.effect == .reads:
      // The server ends the connection. What it was reading is read elsewhere.
      again.append(call)
      lose(error)
    case .unavailable:
      call.fail(error)
      lose(error)
    case .rejected(let sqlState, _, _) where Self.passingStates.contains(sqlState) && call.attempts < Self.attemptsMax:
      // The server has done nothing, or has rolled all of it back, so that a repeat is safe for writes too.
      if sqlState == Self.notPrepared { prepared[call.key] = nil }
      again.append(call)
    case .rejected(Self.readOnly, _, _):
      call.fail(.unavailable("the server has become read-only"))
      lose()
    case .rejected, .overloaded:
      call.fail(error)
    }
  }

  /// The sync of a block is back: what it wrote is committed.
  private func commit() {
    for call in uncommitted {
      ended(call)
      if let result = call.held.take() { call.succeed(result) }
    }
    uncommitted.removeAll(keepingCapacity: true)
  }

  private func refuseCommit(_ error: PostgresError) {
    let calls = uncommitted
    uncommitted.removeAll(keepingCapacity: true)
    for call in calls {
      call.held = nil
      refuse(call, error)
    }
  }

  /// serialization_failure, deadlock_detected, and what ``notPrepared`` stands for
  private static let passingStates: Set<String> = ["40001", "40P01", notPrepared]
  /// invalid_sql_statement_name: the statement was aborted by a neighbour before it was prepared.
  private static let notPrepared = "26000"
  /// duplicate_prepared_statement
  private static let alreadyPrepared = "42P05"
  /// read_only_sql_transaction: this server was the primary and is no longer.
  private static let readOnly = "25006"

  // MARK: Ending

  /// The deadline of the call that has waited longest, or nil when none waits.
  var firstDeadlineMilliseconds: UInt64? {
    if let call = uncommitted.first { return call.deadlineMilliseconds }
    for index in 0..<slots.count {
      if case .call(let call) = slots[index] { return call.deadlineMilliseconds }
    }
    return nil
  }

  /// Gives the connection up and hands its calls to its owner.
  func lose(_ reason: PostgresError? = nil) {
    guard !isLost else { return }
    isLost = true
    let error = reason ?? PostgresError(connection: link)
    watcher?.cancel()
    var calls = uncommitted
    for call in calls { call.held = nil }
    for index in 0..<slots.count {
      if case .call(let call) = slots[index], !(isHeadAnswered && index == 0) { calls.append(call) }
    }
    calls += again
    slots = Queue()
    uncommitted = []
    again = []
    inFlight = 0
    contended = [:]
    PQfinish(link)
    owner.connectionLost(self, calls: calls, error: error)
  }
}

/// Who owns connections: told when one is lost, with the calls that have no answer.
protocol ConnectionOwner: AnyObject {
  func connectionLost(_ connection: Connection, calls: [Call], error: PostgresError)
}
