public import Store
public import Values

/// What is to become of one field of a profile.
public enum Edit: Sendable, Equatable {
  case stays
  /// Nil: it is cleared.
  case becomes(String?)
}

/// What people show of themselves, and who follows whom.
public struct Profiles: Sendable {
  private let database: Database
  private let ids: IDSource

  public init(database: Database, ids: IDSource) {
    self.database = database
    self.ids = ids
  }

  /// Changes what is given of one's own profile, and answers the account as it is then. The old username is free at once.
  ///
  /// Failures: `signedOut`, `invalidFields`, `taken`.
  public func change(
    username: Edit, fullName: Edit, bio: Edit, as client: Client
  ) async throws(Failure) -> AccountRow {
    let token = try client.presentedToken()
    var form = Form()
    var newName: Username?
    if case .becomes(let text) = username {
      newName = form.required("username", text) { (text) throws(Fault) in try Username(text) }
    }
    let statement = ChangeProfile(
      token: token, username: newName,
      fullName: form.change("fullName", fullName) { (text) throws(Fault) in try FullName(text) },
      bio: form.change("bio", bio) { (text) throws(Fault) in try Bio(text) }, stamp: client.stamp(ids))
    try form.complete()
    switch try await database.run(for: statement) {
    case .changed(let account): return account
    case .taken: throw .taken(Taken(username: true))
    }
  }

  /// Somebody's profile. Failures: `signedOut`, `notFound`.
  public func read(_ username: String, as client: Client) async throws(Failure) -> ProfileRow {
    try await found(ReadProfile(token: try client.presentedToken(), username: Self.named(username)))
  }

  /// What somebody has posted, newest first. Failures: `signedOut`, `notFound`.
  public func tweets(
    of username: String, _ page: Page<TweetRow>, as client: Client
  ) async throws(Failure) -> Listed<TweetRow> {
    try await found(ListProfileTweets(token: try client.presentedToken(), username: Self.named(username), page: page))
  }

  /// Who follows somebody, the latest first. Failures: `signedOut`, `notFound`.
  public func followers(
    of username: String, _ page: Page<FollowRow>, as client: Client
  ) async throws(Failure) -> Listed<FollowRow> {
    try await found(ListFollowers(token: try client.presentedToken(), username: Self.named(username), page: page))
  }

  /// Whom somebody follows, the latest first. Failures: `signedOut`, `notFound`.
  public func following(
    of username: String, _ page: Page<FollowRow>, as client: Client
  ) async throws(Failure) -> Listed<FollowRow> {
    try await found(ListFollowing(token: try client.presentedToken(), username: Self.named(username), page: page))
  }

  /// Nil for what can be nobody's name. The statement is run all the same: whether somebody is signed in comes first.
  private static func named(_ username: String) -> Username? { try? Username(existing: username) }

  private func found<S: ViewerStatement, Found>(_ statement: S) async throws(Failure) -> Found where S.Found == Found? {
    guard let found = try await database.run(for: statement) else { throw .notFound }
    return found
  }
}
