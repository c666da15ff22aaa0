import EventLoop
import HTTP
import Log
import Metrics
import Postgres
import Schema
import Secrets
import Services
import Synchronization
import Values

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The loops that serve, each with its HTTP server and its connections to PostgreSQL.
struct Workers: Sendable {
  let config: Config
  let target: ConnectionTarget
  let log: Log

  /// How long a node that is told to stop still accepts requests, while `/readyz` says that it leaves: balancers learn
  /// it there. Ctrl-C does not wait for them.
  static let leaveMilliseconds = 1_500
  /// Uploaded photos that wait for the thread that decodes them; one more is answered 503.
  static let picturesWaitingMax = 16

  /// Serves until the process is told to stop, then lets requests in flight finish. `onListening` is called once the
  /// address answers.
  func run(until signals: Signals, onListening: @escaping @Sendable (ListenAddress) -> Void) throws -> ExitCode {
    let sockets = try sockets()
    var config = config
    config.http.listen.port = sockets[0].port
    let shared = shared(Mailing(config))
    let workers = sockets.map { [config] in Worker(config, socket: $0, shared: shared) }
    let metrics = try metricsServer(workers, shared)
    let isStarted = Atomic(true)
    signals.onStop { signal in
      Task.detached { await stop(workers, isUrgent: signal == SIGINT) }
    }
    Task.detached { [address = config.http.listen] in
      do {
        for worker in workers { try await worker.start(log) }
        await workers[0].sweeper.start()
        try await metrics?.start()
        onListening(address)
      } catch {
        isStarted.store(false, ordering: .relaxed)
        log.error("not_started", ["reason": .text("\(error)")])
        for worker in workers { worker.loop.stop() }
      }
    }
    for worker in workers.dropFirst() { startThread { worker.loop.run() } }
    workers[0].loop.run()
    return isStarted.load(ordering: .relaxed) ? .done : .failed
  }

  /// The server of the metrics, on the first loop; nil unless it is configured.
  private func metricsServer(_ workers: [Worker], _ shared: Worker.Shared) throws -> Server? {
    guard let address = config.http.metricsListen else { return nil }
    let socket = try ListenSocket(host: address.host.description, port: address.port)
    log.info("metrics", ["address": .text(socket.address)])
    let page = MetricsPage(
      workers: workers, hashing: shared.hashing, pictures: shared.pictures, connectionsMax: config.http.connectionsMax)
    return Server(on: workers[0].loop, socket: socket, limits: .few, responder: page, log: log)
  }

  private func sockets() throws -> [ListenSocket] {
    let host = config.http.listen.host.description
    let port = config.http.listen.port
    let count = config.http.workers
    guard count > 1 else { return [try ListenSocket(host: host, port: port)] }
    // Sockets that share a port would also share it with another process: one alone finds out whether it is free.
    let alone = try ListenSocket(host: host, port: port)
    alone.shut()
    return try (0..<count).map { _ in try ListenSocket(host: host, port: alone.port, isShared: true) }
  }

  /// Below the loops, and not by much: a thread that hashes maps and clears memory under a lock of the whole process, and
  /// the longer it is kept from going on, the longer a loop may have to wait for that lock.
  private static let hashNiceness = 5

  private func shared(_ mailing: Mailing) -> Worker.Shared {
    let crew = Crew(
      threads: config.crew.hashThreads, queueMax: config.crew.hashQueueMax, niceness: Self.hashNiceness, name: "hash",
      span: .hash)
    // One thread: a large picture takes hundreds of megabytes while it is decoded. Each that waits holds its file.
    let pictures = Crew(threads: 1, queueMax: Self.picturesWaitingMax, niceness: 19, name: "picture", span: .picture)
    return Worker.Shared(
      connector: Connector(target, statementMilliseconds: Self.statementMilliseconds(config.database)),
      hashing: crew,
      hasher: PasswordHasher(crew: crew),
      pictures: pictures,
      mailing: mailing,
      ids: IDSource(),
      proxies: TrustedProxies(config.http.trustedProxies),
      schemaVersion: Schema.files.last?.version ?? 0,
      log: log)
  }

  /// The server gives a statement up a little before its request does: that costs one statement, not the connection.
  private static func statementMilliseconds(_ database: Config.Database) -> Int {
    max(100, database.answerMilliseconds - 300)
  }

  private func stop(_ workers: [Worker], isUrgent: Bool) async {
    for worker in workers { worker.readiness.leave() }
    log.info("leaving")
    if !isUrgent { try? await Task.sleep(for: .milliseconds(Self.leaveMilliseconds)) }
    let milliseconds = UInt64(config.http.shutdownTimeoutSeconds) * 1_000
    await withTaskGroup(of: Bool.self) { group in
      for worker in workers { group.addTask { await worker.stop(withinMilliseconds: milliseconds) } }
      for await isClean in group where !isClean { log.warning("requests_cut_off") }
    }
  }
}

extension ServerLimits {
  /// For a page that few read.
  fileprivate static var few: ServerLimits {
    var limits = ServerLimits()
    limits.connectionsMax = 64
    return limits
  }
}
