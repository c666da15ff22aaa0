import Store
public import Values

/// Liking tweets.
public struct Likes: Sendable {
  private let database: Database
  private let limits: Limits

  public init(database: Database, limits: Limits) {
    self.database = database
    self.limits = limits
  }

  /// Likes a tweet, once however often it is asked. Failures: `signedOut`, `notFound`, `tooManyRequests`.
  public func like(_ id: TweetID, as client: Client) async throws(Failure) {
    let statement = LikeTweet(token: try client.presentedToken(), id: id, allowance: limits.likesPerAccount)
    try await database.run(for: statement).check()
  }

  /// Takes a like back, if there is one. Failures: `signedOut`, `notFound`.
  public func unlike(_ id: TweetID, as client: Client) async throws(Failure) {
    let isThere = try await database.run(for: UnlikeTweet(token: try client.presentedToken(), id: id))
    guard isThere else { throw .notFound }
  }
}

extension RelationOutcome {
  func check() throws(Failure) {
    switch self {
    case .stands: return
    case .nothingThere: throw .notFound
    case .spent(let limit): throw .tooManyRequests(limit)
    }
  }
}
