import Metrics
import Testing

@Suite struct RequestCostTests {
  @Test func `what a task does for a request is counted there, and nothing else`() async {
    let (route, times) = (RouteCost(), RequestTimes())
    #expect(RequestCost.current == nil)
    await RequestCost.$current.withValue(RequestCost(route: route, times: times)) {
      await Task.yield()
      RequestCost.current?.noteStatement(2_000)
      RequestCost.current?.noteStatement(500)
      RequestCost.$current.withValue(nil) { RequestCost.current?.noteStatement(1_000_000) }
    }
    RequestCost.current?.noteStatement(1_000_000)
    #expect(route.statements.value == 2 && route.statementMicroseconds.value == 2_500)
    #expect(times[.database] == (2, 2_500) && times[.hash] == (0, 0))
  }

  @Test func `a request whose times nobody wants to hear counts for its route alone`() {
    let route = RouteCost()
    RequestCost(route: route, times: nil).noteStatement(1_000)
    #expect(route.statements.value == 1)
  }
}
