import Postgres
import TestSupport

/// The statements that the tests of the pool run.
enum Ask {
  /// `100 / $1`; an error for 0.
  struct Divide: ReadStatement {
    let divisor: Int32

    static let sql = "select 100 / $1::integer"

    func bind(to parameters: inout Parameters) { parameters.append(divisor) }
    func decode(_ rows: Rows) -> Int {
      var row = rows[0]
      return row.int32()
    }
  }

  /// The number itself, and the process that answers.
  struct Echo: ReadStatement {
    let number: Int32

    static let sql = "select $1::integer, pg_backend_pid()"

    func bind(to parameters: inout Parameters) { parameters.append(number) }
    func decode(_ rows: Rows) -> (number: Int, process: Int) {
      var row = rows[0]
      return (row.int32(), row.int32())
    }
  }

  /// The text itself, in a statement of its own.
  struct EchoText: ReadStatement {
    let text: String

    static let sql = "select $1::text"

    func bind(to parameters: inout Parameters) { parameters.append(text) }
    func decode(_ rows: Rows) -> String {
      var row = rows[0]
      return row.text()
    }
  }

  /// Waits, then answers the number.
  struct EchoLater: ReadStatement {
    let number: Int32
    let seconds: Double

    static let sql = "select $1::integer from (select pg_sleep($2::double precision)) as slept"

    func bind(to parameters: inout Parameters) {
      parameters.append(number)
      parameters.append(seconds)
    }
    func decode(_ rows: Rows) -> Int {
      var row = rows[0]
      return row.int32()
    }
  }

  /// Every third number up to the given one.
  struct Series: ReadStatement {
    let last: Int32

    static let sql = "select n from generate_series(0, $1::integer, 3) as n order by n"

    func bind(to parameters: inout Parameters) { parameters.append(last) }
    func decode(_ rows: Rows) -> [Int] { rows.map { $0.int32() } }
  }

  /// No SQL at all.
  struct Gibberish: ReadStatement {
    static let sql = "selec 1"

    func bind(to parameters: inout Parameters) {}
    func decode(_ rows: Rows) {}
  }
}

enum Tell {
  /// Adds a row whose parent must be there at the end of the transaction. Its table is `bird`.
  struct Hatch: WriteStatement {
    let id: Int32
    let parent: Int32?

    static let table = """
      create table bird (
        id integer primary key,
        parent integer constraint bird_parent_fkey references bird (id) deferrable initially deferred)
      """
    static let sql = "insert into bird (id, parent) values ($1::integer, $2::integer) returning pg_backend_pid()"

    func bind(to parameters: inout Parameters) {
      parameters.append(id)
      if let parent { parameters.append(parent) } else { parameters.appendNull() }
    }
    func decode(_ rows: Rows) -> Int {
      var row = rows[0]
      return row.int32()
    }
  }

  /// Waits, then adds a row to `bird`.
  struct HatchLater: WriteStatement {
    let id: Int32
    let seconds: Double

    static let sql = "insert into bird (id) select $1::integer from (select pg_sleep($2::double precision)) as slept"

    func bind(to parameters: inout Parameters) {
      parameters.append(id)
      parameters.append(seconds)
    }
    func decode(_ rows: Rows) {}
  }

  /// Calls `act(integer, integer)`, which a test defines.
  struct Act: WriteStatement {
    let first: Int32
    let second: Int32

    static let sql = "select act($1::integer, $2::integer)"

    func bind(to parameters: inout Parameters) {
      parameters.append(first)
      parameters.append(second)
    }
    func decode(_ rows: Rows) -> Int {
      var row = rows[0]
      return row.int32()
    }
  }

  /// Adds one to a counter that everybody wants.
  struct Bump: WriteStatement {
    let id: Int32

    static let sql = "update counter set n = n + 1 where id = $1::integer returning pg_backend_pid()"

    var contendedRow: ContendedRow? { ContendedRow(high: 0, low: UInt64(id)) }

    func bind(to parameters: inout Parameters) { parameters.append(id) }
    func decode(_ rows: Rows) -> Int {
      var row = rows[0]
      return row.int32()
    }
  }

  /// A write into a table that is not there.
  struct Astray: WriteStatement {
    static let sql = "insert into nowhere values (1)"

    func bind(to parameters: inout Parameters) {}
    func decode(_ rows: Rows) {}
  }
}

extension Pool {
  /// What became of a statement: its answer, or why there is none.
  func attempt<S: Statement>(_ statement: S) async -> Result<S.Answer, PostgresError> {
    do throws(PostgresError) { return .success(try await run(statement)) } catch { return .failure(error) }
  }
}

extension Result where Failure == PostgresError {
  var error: PostgresError? { if case .failure(let error) = self { error } else { nil } }

  /// The five characters, of a statement that the server refused.
  var sqlState: String? { if case .rejected(let sqlState, _, _)? = error { sqlState } else { nil } }

  var isUnavailable: Bool { if case .unavailable? = error { true } else { false } }
}

/// Runs `count` calls at once and answers what each gave, by its number.
func parallel<Answer: Sendable>(
  _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Answer
) async throws -> [Answer] {
  try await withThrowingTaskGroup(of: (Int, Answer).self) { group in
    for index in 0..<count { group.addTask { (index, try await body(index)) } }
    var answers: [Int: Answer] = [:]
    for try await (index, answer) in group { answers[index] = answer }
    return (0..<count).compactMap { answers[$0] }
  }
}

/// Waits until `condition` holds, for at most ten seconds; whether it does.
func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
  for _ in 0..<500 {
    if try await condition() { return true }
    try await Task.sleep(for: .milliseconds(20))
  }
  return false
}

extension TestDatabase {
  /// The server's processes for its connections, those of a pool among them.
  func processes() throws -> Set<Int32> {
    let sql = "select pid from pg_stat_activity where datname = $1"
    let rows = try BlockingConnection(TestCluster.target()).rows(sql, [name])
    return Set(rows.compactMap { $0[0].flatMap { Int32($0) } })
  }
}
