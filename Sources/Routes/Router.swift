public import HTTP
public import Log
import Metrics
import RoostAPI
import Secrets
import Services
import Store
import Values

/// Answers every request: finds its route, finds out who asks, and turns what failed into a problem.
public struct Router: Responder {
  private let app: App
  private let table: RouteTable
  private let web = WebClient()
  private let crossOrigin: CrossOrigin
  private let standing: StandingHeaders
  private let log: Log
  /// What has been answered so far.
  public let meter: RequestMeter
  /// Where the meter counts what is no route: pages of the web client, paths that do not exist, and requests that the
  /// server refuses.
  private let elsewhere: (page: Int, nothing: Int, refused: Int)

  /// The longest body of a request, in bytes, unless it is a picture.
  public static let bodyBytesMax = 64 * 1_024
  /// The longest file that a profile photo may be made of, in bytes.
  public static let pictureBytesMax = 10 * 1_024 * 1_024

  /// A router of all calls there are. It writes one line of the log for each request.
  public init(_ app: App, log: Log) {
    self.app = app
    self.log = log
    crossOrigin = CrossOrigin(origins: app.corsOrigins)
    standing = StandingHeaders(app.publicURL)
    table = RouteTable(
      accountRoutes(app) + profileRoutes(app) + ownershipRoutes(app) + avatarRoutes(app) + sessionRoutes(app)
        + mailRoutes(app)
        + tweetRoutes(app) + feedRoutes(app)
        + operationRoutes(app))
    meter = RequestMeter(table.all.map(\.endpoint.name) + ["page", "nothing", "refused"])
    let count = table.all.count
    elsewhere = (count, count + 1, count + 2)
  }

  /// The endpoints that are served, for the tests that compare them with the API's description.
  var endpoints: [Endpoint] { table.all.map(\.endpoint) }

  /// Only who presents a token, good or not, may send a large body.
  public func bodyBytesMax(for request: Request) -> Int {
    guard request.method == .put, request.path == Endpoint.replaceAvatar.path else { return Self.bodyBytesMax }
    return Origin(request, app).client.token == nil ? Self.bodyBytesMax : Self.pictureBytesMax
  }

  public func respond(to request: Request) async -> Response {
    let start = Moment.now
    let requestID = RequestID.of(request)
    let origin = Origin(request, app)
    var response: Response
    var cost = Cost(place: elsewhere.nothing)
    do throws(Refused) {
      response = try await answer(request, origin, &cost)
    } catch {
      switch error {
      case .failure(.internalError(let reason)):
        meter.internalErrors.add()
        log.error("internal_error", ["requestId": .text(requestID), "reason": .text(reason)])
      case .failure(.tooManyRequests(let limit)): meter.note(spent: limit.rule)
      default: break
      }
      response = error.problem(isTokenPresented: origin.isTokenPresented).response(requestID: requestID)
    }
    response.headers += crossOrigin.headers(for: request) + [("X-Request-ID", requestID)]
    standing.add(to: &response)
    let microseconds = start.microsecondsSince
    if let times = cost.times {
      response.headers.append((ServerTiming.name, ServerTiming.value(times, total: microseconds)))
    }
    meter.note(cost.place, status: response.status, microseconds: microseconds)
    log.info(
      "request",
      [
        "method": .text(request.method.rawValue), "path": .text(request.path), "status": .number(response.status),
        "ms": .decimal(Double(microseconds) / 1_000), "ip": .text(origin.client.address.description),
        "requestId": .text(requestID),
        "trace": TraceID.of(request).map { .text($0) } ?? .absent,
      ])
    return response
  }

  public func refuse(_ refusal: Refusal, of request: Request?) -> Response {
    let requestID = request.map(RequestID.of) ?? RequestID.made()
    var response = Refused(refusal).problem(isTokenPresented: false).response(requestID: requestID)
    response.headers.append(("X-Request-ID", requestID))
    standing.add(to: &response)
    meter.note(elsewhere.refused, status: response.status)
    log.info(
      "request_refused",
      ["status": .number(response.status), "ip": .text(request?.peer ?? ""), "requestId": .text(requestID)])
    return response
  }

  /// Where the meter counts a request, and what it takes if it is to be told.
  private struct Cost {
    var place: Int
    var times: RequestTimes?
  }

  /// `cost` becomes that of the route.
  private func answer(_ request: Request, _ origin: Origin, _ cost: inout Cost) async throws(Refused) -> Response {
    switch table.match(request.method, request.path) {
    case .nothing:
      guard let response = try web.answer(to: request) else { throw .noSuchPath }
      cost.place = elsewhere.page
      return response
    case .undecodable: throw .malformedRequest("The path is not percent-encoded UTF-8.")
    case .otherMethods(let allow):
      if let response = crossOrigin.preflight(request, allow: allow) { return response }
      throw .methodNotAllowed(allow: allow)
    case .route(let route, let segments):
      cost.place = route.place
      if let conflict = origin.conflict { throw .conflictingHeaders(conflict) }
      if origin.isCrossSite(request) { throw .crossSite }
      let call = Call(request: request, client: origin.client, segments: segments)
      if app.tellsTimes, ServerTiming.isTold(of: route.endpoint) { cost.times = RequestTimes() }
      // `withValue` forgets which errors are thrown.
      let cost = RequestCost(route: meter.costs[route.place], times: cost.times)
      return try await RequestCost.$current.withValue(cost) { await route.result(of: call) }.get()
    }
  }
}
