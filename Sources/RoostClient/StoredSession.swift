public import RoostAPI

/// What a store keeps: the session's token, and the account as the server showed it last, so that an app starts without
/// the network.
public struct StoredSession: Codable, Sendable, Hashable, Redacted {
  /// Whose session it is: the server's address. It is never sent to another one.
  public let server: String
  public let token: String
  /// Names the session in the list of sessions.
  public let sessionID: String
  public var user: Account

  public init(server: String, token: String, sessionID: String, user: Account) {
    self.server = server
    self.token = token
    self.sessionID = sessionID
    self.user = user
  }

  /// Shows neither the token nor the email address.
  public var customMirror: Mirror {
    Mirror(self, children: ["server": server, "sessionID": sessionID, "username": user.username, "token": "redacted"])
  }
}
