public import Postgres
public import Values

/// Counts a sign-up against its address, and says which of its names are taken, before a password is hashed for it.
///
/// Whether a name is still free when the account is made is for ``SignUp`` to say.
public struct BeginSignUp: WriteStatement {
  public let username: Username
  public let email: EmailAddress
  public let address: ClientAddress
  public let allowance: Allowance

  public init(username: Username, email: EmailAddress, address: ClientAddress, allowance: Allowance) {
    self.username = username
    self.email = email
    self.address = address
    self.allowance = allowance
  }

  public static let sql = """
    with blocked as (
      select max(until) as until from (\(Throttle.spentUntil("register_address", subject: "$3::text", max: "$4::integer"))) as spent
    ),
    start as (
      select true from blocked where until is null
    ),
    \(Throttle.count("register_address", subject: "$3::text", max: "$4::integer", seconds: "$5::double precision", after: "start"))
    select exists (select from register_address_passed) as allowed, \(Throttle.spent("'register_address'")),
           exists (select from account where username = $1::text) as username_taken,
           exists (select from account where email_folded = $2::text) as email_taken
    from blocked
    """

  public func bind(to parameters: inout Parameters) {
    parameters.append(username.text)
    parameters.append(email.folded)
    parameters.append(address.bucket)
    parameters.append(allowance)
  }

  public func decode(_ rows: Rows) -> Counted<Taken> {
    var row = rows[0]
    return Counted(&row) { Taken(&$0) }
  }
}

/// Which names another account has.
public struct Taken: Sendable, Equatable {
  public let username: Bool
  public let email: Bool

  public init(username: Bool = false, email: Bool = false) {
    self.username = username
    self.email = email
  }

  init(_ row: inout Row) {
    username = row.bool()
    email = row.bool()
  }

  /// Whether another account has either name.
  public var isAny: Bool { username || email }
}
