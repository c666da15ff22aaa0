public import Secrets
import Store
public import Values

/// Who sends a request, as far as a service needs to know.
public struct Client: Sendable {
  /// The address that limits are counted under, proxies taken into account.
  public let address: ClientAddress
  /// What the client calls itself, as it was sent.
  public let userAgent: String?
  /// The digest of the token that came along, whether its session is good or not.
  public let token: TokenDigest?
  /// The language it would rather read.
  public let language: Language

  public init(address: ClientAddress, userAgent: String?, token: TokenDigest?, language: Language) {
    self.address = address
    self.userAgent = userAgent
    self.token = token
    self.language = language
  }

  /// The name that a new session keeps of the device.
  var device: DeviceName? { userAgent.flatMap { DeviceName($0) } }

  /// What notes in the audit that this client has done something.
  func stamp(_ ids: IDSource) -> AuditStamp { AuditStamp(id: ids.next(), address: address) }

  /// The token, or ``Failure/signedOut`` when none came.
  func presentedToken() throws(Failure) -> TokenDigest {
    guard let token else { throw .signedOut }
    return token
  }
}
