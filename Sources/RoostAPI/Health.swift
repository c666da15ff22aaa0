/// The good answer of `Endpoint.health` and `Endpoint.ready`.
public struct Health: Codable, Sendable, Hashable {
  /// There is no other: what is not well is answered with a problem.
  public enum Status: String, Codable, Sendable {
    case ok
  }

  public let status: Status
}
