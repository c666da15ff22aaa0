extension Log {
  /// The value of a field. Literals stand for themselves: `["path": "/v1/me", "status": 200, "milliseconds": 1.25]`.
  public enum Value: Sendable, Hashable {
    case text(String)
    case number(Int)
    /// Printed rounded to at most three fraction digits; infinities and not-a-number as `null`.
    case decimal(Double)
    case flag(Bool)
    /// The line goes without this field.
    case absent
  }
}

extension Log.Value: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral
{
  public init(stringLiteral value: String) { self = .text(value) }
  public init(integerLiteral value: Int) { self = .number(value) }
  public init(floatLiteral value: Double) { self = .decimal(value) }
  public init(booleanLiteral value: Bool) { self = .flag(value) }
}
