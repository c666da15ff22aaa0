/// The answer of `Endpoint.register` and `Endpoint.login`.
public struct SignedIn: Codable, Sendable, Hashable {
  public let user: Account
  public let session: Session
}
