import Secrets
import Store

/// Everything that is held about an account, for its owner to take away.
public struct Exports: Sendable {
  private let database: Database
  private let limits: Limits

  public init(database: Database, limits: Limits) {
    self.database = database
    self.limits = limits
  }

  /// One piece after the other of a JSON document, whose lists are newest first. Each is read when it is asked for, so
  /// that a node holds no more than a piece of it, however much there is.
  public struct Document: Sendable {
    fileprivate let database: Database
    fileprivate let token: TokenDigest
    /// The object that the lists belong into.
    fileprivate let account: String

    private static let lists: [any ExportListStatement.Type] = [
      ExportSessions.self, ExportTweets.self, ExportLikes.self, ExportFollows.self, ExportEvents.self,
      ExportLetters.self,
    ]

    /// Hands over each piece in turn.
    ///
    /// Failures: `signedOut` when the session ends meanwhile, `databaseUnavailable`, and what `take` throws.
    public func write(to take: (String) async throws -> Void) async throws {
      try await take(String(account.dropLast()))
      for list in Self.lists { try await write(list, to: take) }
      try await take("}")
    }

    private func write<List: ExportListStatement>(
      _ list: List.Type, to take: (String) async throws -> Void
    ) async throws {
      var opening = #","\#(List.name)":["#
      var key: ExportKey?
      repeat {
        let part = try await database.run(for: List(token: token, before: key))
        try await take(opening + part.json)
        opening = ","
        key = part.last
      } while key != nil
      try await take("]")
    }
  }

  /// Begins an export, which counts. Failures: `signedOut`, `tooManyRequests`.
  public func begin(as client: Client) async throws(Failure) -> Document {
    let token = try client.presentedToken()
    let begun = try await database.run(for: BeginExport(token: token, allowance: limits.exportsPerAccount))
    try begun.value()
    let account = try await database.run(for: ExportAccount(token: token))
    return Document(database: database, token: token, account: account)
  }
}
