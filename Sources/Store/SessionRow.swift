import Postgres
public import Secrets
public import Values

/// A session that has just been opened.
public struct SessionRow: Sendable, Equatable {
  public let id: SessionID
  public let createdAtMicroseconds: Int64
  public let expiresAtMicroseconds: Int64

  init(_ row: inout Row) {
    id = row.id()
    createdAtMicroseconds = row.time()
    expiresAtMicroseconds = row.time()
  }
}

/// A session that is about to be opened, and the one it replaces.
public struct NewSession: Sendable {
  public let id: SessionID
  public let token: TokenDigest
  public let address: ClientAddress
  public let device: DeviceName?
  public let lifetime: SessionLifetime
  /// The token that came with the request: its session ends with the log-in.
  public let replaced: TokenDigest?

  public init(
    id: SessionID, token: TokenDigest, address: ClientAddress, device: DeviceName?, lifetime: SessionLifetime,
    replaced: TokenDigest?
  ) {
    self.id = id
    self.token = token
    self.address = address
    self.device = device
    self.lifetime = lifetime
    self.replaced = replaced
  }
}

/// How long sessions live.
public struct SessionLifetime: Sendable, Equatable {
  /// Without being used.
  public let idleSeconds: Int
  /// Whatever happens.
  public let maxSeconds: Int

  public init(idleSeconds: Int, maxSeconds: Int) {
    self.idleSeconds = idleSeconds
    self.maxSeconds = maxSeconds
  }
}

extension Parameters {
  /// Seven parameters: id, digest, address, device, idle seconds, seconds at most, digest of the replaced token.
  mutating func append(_ session: NewSession) {
    append(session.id)
    append(session.token)
    append(session.address.description)
    append(session.device?.text)
    append(Double(session.lifetime.idleSeconds))
    append(Double(session.lifetime.maxSeconds))
    append(session.replaced)
  }
}
