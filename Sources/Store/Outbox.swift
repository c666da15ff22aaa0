public import Secrets
public import Values

/// A link that is about to be mailed, and the letter it goes out in.
public struct MailedLink: Sendable {
  public let letter: LetterID
  public let token: LinkToken

  public init(letter: LetterID, token: LinkToken = LinkToken()) {
    self.letter = letter
    self.token = token
  }
}

/// The shared part of statements that write a letter: it is in the outbox if, and only if, what it tells has happened.
enum Outbox {
  /// A common table expression `name`: one letter for the row of `source`, which is a relation named `account` with the
  /// columns of that table.
  ///
  /// `id` is the parameter of the letter's id, `secret` that of its link's token; `recipient` is SQL.
  static func write(
    _ kind: LetterKind, as name: String = "written", id: String, to recipient: String = "account.email",
    secret: String = "null", from source: String
  ) -> String {
    """
    \(name) as (
      insert into outbox (id, account_id, recipient, kind, language, username, secret)
      select \(id)::uuid, account.id, \(recipient), '\(kind.rawValue)', account.language, account.username, \(secret)::text
      from \(source)
      returning id
    )
    """
  }
}

/// The shared part of statements that make a single-use link.
enum Links {
  /// What a link is good for; the raw values stand in the database.
  enum Purpose: String {
    case passwordReset = "password_reset"
    case emailVerification = "email_verification"
    case emailChange = "email_change"

    /// How long it is good, as SQL.
    var life: String {
      switch self {
      case .passwordReset: "interval '1 hour'"
      case .emailVerification, .emailChange: "interval '1 day'"
      }
    }
  }

  /// Whether a link of the relation `link` dies with the account's epoch, as SQL. One that verifies an address gives its
  /// holder nothing: it says that the owner reads mail there, whatever the password is.
  static let areBoundToEpoch = "link.purpose <> 'email_verification'"

  /// A common table expression `linked`: a link for the row of `source`, a relation named `account` with the columns of
  /// that table. It voids an older link of the same purpose.
  static func make(
    _ purpose: Purpose, digest: String, email: String = "account.email", from source: String
  ) -> String {
    """
    linked as (
      insert into link (token_digest, account_id, purpose, email, epoch, expires_at)
      select \(digest)::bytea, account.id, '\(purpose.rawValue)', \(email), account.session_epoch, now() + \(purpose.life)
      from \(source)
      on conflict on constraint link_one_for_each_purpose do update
      set token_digest = excluded.token_digest, email = excluded.email, epoch = excluded.epoch,
          created_at = excluded.created_at, expires_at = excluded.expires_at
      returning account_id
    )
    """
  }
}
