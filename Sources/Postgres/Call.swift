internal import CPostgres
internal import EventLoop

/// One statement on its way: what is sent, and who waits for the answer.
class Call {
  let type: any Statement.Type
  let effect: StatementEffect
  let contendedRow: ContendedRow?
  let deadlineMilliseconds: UInt64
  /// How often it has been sent.
  var attempts = 0
  /// A result that counts only once the transaction has been committed.
  var held: PGResult?
  /// Why it could not be prepared.
  var preparationError: PostgresError?

  fileprivate init<S: Statement>(_ statement: S, deadlineMilliseconds: UInt64) {
    type = S.self
    effect = S.effect
    contendedRow = statement.contendedRow
    self.deadlineMilliseconds = deadlineMilliseconds
  }

  var key: ObjectIdentifier { ObjectIdentifier(type) }
  func bind(to parameters: inout Parameters) {}
  func succeed(_ result: consuming PGResult) {}
  func fail(_ error: PostgresError) {}
}

final class StatementCall<S: Statement>: Call {
  private let statement: S
  private let continuation: CheckedContinuation<Result<S.Answer, PostgresError>, Never>

  init(
    _ statement: S, deadlineMilliseconds: UInt64,
    continuation: CheckedContinuation<Result<S.Answer, PostgresError>, Never>
  ) {
    self.statement = statement
    self.continuation = continuation
    super.init(statement, deadlineMilliseconds: deadlineMilliseconds)
  }

  override func bind(to parameters: inout Parameters) { statement.bind(to: &parameters) }

  override func succeed(_ result: consuming PGResult) {
    continuation.resume(returning: .success(statement.decode(result.rows)))
  }

  override func fail(_ error: PostgresError) {
    continuation.resume(returning: .failure(error))
  }
}

/// Owns a `PGresult`.
struct PGResult: ~Copyable {
  let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  var status: ExecStatusType { PQresultStatus(pointer) }
  var rows: Rows { Rows(pointer) }

  deinit { PQclear(pointer) }
}
