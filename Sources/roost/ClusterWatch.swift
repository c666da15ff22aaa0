import Log
import Postgres
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Looks after the private cluster while the server runs: starts it again when it has crashed or was stopped.
final class ClusterWatch: Sendable {
  /// How long a dead cluster stays unnoticed, at most.
  static let everyMilliseconds = 500

  private struct State {
    var isStopped = false
    /// What stood in the way at the last look, so that it is logged once.
    var trouble = ""
  }

  /// Held while it looks, so that ``stop()`` returns only when nothing will be started any more.
  private let state = Mutex(State())

  /// Begins to watch, on a thread of its own.
  init(_ cluster: LocalCluster, log: Log) {
    startThread { [self] in
      while lookUnlessStopped(at: cluster, log) {
        usleep(UInt32(Self.everyMilliseconds) * 1000)
      }
    }
  }

  /// Ends the watch, before the cluster is released.
  func stop() { state.withLock { $0.isStopped = true } }

  private func lookUnlessStopped(at cluster: LocalCluster, _ log: Log) -> Bool {
    state.withLock { state in
      if !state.isStopped, !cluster.isRunning { restart(cluster, log, &state) }
      return !state.isStopped
    }
  }

  private func restart(_ cluster: LocalCluster, _ log: Log, _ state: inout State) {
    do {
      if try cluster.ensureRunning() { log.warning("cluster_restarted", ["data": .text(cluster.dataFolder)]) }
      state.trouble = ""
    } catch {
      let trouble = "\(error)"
      if trouble != state.trouble { log.error("cluster_not_restarted", ["reason": .text(trouble)]) }
      state.trouble = trouble
    }
    log.flush()
  }
}
