import EventLoop
import HTTP
import Metrics
import Routes
import Services
import Store

/// `/metrics` for Prometheus, at an address of its own, which clients are not to reach.
struct MetricsPage: Responder {
  let workers: [Worker]
  let hashing: Crew
  let pictures: Crew
  let connectionsMax: Int

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
    // First, so that what it meets is on the page.
    let statistics = await workers[0].observation.statistics()
    var page = Exposition()
    RequestMeter.write(workers.map(\.meter), to: &page)
    await writeConnections(to: &page)
    page.histogram(
      "roost_loop_lag_seconds", "How late loops come to what is due.",
      [([:], workers.map(\.lag.delays.snapshot).together)])
    await page.write(pools: workers.map(\.pool))
    page.write(statements: workers.map(\.statements))
    page.write(crews: [("hash", hashing), ("picture", pictures)])
    page.write(letters: workers.map(\.courier.meter))
    write(statistics, to: &page)
    page.write(ProcessFigures())
    page.gauge(
      "roost_build_info", "What runs; always 1.",
      [(["version": Version.text, "swift": Version.swift, "schema": "\(Database.migrations.count)"], 1)])
    return page
  }

  private func writeConnections(to page: inout Exposition) async {
    var (connections, streams) = (0, 0)
    for worker in workers {
      connections += await worker.server.connections
      streams += await worker.live.count
    }
    page.gauge("roost_http_connections", "Connections of clients that are open.", connections)
    page.gauge("roost_http_connections_max", "Connections that may be open.", connectionsMax)
    page.gauge("roost_live_streams", "Live feeds that are open.", streams)
  }

  private func write(_ statistics: ReadStatistics.Statistics?, to page: inout Exposition) {
    page.gauge("roost_database_up", "Whether the database answered just now.", statistics == nil ? 0 : 1)
    guard let statistics else { return }
    page.gauge("roost_letters_waiting", "Letters that wait to be sent.", statistics.lettersWaiting)
    page.gauge(
      "roost_letters_oldest_seconds", "For how long the oldest of them has waited.",
      microseconds: statistics.oldestLetterMicroseconds)
    page.gauge("roost_accounts", "Accounts, as PostgreSQL estimates them.", statistics.accounts)
    page.gauge("roost_sessions", "Sessions, as PostgreSQL estimates them.", statistics.sessions)
  }
}
