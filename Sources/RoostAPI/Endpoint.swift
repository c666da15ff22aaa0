/// One call of Roost's HTTP API. The server's routes, the OpenAPI document and the Swift client all go by these values,
/// and tests hold the three together.
public struct Endpoint: Sendable, Hashable {
  /// The methods that Roost's calls use. `HEAD` works wherever `GET` does and has no endpoints of its own.
  public enum Method: String, Sendable, Hashable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
  }

  /// The name of the call, which is its `operationId` in the OpenAPI document as well.
  public let name: String
  public let method: Method
  /// The path as a template: a segment in braces, like `{username}`, stands for one percent-encoded value.
  public let path: String
  /// Whether the call is answered 401 `signed_out` without a living session.
  public let needsSession: Bool
  /// The HTTP status of the one good answer.
  public let successStatus: Int

  private init(
    _ name: String, _ method: Method, _ path: String, needsSession: Bool = false, answers successStatus: Int = 200
  ) {
    self.name = name
    self.method = method
    self.path = path
    self.needsSession = needsSession
    self.successStatus = successStatus
  }
}

extension Endpoint {
  /// Makes an account and signs it in: `Registration` to `SignedIn`.
  public static let register = Endpoint("register", .post, "/v1/register", answers: 201)
  /// Signs in with an email address or a username: `Login` to `SignedIn`.
  public static let login = Endpoint("login", .post, "/v1/login", answers: 201)
  /// Ends the presented session, if there is one. No body either way.
  public static let signOut = Endpoint("signOut", .post, "/v1/signout", answers: 204)
  /// The signed-in `Account`.
  public static let me = Endpoint("me", .get, "/v1/me", needsSession: true)
  /// Changes one's own profile: `ProfileChange` to `Account`.
  public static let changeProfile = Endpoint("changeProfile", .patch, "/v1/me", needsSession: true)
  /// Makes a profile photo of a picture, which is the body: to `Account`.
  public static let replaceAvatar = Endpoint("replaceAvatar", .put, "/v1/me/avatar", needsSession: true)
  /// Takes one's own profile photo away. No body either way.
  public static let removeAvatar = Endpoint(
    "removeAvatar", .delete, "/v1/me/avatar", needsSession: true, answers: 204)
  /// A profile photo, a JPEG file that never changes; accounts and authors carry the address.
  public static let avatar = Endpoint("avatar", .get, "/v1/avatars/{sha256}.jpg")
  /// Deletes one's own account and all that belongs to it: `AccountDeletion`, and no answer's body.
  public static let deleteAccount = Endpoint("deleteAccount", .delete, "/v1/me", needsSession: true, answers: 204)
  /// Everything that is held about one's own account: `AccountExport`.
  public static let exportAccount = Endpoint("exportAccount", .get, "/v1/me/export", needsSession: true)
  /// Replaces the password and ends all other sessions: `PasswordChange`, and no answer's body.
  public static let changePassword = Endpoint(
    "changePassword", .put, "/v1/me/password", needsSession: true, answers: 204)
  /// Mails a link to a new address for the account, `EmailChange`, and a notice to the old one. No body comes back.
  public static let changeEmail = Endpoint("changeEmail", .put, "/v1/me/email", needsSession: true, answers: 202)
  /// Mails a link to choose a new password: `LetterRequest`. No body comes back, and nothing that tells who is known.
  public static let requestPasswordReset = Endpoint("requestPasswordReset", .post, "/v1/password-reset", answers: 202)
  /// Sets a new password by a mailed link, and ends every session: `PasswordReset`. No body comes back.
  public static let resetPassword = Endpoint("resetPassword", .post, "/v1/password-reset/confirm", answers: 204)
  /// Mails a link that verifies the account's address. No body either way.
  public static let requestEmailVerification = Endpoint(
    "requestEmailVerification", .post, "/v1/email-verification", needsSession: true, answers: 202)
  /// Redeems a link that was mailed to an address, also to a new one: `EmailConfirmation` to `Account`.
  public static let confirmEmail = Endpoint("confirmEmail", .post, "/v1/email-verification/confirm")
  /// Mails the username of the account with this address: `LetterRequest`. No body comes back.
  public static let remindUsername = Endpoint("remindUsername", .post, "/v1/username-reminder", answers: 202)
  /// Whether a name can be registered: `UsernameAvailability`.
  public static let usernameAvailability = Endpoint("usernameAvailability", .get, "/v1/usernames/{username}")
  /// Where the account is signed in: a `Page` of `SessionDetails` that has no further page.
  public static let sessions = Endpoint("sessions", .get, "/v1/sessions", needsSession: true)
  /// Ends one of one's own sessions. No body either way.
  public static let endSession = Endpoint(
    "endSession", .delete, "/v1/sessions/{id}", needsSession: true, answers: 204)
  /// Ends all of one's own sessions but the presented one. No body either way.
  public static let endOtherSessions = Endpoint(
    "endOtherSessions", .delete, "/v1/sessions", needsSession: true, answers: 204)
  /// Publishes a text: `NewTweet` to `Tweet`.
  public static let writeTweet = Endpoint("writeTweet", .post, "/v1/tweets", needsSession: true, answers: 201)
  /// One `Tweet`.
  public static let tweet = Endpoint("tweet", .get, "/v1/tweets/{id}", needsSession: true)
  /// Deletes a tweet of one's own. No body either way.
  public static let deleteTweet = Endpoint(
    "deleteTweet", .delete, "/v1/tweets/{id}", needsSession: true, answers: 204)
  /// Likes a tweet; also when it is liked already. No body either way.
  public static let likeTweet = Endpoint("likeTweet", .put, "/v1/tweets/{id}/like", needsSession: true, answers: 204)
  /// Takes one's like of a tweet back; also when there is none. No body either way.
  public static let unlikeTweet = Endpoint(
    "unlikeTweet", .delete, "/v1/tweets/{id}/like", needsSession: true, answers: 204)
  /// Follows an account; also when it is followed already. No body either way.
  public static let follow = Endpoint("follow", .put, "/v1/users/{username}/follow", needsSession: true, answers: 204)
  /// Follows an account no more; also when it is not followed. No body either way.
  public static let unfollow = Endpoint(
    "unfollow", .delete, "/v1/users/{username}/follow", needsSession: true, answers: 204)
  /// The home feed, newest first: a `Page` of `Tweet`.
  public static let feed = Endpoint("feed", .get, "/v1/feed", needsSession: true)
  /// What comes into the home feed from now on, as server-sent events: `tweet` with a `Tweet` as its data and the tweet's
  /// id as its own, `reload` when some were missed, `signed_out` before the end.
  public static let liveFeed = Endpoint("liveFeed", .get, "/v1/feed/live", needsSession: true)
  /// Everybody's tweets, newest first: a `Page` of `Tweet`.
  public static let explore = Endpoint("explore", .get, "/v1/explore", needsSession: true)
  /// Somebody's `Profile`.
  public static let profile = Endpoint("profile", .get, "/v1/users/{username}", needsSession: true)
  /// What somebody has posted, newest first: a `Page` of `Tweet`.
  public static let profileTweets = Endpoint(
    "profileTweets", .get, "/v1/users/{username}/tweets", needsSession: true)
  /// Who follows somebody, the latest first: a `Page` of `Profile`.
  public static let followers = Endpoint("followers", .get, "/v1/users/{username}/followers", needsSession: true)
  /// Whom somebody follows, the latest first: a `Page` of `Profile`.
  public static let following = Endpoint("following", .get, "/v1/users/{username}/following", needsSession: true)

  /// Answers while the process serves: `Health`.
  public static let health = Endpoint("health", .get, "/healthz")
  /// Answers while the database does too: `Health`.
  public static let ready = Endpoint("ready", .get, "/readyz")
  /// The OpenAPI 3.1 document.
  public static let openAPI = Endpoint("openAPI", .get, "/openapi.json")

  /// Every call there is, in the order of the documentation.
  public static let all: [Endpoint] = [
    register, login, signOut, me, changeProfile, deleteAccount, exportAccount, changePassword,
    replaceAvatar, removeAvatar, avatar,
    changeEmail, requestPasswordReset, resetPassword, requestEmailVerification, confirmEmail, remindUsername,
    usernameAvailability, sessions, endSession, endOtherSessions,
    writeTweet, tweet, deleteTweet, likeTweet, unlikeTweet, feed, liveFeed, explore,
    profile, profileTweets, followers, following, follow, unfollow,
    health, ready, openAPI,
  ]
}
