import RoostAPI

/// Somebody who may register: with names that nobody else in any run has.
struct Person: Sendable {
  var username: String
  var email: String
  var password: String

  /// `name` is the start of the username, at most 17 letters.
  init(_ name: String = "ada") {
    let mark = String(UInt64.random(in: 0...UInt64.max), radix: 36).prefix(12)
    username = "\(name)_\(mark)"
    email = "\(name).\(mark)@example.com"
    password = "correct horse \(mark)"
  }

  var registration: Registration { Registration(email: email, username: username, password: password) }
}

extension String {
  /// The same text with every other letter in upper case.
  var inMixedCase: String {
    String(enumerated().map { $0.offset.isMultiple(of: 2) ? Character($0.element.uppercased()) : $0.element })
  }
}
