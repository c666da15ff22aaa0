#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where a crew's work hangs until a thread takes it.
final class CrewBoard: @unchecked Sendable {  // every stored variable is touched under `mutex` only
  /// Does a piece of work and returns what hands the answer over.
  typealias Work = @Sendable () -> () -> Void

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let workOrClosed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let inFlightMax: Int
  /// A ring: `queued` pieces from `first` on.
  private var ring: [Work?]
  private var first = 0
  private var queued = 0
  private var running = 0
  private var done = 0
  private var refused = 0
  /// Places kept for work that is to come.
  private var kept = 0
  private var isClosed = false

  init(threads: Int, queueMax: Int) {
    inFlightMax = threads + queueMax
    ring = Array(repeating: nil, count: inFlightMax)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(workOrClosed, nil)
  }

  deinit {
    pthread_cond_destroy(workOrClosed)
    pthread_mutex_destroy(mutex)
    workOrClosed.deallocate()
    mutex.deallocate()
  }

  var load: Crew.Load { locked { Crew.Load(queued: queued, running: running, done: done, refused: refused) } }

  private var isFull: Bool { isClosed || queued + running + kept >= inFlightMax }

  /// False when the crew has its fill or is closed.
  func keepPlace() -> Bool {
    locked {
      guard !isFull else {
        refused += 1
        return false
      }
      kept += 1
      return true
    }
  }

  func giveBackPlace() { locked { kept -= 1 } }

  /// False when the crew has its fill or is closed.
  func accept(inKeptPlace: Bool, _ work: @escaping Work) -> Bool {
    locked {
      if inKeptPlace { kept -= 1 }
      guard !isFull else {
        refused += 1
        return false
      }
      ring[(first + queued) % inFlightMax] = work
      queued += 1
      pthread_cond_signal(workOrClosed)
      return true
    }
  }

  func close() {
    locked {
      isClosed = true
      pthread_cond_broadcast(workOrClosed)
    }
  }

  /// The life of a thread: ends when the board is closed and empty.
  func workUntilClosed() {
    while let work = take() {
      let handOver = work()
      // Before the answer goes out, so that whoever gets it finds a thread free again.
      locked {
        running -= 1
        done += 1
      }
      handOver()
    }
  }

  private func take() -> Work? {
    locked {
      while queued == 0 && !isClosed { pthread_cond_wait(workOrClosed, mutex) }
      guard queued > 0 else { return nil }
      let work = ring[first]
      ring[first] = nil
      first = (first + 1) % inFlightMax
      queued -= 1
      running += 1
      return work
    }
  }

  private func locked<Answer>(_ body: () -> Answer) -> Answer {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }
}
