import HTTP
import Log
import Store
import Values

/// How `roost accounts` shows what it finds: for people, or as one JSON document on each line.
struct AccountPrinter: Sendable {
  let console: Console
  let isJSON: Bool

  private static let nameWidth = 30
  private static let timeWidth = 24

  /// The heading of a list.
  func begin() {
    guard !isJSON else { return }
    let name = Help.padded("USERNAME", Self.nameWidth)
    console.say("\(name)  \(Help.padded("SIGNED UP", Self.timeWidth))  SESSIONS  STATE     EMAIL")
  }

  /// One account on one line.
  func line(_ found: OperatedAccount) {
    guard !isJSON else { return console.say(json(found)) }
    let account = found.account
    console.say(
      [
        Help.padded(account.username, Self.nameWidth), time(account), Help.padded("\(found.sessions)", 8),
        Help.padded(found.isDisabled ? "disabled" : "enabled", 8), account.email,
      ].joined(separator: "  "))
  }

  /// All of one account.
  func all(_ found: OperatedAccount) {
    guard !isJSON else { return console.say(json(found)) }
    let account = found.account
    let fields: [(String, String)] = [
      ("id", account.id.description), ("username", account.username),
      ("email", account.email + (account.isEmailVerified ? " (verified)" : " (not verified)")),
      ("full name", account.fullName ?? ""), ("bio", account.bio.map(oneLine) ?? ""), ("signed up", time(account)),
      ("sessions", "\(found.sessions)"), ("state", found.isDisabled ? "disabled" : "enabled"),
      ("tweets", "\(account.tweets)"), ("followers", "\(account.followers)"), ("following", "\(account.following)"),
    ]
    for (name, value) in fields { console.say("\(Help.padded(name, 10)) \(value)") }
  }

  func say(_ text: String) { console.say(text) }

  private func json(_ found: OperatedAccount) -> String {
    var json = JSONWriter()
    let account = found.account
    json.object { json in
      json.plain("id", account.id.append)
      json.field("username", account.username)
      json.field("email", account.email)
      json.field("emailVerified", account.isEmailVerified)
      json.field("fullName", account.fullName)
      json.field("bio", account.bio)
      json.time("createdAt", microsecondsSinceEpoch: account.createdAtMicroseconds)
      json.field("followers", account.followers)
      json.field("following", account.following)
      json.field("tweets", account.tweets)
      json.field("disabled", found.isDisabled)
      json.field("sessions", found.sessions)
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private func time(_ account: AccountRow) -> String {
    var text: [UInt8] = []
    RFC3339.append(microsecondsSinceEpoch: account.createdAtMicroseconds, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  private func oneLine(_ text: String) -> String { text.split(separator: "\n").joined(separator: " / ") }
}
