public import Store
public import Values

/// Posting, showing and deleting tweets.
public struct Tweets: Sendable {
  private let database: Database
  private let ids: IDSource
  private let limits: Limits

  public init(database: Database, ids: IDSource, limits: Limits) {
    self.database = database
    self.ids = ids
    self.limits = limits
  }

  /// Posts a tweet; with a key that was used for the same text, answers the tweet of then.
  ///
  /// Failures: `invalidFields`, `signedOut`, `tooManyRequests`, `idempotencyKeyReused`.
  public func write(text: String?, key: String?, as client: Client) async throws(Failure) -> TweetRow {
    let token = try client.presentedToken()
    var form = Form()
    let readText = form.required("text", text) { (text) throws(Fault) in try TweetText(text) }
    let readKey = form.optional("Idempotency-Key", key) { (text) throws(Fault) in try IdempotencyKey(text) }
    let (content) = try form.complete(readText)

    let statement = WriteTweet(
      token: token, id: ids.next(), text: content, key: readKey, allowance: limits.tweetsPerAccount)
    for _ in 0..<Self.attemptsMax {
      switch try await database.run(for: statement) {
      case .posted(let tweet): return tweet
      case .spent(let limit): throw .tooManyRequests(limit)
      case .keyReused: throw .idempotencyKeyReused
      case .keyInUse(let window): try await database.run(for: ForgiveTweet(token: token, window: window))
      }
    }
    throw .overloaded
  }

  private static let attemptsMax = 5

  /// One tweet. Failures: `signedOut`, `notFound`.
  public func read(_ id: TweetID, as client: Client) async throws(Failure) -> TweetRow {
    let tweet = try await database.run(for: ReadTweet(token: try client.presentedToken(), id: id))
    guard let tweet else { throw .notFound }
    return tweet
  }

  /// Deletes a tweet of one's own. Failures: `signedOut`, `notFound`.
  public func delete(_ id: TweetID, as client: Client) async throws(Failure) {
    let isDeleted = try await database.run(for: DeleteTweet(token: try client.presentedToken(), id: id))
    guard isDeleted else { throw .notFound }
  }
}
