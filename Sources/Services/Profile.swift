public import Store
public import Values

/// What is to become of one field of a profile.
public enum Edit: Sendable, Equatable {
  case stays
  /// Nil: it is cleared.
  case becomes(String?)
}

/// What people show of themselves.
public struct Profile: Sendable {
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
}
