import EventLoop
import Metrics
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

struct CrewTests {
  /// A crew of one whose thread waits at the gate.
  private func withBusyCrew(
    queueMax: Int, _ body: (Crew, Gate) async throws -> Void
  ) async throws {
    let crew = Crew(threads: 1, queueMax: queueMax)
    defer { crew.stop() }
    let gate = Gate()
    defer { gate.open() }
    let busy = Task { try await crew.run { gate.wait() } }
    await until { crew.load.running == 1 }
    try await body(crew, gate)
    gate.open()
    try await busy.value
  }

  @Test func `work is done on another thread and its answer comes back`() async throws {
    let crew = Crew(threads: 2, queueMax: 100)
    let answers = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...100 { group.addTask { try await crew.run { number * number } } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(answers == Set((1...100).map { $0 * $0 }))
    crew.stop()
    #expect(crew.load.queued == 0)
    #expect(crew.load.running == 0)
  }

  @Test func `an answer that is nil is an answer`() async throws {
    let crew = Crew(threads: 1, queueMax: 0)
    let answer: Int? = try await crew.run { nil }
    #expect(answer == nil)
    crew.stop()
  }

  @Test func `work is taken first in, first out`() async throws {
    let done = Record()
    try await withBusyCrew(queueMax: 9) { crew, gate in
      var waiting: [Task<Void, any Error>] = []
      for number in 0..<9 {
        waiting.append(Task { try await crew.run { done.note(number) } })
        await until { crew.load.queued == number + 1 }
      }
      gate.open()
      for task in waiting { try await task.value }
    }
    #expect(done.all == Array(0..<9))
  }

  @Test func `waits, work and refusals are counted, and told to the request that asked`() async throws {
    let request = RequestTimes()
    let crew = Crew(threads: 1, queueMax: 1, span: .hash)
    defer { crew.stop() }
    let gate = Gate()
    let busy = Task { try await crew.run { gate.wait() } }
    await until { crew.load.running == 1 }
    let asked = Task {
      try await RequestCost.$current.withValue(RequestCost(route: RouteCost(), times: request)) {
        try await crew.run { _ = usleep(3_000) }
      }
    }
    await until { crew.load.queued == 1 }
    await #expect(throws: Crew.Full()) { try await crew.run {} }
    #expect(throws: Crew.Full()) { _ = try crew.reserve() }
    usleep(2_000)
    gate.open()
    try await busy.value
    try await asked.value
    #expect(crew.load.refused == 2 && crew.load.done == 2 && crew.threadCount == 1 && crew.queueMax == 1)
    #expect(crew.times.waits.snapshot.counts.reduce(0, +) == 2)
    #expect(crew.times.works.snapshot.sum >= 5_000)
    #expect(request[.queue].count == 1 && request[.queue].microseconds >= 2_000)
    #expect(request[.hash].count == 1 && request[.hash].microseconds >= 3_000)
    #expect(request[.hash].microseconds <= crew.times.works.snapshot.sum && request[.picture].count == 0)
  }

  @Test func `the ring of places comes round`() async throws {
    let crew = Crew(threads: 1, queueMax: 2)
    for number in 0..<20 {
      let answer = try await crew.run { number }
      #expect(answer == number)
    }
    crew.stop()
  }

  @Test func `whoever got an answer finds the thread free again`() async throws {
    let crew = Crew(threads: 1, queueMax: 0)
    for number in 0..<2000 {
      let answer = try await crew.run { number }
      #expect(answer == number)
    }
    crew.stop()
  }

  @Test func `a full crew refuses at once and takes work again later`() async throws {
    try await withBusyCrew(queueMax: 2) { crew, gate in
      let waiting = (0..<2).map { number in Task { try await crew.run { number } } }
      await until { crew.load.queued == 2 }
      let done = Record()
      await #expect(throws: Crew.Full.self) { try await crew.run { done.note(2) } }
      #expect(crew.load.queued == 2)
      #expect(crew.load.running == 1)
      gate.open()
      let answers = [try await waiting[0].value, try await waiting[1].value]
      #expect(answers == [0, 1])
      let later = try await crew.run { 3 }
      #expect(later == 3)
      #expect(done.all.isEmpty)
    }
  }

  @Test func `a cancelled task still gets its answer`() async throws {
    try await withBusyCrew(queueMax: 1) { crew, gate in
      let waiting = Task { try await crew.run { 7 } }
      await until { crew.load.queued == 1 }
      waiting.cancel()
      gate.open()
      let answer = try await waiting.value
      #expect(answer == 7)
    }
  }

  @Test func `stopping finishes what was accepted and refuses the rest`() async throws {
    let crew = Crew(threads: 2, queueMax: 50)
    let gate = Gate()
    let done = Record()
    let waiting = (0..<50).map { _ in
      Task {
        try await crew.run {
          gate.wait()
          done.note(1)
        }
      }
    }
    await until { crew.load.queued == 48 }
    gate.open()
    crew.stop()
    #expect(done.all.count == 50)
    for task in waiting { try await task.value }
    await #expect(throws: Crew.Full.self) { try await crew.run {} }
    crew.stop()
  }

  @Test func `a place that is kept is nobody else's, and is given back when it is let go`() async throws {
    let crew = Crew(threads: 1, queueMax: 1)
    var first: Crew.Place? = try crew.reserve()
    let second = try crew.reserve()
    #expect(throws: Crew.Full.self) { try crew.reserve() }
    await #expect(throws: Crew.Full.self) { try await crew.run {} }
    #expect(try await crew.run(in: second) { 2 } == 2)
    // A place serves once: what comes with it again takes its chance like any other.
    #expect(try await crew.run(in: second) { 3 } == 3)
    let third = try crew.reserve()
    await #expect(throws: Crew.Full.self) { try await crew.run(in: second) { 4 } }
    first = nil
    #expect(try await crew.run { 5 } == 5)
    #expect(try await crew.run(in: third) { 6 } == 6)
    _ = first
    crew.stop()
  }

  @Test func `a crew that is let go finishes its work`() async throws {
    let gate = Gate()
    let done = Record()
    var crew: Crew? = Crew(threads: 1, queueMax: 0)
    weak let released = crew
    let work = Task { [crew] in
      try await crew?.run {
        gate.wait()
        done.note(1)
      }
    }
    crew = nil
    gate.open()
    try await work.value
    #expect(done.all == [1])
    await until { released == nil }
  }

  @MainActor
  @Test func `a caller goes on where it was`() async throws {
    let crew = Crew(threads: 1, queueMax: 0)
    let caller = UInt(bitPattern: pthread_self().hashValue)
    let worker = try await crew.run { UInt(bitPattern: pthread_self().hashValue) }
    MainActor.assertIsolated()
    #expect(worker != caller)
    crew.stop()
  }

  #if os(Linux)
    @Test func `threads are named and give way to the others`() async throws {
      let crew = Crew(threads: 1, queueMax: 1, niceness: 19, name: "a name beyond fifteen")
      let niceness = try await crew.run { getpriority(CInt(PRIO_PROCESS.rawValue), 0) }
      #expect(niceness == 19)
      #expect(getpriority(CInt(PRIO_PROCESS.rawValue), id_t(getpid())) < 19)
      let name = try await crew.run {
        let file = open("/proc/thread-self/comm", O_RDONLY)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        return String(decoding: bytes[..<max(read(file, &bytes, bytes.count), 0)], as: UTF8.self)
      }
      #expect(name == "a name beyond f\n")
      crew.stop()
    }
  #endif
}
