import Synchronization
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A server with somebody who reads all the while, whatever others do to it.
///
/// `make attack` asks for the full size; `make test` runs the same attacks smaller.
struct Siege {
  let database: TestDatabase
  let server: TestServer
  let ada: Visitor

  /// Whether attacks have their full size.
  static let isFull = getenv("ROOST_TEST_ATTACK").map { String(cString: $0) } == "full"

  init(_ settings: [String: String] = [:], descriptorsMax: Int? = nil) throws {
    database = try TestDatabase.fresh()
    let open = ["LIMIT_LOGIN_ADDRESS", "LIMIT_LOGIN_ACCOUNT_ADDRESS", "LIMIT_LOGIN_ACCOUNT", "LIMIT_REGISTER_ADDRESS"]
    var limits = Dictionary(uniqueKeysWithValues: open.map { ($0, "0") })
    // Other tests take the machine's time.
    limits["DATABASE_TIMEOUT_MILLISECONDS"] = "10000"
    server = try TestServer(database, settings: limits.merging(settings) { $1 }, descriptorsMax: descriptorsMax)
    ada = try Visitor(server).signedUp(Person("ada"))
  }

  /// What the reader saw during an attack, and what the server took.
  struct Toll: CustomStringConvertible {
    let statuses: [Int: Int]
    let median: Duration
    let slowest: Duration
    let residentKiBBefore: Int
    let residentKiBMost: Int

    var grownKiB: Int { residentKiBMost - residentKiBBefore }

    var description: String {
      "\(statuses), median \(median), slowest \(slowest), \(residentKiBBefore) KiB grew by \(grownKiB) KiB"
    }
  }

  /// Attacks, while `GET /v1/me` is read again and again, each time by a new connection.
  ///
  /// It also checks what holds after every attack: the reader got its answers, no slower than `withinSeconds`; the
  /// server lives, grew by no more than `withinMiB`, has logged no error, and serves.
  @discardableResult
  func attacked(
    withinMiB: Int, withinSeconds: Int = 8, sourceLocation: SourceLocation = #_sourceLocation,
    by attack: () throws -> Void
  ) throws -> Toll {
    let before = server.process.residentKiB ?? 0
    let watch = Watch(reading: ada, of: server.process)
    defer { watch.end() }
    try attack()
    watch.end()
    let toll = watch.toll(before)
    if Self.isFull { print("attack: \(Test.current?.name ?? ""): \(toll)") }
    #expect(toll.statuses.keys.sorted() == [200], "\(toll)\n\(server.lastWords)", sourceLocation: sourceLocation)
    #expect(toll.slowest < .seconds(withinSeconds), "\(toll)", sourceLocation: sourceLocation)
    #expect(toll.grownKiB < withinMiB * 1_024, "\(toll)", sourceLocation: sourceLocation)
    #expect(server.process.ending == nil, "\(server.lastWords)", sourceLocation: sourceLocation)
    let isUnharmed = !server.log.contains(#""level":"error""#) && !server.log.contains(#""status":500"#)
    #expect(isUnharmed, "\(server.lastWords)", sourceLocation: sourceLocation)
    try Visitor(server).get("/readyz").expect(200, sourceLocation: sourceLocation)
    let bea = try Visitor(server).signedUp(Person("bea"))
    try bea.tweet("Still here").expect(201, sourceLocation: sourceLocation)
    return toll
  }

  /// Lets this process open as many files as it may. Answers how many connections a test may make.
  static func connectionsMax(_ wanted: Int) -> Int {
    #if canImport(Darwin)
      return min(wanted, 1_000)
    #else
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      var limit = rlimit()
      guard getrlimit(resource, &limit) == 0 else { return min(wanted, 500) }
      limit.rlim_cur = limit.rlim_max
      setrlimit(resource, &limit)
      // Other tests run beside it.
      return min(wanted, Int(clamping: limit.rlim_cur) - 1_000)
    #endif
  }
}

/// Reads, and looks at the server's memory, on a thread of its own.
private final class Watch: Sendable {
  private struct Seen {
    var statuses: [Int] = []
    var times: [Duration] = []
    var residentKiBMost = 0
    var isOver = false
    var isDone = false
  }

  private let seen = Mutex(Seen())

  init(reading visitor: Visitor, of process: TestServerProcess) {
    inBackground { [self] in
      while !seen.withLock({ $0.isOver }) {
        let start = ContinuousClock.now
        let answer = try? visitor.send("GET", "/v1/me", isAlone: true)
        let time = ContinuousClock.now - start
        let resident = process.residentKiB ?? 0
        seen.withLock { seen in
          seen.statuses.append(answer?.status ?? 0)
          seen.times.append(time)
          seen.residentKiBMost = max(seen.residentKiBMost, resident)
        }
        sleepMilliseconds(5)
      }
      seen.withLock { $0.isDone = true }
    }
  }

  /// Reads no more. Calling it again does nothing.
  func end() {
    seen.withLock { $0.isOver = true }
    _ = eventually(withinSeconds: 30) { seen.withLock { $0.isDone } }
  }

  func toll(_ residentKiBBefore: Int) -> Siege.Toll {
    seen.withLock { seen in
      let times = seen.times.sorted()
      return Siege.Toll(
        statuses: seen.statuses.counted, median: times.isEmpty ? .zero : times[times.count / 2],
        slowest: times.last ?? .zero, residentKiBBefore: residentKiBBefore, residentKiBMost: seen.residentKiBMost)
    }
  }
}
