/// A value that holds a secret: `print`, `dump`, string interpolation and debuggers show its mirror, which a conforming
/// type fills with what may be seen and nothing else.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
  /// The type's name and the fields that may be seen, as in `Login(login: "ada", password: "redacted")`.
  public var description: String {
    let fields = customMirror.children.map { "\($0.label ?? "_"): \(String(reflecting: $0.value))" }
    return "\(Self.self)(\(fields.joined(separator: ", ")))"
  }

  public var debugDescription: String { description }
}
