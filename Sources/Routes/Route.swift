import HTTP
import RoostAPI
import Services

/// What is done for one endpoint.
struct Route: Sendable {
  let endpoint: Endpoint
  /// Its place among all routes.
  fileprivate(set) var place = 0
  let answer: @Sendable (Call) async throws(Refused) -> Response

  init(_ endpoint: Endpoint, _ answer: @escaping @Sendable (Call) async throws -> Response) {
    self.endpoint = endpoint
    self.answer = { call throws(Refused) in
      do {
        return try await answer(call)
      } catch let refused as Refused {
        throw refused
      } catch let failure as Failure {
        throw .failure(failure)
      } catch {
        throw .failure(.internalError("\(type(of: error))"))
      }
    }
  }

  /// What it answers, or why it does not.
  func result(of call: Call) async -> Result<Response, Refused> {
    do throws(Refused) { return .success(try await answer(call)) } catch { return .failure(error) }
  }
}

/// Finds the route of a request by method and path.
struct RouteTable: Sendable {
  /// What a path leads to.
  enum Match {
    case route(Route, segments: [String])
    /// The path exists, with these methods only.
    case otherMethods(allow: String)
    /// It would be one of the paths, were it percent-encoded UTF-8.
    case undecodable
    case nothing
  }

  /// Routes whose path has no variable part, by path.
  private var fixed: [String: [Route]] = [:]
  /// The others, by the number of their segments.
  private var variable: [Int: [(template: [Substring], route: Route)]] = [:]
  let all: [Route]

  init(_ routes: [Route]) {
    all = routes
    for (place, route) in routes.enumerated() {
      var route = route
      route.place = place
      let path = route.endpoint.path
      if path.contains("{") {
        let template = Self.split(path)
        variable[template.count, default: []].append((template, route))
      } else {
        fixed[path, default: []].append(route)
      }
    }
  }

  func match(_ method: Method, _ path: String) -> Match {
    if let routes = fixed[path] { return choose(routes.map { ($0, []) }, method) }
    let parts = Self.split(path)
    let fitting = (variable[parts.count] ?? []).filter { Self.fits(parts, $0.template) }
    let candidates = fitting.compactMap { candidate in
      Self.segments(of: parts, in: candidate.template).map { (candidate.route, $0) }
    }
    return candidates.isEmpty && !fitting.isEmpty ? .undecodable : choose(candidates, method)
  }

  /// HEAD is answered as GET, and loses its body on the way out (RFC 9110 §9.3.2).
  private func choose(_ candidates: [(route: Route, segments: [String])], _ method: Method) -> Match {
    guard !candidates.isEmpty else { return .nothing }
    let wanted = method == .head ? Method.get : method
    for (route, segments) in candidates where route.endpoint.method.rawValue == wanted.rawValue {
      return .route(route, segments: segments)
    }
    var methods = candidates.map(\.route.endpoint.method.rawValue)
    if methods.contains("GET") { methods.append("HEAD") }
    return .otherMethods(allow: methods.sorted().joined(separator: ", "))
  }

  private static func split(_ path: String) -> [Substring] {
    path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
  }

  private static func fits(_ parts: [Substring], _ template: [Substring]) -> Bool {
    zip(parts, template).allSatisfy { part, pattern in
      guard let suffix = suffix(of: pattern) else { return part == pattern }
      return part.count > suffix.count && part.hasSuffix(suffix)
    }
  }

  /// What follows the variable in a segment like `{sha256}.jpg`, mostly nothing; nil when it holds none.
  private static func suffix(of pattern: Substring) -> Substring? {
    guard pattern.hasPrefix("{"), let end = pattern.firstIndex(of: "}") else { return nil }
    return pattern[pattern.index(after: end)...]
  }

  /// The decoded variable segments of `parts`, which fit the template; nil when one cannot be decoded.
  private static func segments(of parts: [Substring], in template: [Substring]) -> [String]? {
    var segments: [String] = []
    for (part, pattern) in zip(parts, template) {
      guard let suffix = suffix(of: pattern) else { continue }
      guard let segment = PercentDecoding.decode(part.dropLast(suffix.count)) else { return nil }
      segments.append(segment)
    }
    return segments
  }
}
