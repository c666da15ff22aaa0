import Store
public import Values

/// Following accounts.
public struct Follows: Sendable {
  private let database: Database
  private let ids: IDSource
  private let limits: Limits

  public init(database: Database, ids: IDSource, limits: Limits) {
    self.database = database
    self.ids = ids
    self.limits = limits
  }

  /// Follows an account, once however often it is asked.
  ///
  /// Failures: `signedOut`, `notFound`, `cannotFollowSelf`, `tooManyRequests`.
  public func follow(_ username: String, as client: Client) async throws(Failure) {
    let statement = FollowAccount(
      token: try client.presentedToken(), username: try? Username(existing: username), id: ids.next(),
      allowance: limits.followsPerAccount)
    try await settle(statement)
  }

  /// Follows an account no more. Failures: `signedOut`, `notFound`, `cannotFollowSelf`.
  public func unfollow(_ username: String, as client: Client) async throws(Failure) {
    try await settle(
      UnfollowAccount(token: try client.presentedToken(), username: try? Username(existing: username)))
  }

  private func settle<S: ViewerStatement>(_ statement: S) async throws(Failure)
  where S.Found == FollowAccount.Outcome {
    switch try await database.run(for: statement) {
    case .oneself: throw .cannotFollowSelf
    case .relation(let outcome): try outcome.check()
    }
  }
}
