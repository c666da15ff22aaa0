import HTTP

/// What every answer tells browsers: that its type is what it says, and, where the service is reached by https, that they
/// come by https alone from now on (RFC 6797). Other hosts below the name are not for Roost to decide about.
struct StandingHeaders: Sendable {
  private let all: [(name: String, value: String)]

  init(_ url: PublicURL) {
    let isBelieved = (name: "X-Content-Type-Options", value: "nosniff")
    let byHTTPS = (name: "Strict-Transport-Security", value: "max-age=\(Self.maxAgeSeconds)")
    all = url.isSecure ? [isBelieved, byHTTPS] : [isBelieved]
  }

  /// How long browsers remember to come by https: a year.
  static let maxAgeSeconds = 365 * 24 * 60 * 60

  func add(to response: inout Response) { response.headers += all }
}
