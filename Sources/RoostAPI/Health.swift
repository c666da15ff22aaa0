/// The good answer of `Endpoint.health` and `Endpoint.ready`.
public struct Health: Codable, Sendable, Hashable {
  public enum Status: String, Codable, Sendable {
    case ok
  }

  public let status: Status
}
