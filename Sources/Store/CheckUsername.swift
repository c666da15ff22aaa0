public import Postgres
public import Values

/// Whether a username is taken; counted against the address that asks.
public struct CheckUsername: WriteStatement {
  public let username: Username
  public let address: ClientAddress
  public let allowance: Allowance

  public init(username: Username, address: ClientAddress, allowance: Allowance) {
    self.username = username
    self.address = address
    self.allowance = allowance
  }

  public static let sql = """
    with blocked as (
      select max(until) as until from (\(Throttle.spentUntil("usernames_address", subject: "$2::text", max: "$3::integer"))) as spent
    ),
    start as (
      select true from blocked where until is null
    ),
    \(Throttle.count("usernames_address", subject: "$2::text", max: "$3::integer", seconds: "$4::double precision", after: "start"))
    select exists (select from usernames_address_passed) as allowed, \(Throttle.spent("'usernames_address'")),
           exists (select from account where username = $1::text) as is_taken
    from blocked
    """

  public func bind(to parameters: inout Parameters) {
    parameters.append(username.text)
    parameters.append(address.bucket)
    parameters.append(allowance)
  }

  public func decode(_ rows: Rows) -> Counted<Bool> {
    var row = rows[0]
    return Counted(&row) { $0.bool() }
  }
}
