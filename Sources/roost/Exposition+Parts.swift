import EventLoop
import Metrics
import Postgres
import Services

/// What the parts of a node say of themselves, those of all loops together.
extension Exposition {
  /// Statements on their way, and the connections they take.
  mutating func write(pools: [Pool]) async {
    var loads: [(reads: Pool.Load, writes: Pool.Load)] = []
    for pool in pools { loads.append(await pool.load) }
    let meters = pools.map(\.meters)
    func both(_ value: (Pool.Load) -> Int) -> [(labels: Labels, value: Int)] {
      byEffect(loads.reduce(0) { $0 + value($1.reads) }, loads.reduce(0) { $0 + value($1.writes) })
    }
    func both(_ value: (PoolMeter) -> Counter) -> [(labels: Labels, value: Int)] {
      byEffect(meters.reduce(0) { $0 + value($1.reads).value }, meters.reduce(0) { $0 + value($1.writes).value })
    }
    func both(_ value: (PoolMeter) -> Histogram) -> [(labels: Labels, value: Histogram.Snapshot)] {
      byEffect(
        meters.map { value($0.reads).snapshot }.together, meters.map { value($0.writes).snapshot }.together)
    }
    counter("roost_statements_total", "SQL statements that were accepted.", both(\.accepted))
    gauge("roost_statements_under_way", "SQL statements that wait or are under way.", both(\.underWay))
    gauge("roost_statements_waiting", "SQL statements that wait for a connection.", both(\.waiting))
    histogram(
      "roost_pipeline_depth", "Statements under way on a connection when one more, counted too, joins.", both(\.depths))
    histogram(
      "roost_pool_wait_seconds", "How long statements waited for a connection, those that had to.", both(\.waits))
    gauge("roost_database_connections", "Connections to PostgreSQL that are open.", both(\.connections))
    counter("roost_database_connections_lost_total", "Connections to PostgreSQL that broke.", both(\.lost))
  }

  /// What statements take, and how they fail.
  mutating func write(statements meters: [StatementMeter]) {
    histogram(
      "roost_statement_seconds", "From a statement's submission to its answer.",
      byEffect(meters.map(\.reads.snapshot).together, meters.map(\.writes.snapshot).together))
    func all(_ label: String, _ count: (StatementMeter) -> Counter) -> (labels: Labels, value: Int) {
      (["reason": label], meters.reduce(0) { $0 + count($1).value })
    }
    counter(
      "roost_statements_failed_total", "SQL statements without an answer, by reason.",
      [all("unavailable", \.unavailable), all("overloaded", \.overloaded), all("refused", \.refused)])
  }

  /// The threads for work that blocks or computes long.
  mutating func write(crews: [(name: String, crew: Crew)]) {
    let loads = crews.map { ($0.name, $0.crew.load) }
    func samples(_ value: (Crew.Load) -> Int) -> [(labels: Labels, value: Int)] {
      loads.map { (["crew": $0.0], value($0.1)) }
    }
    counter("roost_crew_done_total", "Passwords hashed, pictures made.", samples(\.done))
    counter("roost_crew_refused_total", "Those that were refused since the queue was full.", samples(\.refused))
    gauge("roost_crew_running", "Those in the hands of a thread.", samples(\.running))
    gauge("roost_crew_queued", "Those that wait for a thread.", samples(\.queued))
    gauge("roost_crew_queue_max", "How many may wait.", crews.map { (["crew": $0.name], $0.crew.queueMax) })
    gauge("roost_crew_threads", "Threads there are.", crews.map { (["crew": $0.name], $0.crew.threadCount) })
    histogram(
      "roost_crew_wait_seconds", "How long they waited for a thread.",
      crews.map { (["crew": $0.name], $0.crew.times.waits.snapshot) })
    histogram(
      "roost_crew_work_seconds", "How long a thread took for them.",
      crews.map { (["crew": $0.name], $0.crew.times.works.snapshot) })
  }

  /// What became of letters.
  mutating func write(letters meters: [LetterMeter]) {
    func all(_ label: String, _ count: (LetterMeter) -> Counter) -> (labels: Labels, value: Int) {
      (["outcome": label], meters.reduce(0) { $0 + count($1).value })
    }
    counter(
      "roost_letters_total", "Attempts to send a letter, by outcome.",
      [all("sent", \.sent), all("put_off", \.putOff), all("given_up", \.givenUp)])
  }

  /// The process, under the names that Prometheus has for every process.
  mutating func write(_ process: ProcessFigures) {
    counter(
      "process_cpu_seconds_total", "Time of processors, user and system.",
      times: [([:], process.cpuMicroseconds)])
    gauge("process_open_fds", "File descriptors that are open.", process.openDescriptors)
    gauge("process_max_fds", "File descriptors that may be open.", process.descriptorsMax)
    if let bytes = process.residentBytes { gauge("process_resident_memory_bytes", "Memory that is resident.", bytes) }
    if let bytes = process.virtualBytes { gauge("process_virtual_memory_bytes", "Memory that is mapped.", bytes) }
    if let started = process.startedMicroseconds {
      gauge("process_start_time_seconds", "When it began, since 1970.", microseconds: started)
    }
  }

  private func byEffect<Value>(_ reads: Value, _ writes: Value) -> [(labels: Labels, value: Value)] {
    [(["effect": "read"], reads), (["effect": "write"], writes)]
  }
}
