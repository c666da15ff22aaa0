/// The answer of `Endpoint.usernameAvailability`: what registering under that name would say at this moment.
public struct UsernameAvailability: Codable, Sendable, Hashable {
  /// Why a name cannot be registered.
  public enum Reason: String, Codable, Sendable, CaseIterable {
    case taken, reserved, malformed
  }

  /// The name that was asked about, folded.
  public let username: String
  public let available: Bool
  /// Nil when the name is available.
  public let reason: Reason?
}
