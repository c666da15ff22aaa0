public import Secrets
public import Values

/// Who sends a request, as far as a service needs to know.
public struct Client: Sendable {
  /// The address that limits are counted under, proxies taken into account.
  public let address: ClientAddress
  /// What the device calls itself.
  public let device: DeviceName?
  /// The digest of the token that came along, whether its session is good or not.
  public let token: TokenDigest?

  public init(address: ClientAddress, device: DeviceName?, token: TokenDigest?) {
    self.address = address
    self.device = device
    self.token = token
  }

  /// The token, or ``Failure/signedOut`` when none came.
  func presentedToken() throws(Failure) -> TokenDigest {
    guard let token else { throw .signedOut }
    return token
  }
}
