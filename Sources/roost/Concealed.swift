/// A setting that holds a secret, such as a connection string with a password. It is never printed.
struct Concealed: Sendable, Equatable {
  /// The secret itself, for the one place that uses it.
  let text: String

  init(_ text: String) { self.text = text }
}

extension Concealed: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  var description: String { "(not shown)" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: []) }
}
