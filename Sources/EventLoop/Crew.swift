public import Metrics
import Synchronization

/// A bounded crew of threads for work that blocks or computes long: password hashing, pictures.
///
/// Work is taken first in, first out. When every thread is busy and the queue is full, the next piece is refused at
/// once, so that an overload shows as a quick answer and not as a long wait. Threads run at low priority and leave
/// the processor to the loops. A task that is cancelled while it waits still gets its answer: work that has been
/// accepted is always done.
public final class Crew: Sendable {
  /// The queue is full, or the crew has been stopped.
  public struct Full: Error, Hashable, Sendable {
    public init() {}
  }

  /// How busy the crew is, for metrics.
  public struct Load: Hashable, Sendable {
    /// Accepted and waiting for a thread.
    public let queued: Int
    /// In the hands of a thread.
    public let running: Int
    /// Done so far.
    public let done: Int
    /// Refused so far, since the queue was full.
    public let refused: Int
  }

  /// How many threads there are.
  public let threadCount: Int
  /// How many pieces of work may wait besides the ones that run.
  public let queueMax: Int
  /// How long its work has taken, for metrics.
  public let times: Times

  /// How long work took so far, on all threads.
  public struct Times: Sendable {
    /// The waits for a thread.
    public let waits = Histogram()
    /// What threads took.
    public let works = Histogram()
    /// What the work counts as in the times of a request.
    fileprivate let span: RequestTimes.Span?

    fileprivate func note(waited: Int, worked: Int, for request: RequestTimes?) {
      waits.note(waited)
      works.note(worked)
      guard let span, let request else { return }
      request.note(.queue, waited)
      request.note(span, worked)
    }
  }

  private let board: CrewBoard
  private let threads: Mutex<[CrewThread]>

  /// `queueMax` is how many pieces of work may wait besides the ones that run. `niceness` is that of `nice(2)`, 0 to
  /// 19. The name shows in `top -H`, cut to 15 bytes. Requests are told the time of the work as that of `span`.
  public init(
    threads count: Int, queueMax: Int, niceness: Int = 19, name: String = "crew", span: RequestTimes.Span? = nil
  ) {
    precondition(count > 0 && queueMax >= 0, "a crew needs a thread")
    threadCount = count
    self.queueMax = queueMax
    times = Times(span: span)
    let board = CrewBoard(threads: count, queueMax: queueMax)
    self.board = board
    threads = Mutex((0..<count).map { _ in CrewThread(name: name, niceness: niceness) { board.workUntilClosed() } })
  }

  /// A place with the crew that nobody else can take: for work that is sure to follow, once something else has been
  /// done. It is given back when it is let go unused.
  public final class Place: Sendable {
    private let board: CrewBoard
    private let isUsed = Atomic(false)

    fileprivate init(on board: CrewBoard) { self.board = board }

    /// True once.
    func use() -> Bool { isUsed.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged }

    deinit { if use() { board.giveBackPlace() } }
  }

  /// Keeps a place for a piece of work that is to come.
  public func reserve() throws(Full) -> Place {
    guard board.keepPlace() else { throw Full() }
    return Place(on: board)
  }

  /// Does the work on a thread of the crew and resumes where the caller runs.
  ///
  /// With a reserved place it is never refused, unless the crew has been stopped. Not cancellable: see the type.
  public func run<Answer: Sendable>(
    in place: Place? = nil, _ work: @escaping @Sendable () -> Answer
  ) async throws(Full) -> Answer {
    let request = RequestCost.current?.times
    let accepted = Moment.now
    let answer: Result<Answer, Full> = await withCheckedContinuation { continuation in
      let isAccepted = board.accept(inKeptPlace: place?.use() ?? false) { [times] in
        let began = Moment.now
        let answer = work()
        times.note(
          waited: accepted.microseconds(until: began), worked: began.microsecondsSince, for: request)
        return { continuation.resume(returning: .success(answer)) }
      }
      if !isAccepted { continuation.resume(returning: .failure(Full())) }
    }
    return try answer.get()
  }

  /// How busy it is at this moment.
  public var load: Load { board.load }

  /// Refuses new work, finishes what was accepted and waits for the threads to end. Blocks the calling thread, which
  /// must not be one of the crew's. A second call does nothing.
  public func stop() {
    board.close()
    let ending = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for thread in ending { thread.join() }
  }

  /// A crew that was never stopped finishes its work without anybody waiting for it.
  deinit {
    board.close()
    threads.withLock { for thread in $0 { thread.detach() } }
  }
}
