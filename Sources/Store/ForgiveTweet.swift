public import Postgres
public import Secrets

/// Gives back what ``WriteTweet`` counted for a tweet that another request with the same key was posting already.
public struct ForgiveTweet: ViewerStatement, WriteStatement {
  public let token: TokenDigest
  public let window: CountWindow

  public init(token: TokenDigest, window: CountWindow) {
    self.token = token
    self.window = window
  }

  /// `$2` the window.
  public static let sql = """
    with \(Viewer.expression),
    forgiven as (
      update throttle set used = used - 1 from viewer
      where throttle.rule = 'tweets_account' and throttle.subject = viewer.id::text and throttle.used > 0
        and throttle.resets_at = $2::timestamptz
    )
    select \(Viewer.column) from viewer
    """

  public func bindRest(to parameters: inout Parameters) { parameters.append(window) }

  public func found(in rows: Rows) {}
}
