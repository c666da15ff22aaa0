import EventLoop
import HTTP
import Log
import Metrics
import Postgres
import Routes
import Services
import Store

/// `/metrics` for Prometheus, at an address of its own, which clients are not to reach.
struct MetricsPage: Responder {
  let workers: [Worker]
  let hashing: Crew
  let pictures: Crew

  func bodyBytesMax(for request: Request) -> Int { 0 }

  func refuse(_ refusal: Refusal, of request: Request?) -> Response { Response(status: 400) }

  func respond(to request: Request) async -> Response {
    guard request.path == "/metrics" else { return Response(status: 404) }
    guard [.get, .head].contains(request.method) else {
      return Response(status: 405, headers: [("Allow", "GET, HEAD")])
    }
    let text = await page().text
    return Response(
      status: 200, contentType: Exposition.contentType, headers: [("Cache-Control", "no-store")], body: Array(text.utf8)
    )
  }

  private func page() async -> Exposition {
    var page = Exposition()
    RequestMeter.write(workers.map(\.meter), to: &page)
    let lags = workers.map(\.lag.delays.snapshot)
    page.histogram(
      "roost_loop_lag_seconds", "How late loops come to what is due.",
      [(labels: [], value: lags.dropFirst().reduce(lags[0], +))])
    await writePools(to: &page)
    writeCrews(to: &page)
    var streams = 0
    for worker in workers { streams += await worker.live.count }
    page.gauge("roost_live_streams", "Live feeds that are open.", [([:], streams)])
    if let statistics = await workers[0].observation.statistics() {
      page.gauge("roost_letters_waiting", "Letters that wait to be sent.", [([:], statistics.lettersWaiting)])
      page.gauge("roost_accounts", "Accounts, as PostgreSQL estimates them.", [([:], statistics.accounts)])
      page.gauge("roost_sessions", "Sessions, as PostgreSQL estimates them.", [([:], statistics.sessions)])
    }
    return page
  }

  private func writePools(to page: inout Exposition) async {
    var accepted = (reads: 0, writes: 0)
    var underWay = (reads: 0, writes: 0)
    var waiting = (reads: 0, writes: 0)
    var connections = (reads: 0, writes: 0)
    for worker in workers {
      let load = await worker.pool.load
      accepted = (accepted.reads + load.reads.accepted, accepted.writes + load.writes.accepted)
      underWay = (underWay.reads + load.reads.underWay, underWay.writes + load.writes.underWay)
      waiting = (waiting.reads + load.reads.waiting, waiting.writes + load.writes.waiting)
      connections = (connections.reads + load.reads.connections, connections.writes + load.writes.connections)
    }
    func both(_ values: (reads: Int, writes: Int)) -> [(labels: Exposition.Labels, value: Int)] {
      [(["effect": "read"], values.reads), (["effect": "write"], values.writes)]
    }
    page.counter("roost_statements_total", "SQL statements.", both(accepted))
    page.gauge("roost_statements_under_way", "SQL statements that wait or are under way.", both(underWay))
    page.gauge("roost_statements_waiting", "SQL statements that wait for a connection.", both(waiting))
    page.gauge("roost_database_connections", "Connections to PostgreSQL that are open.", both(connections))
  }

  private func writeCrews(to page: inout Exposition) {
    let loads = [("hash", hashing.load), ("picture", pictures.load)]
    func samples(_ value: (Crew.Load) -> Int) -> [(labels: Exposition.Labels, value: Int)] {
      loads.map { (["crew": $0.0], value($0.1)) }
    }
    page.counter("roost_crew_done_total", "Passwords hashed, pictures made.", samples(\.done))
    page.gauge("roost_crew_running", "Those in the hands of a thread.", samples(\.running))
    page.gauge("roost_crew_queued", "Those that wait for a thread.", samples(\.queued))
  }
}
