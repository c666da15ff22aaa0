import Log
import Mail
import Postgres
import Values

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How the value of a setting is written.
struct Form<Value: Sendable>: Sendable {
  /// What stands for the value in help: `HOST:PORT`.
  let placeholder: String
  /// What is allowed, as the end of a sentence that begins with "give".
  let allowed: String
  /// The value, given the default one; nil when the text is not allowed.
  let parse: @Sendable (_ text: String, _ standard: Value) -> Value?
  /// The text for a value.
  let print: @Sendable (Value) -> String
}

extension Form<Int> {
  static func number(_ range: ClosedRange<Int>, _ unit: String = "") -> Form {
    Form(
      placeholder: "N",
      allowed: "a whole number\(unit.isEmpty ? "" : " of \(unit)") from \(range.lowerBound) to \(range.upperBound)",
      parse: { text, _ in Digits.number(text, in: range) },
      print: { "\($0)" })
  }
}

extension Form<Bool> {
  static var choice: Form {
    Form(
      placeholder: "true|false", allowed: "true or false",
      parse: { text, _ in Bool(text.lowercased()) },
      print: { "\($0)" })
  }
}

extension Form where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  static var word: Form {
    let words = Value.allCases.map(\.rawValue)
    return Form(
      placeholder: words.joined(separator: "|"),
      allowed: "one of \(words.joined(separator: ", "))",
      parse: { text, _ in Value(rawValue: text.lowercased()) },
      print: \.rawValue)
  }
}

extension Form<Limit> {
  static var limit: Form {
    Form(
      placeholder: "N/TIME",
      allowed: """
        a count and a time such as 60/15min or 20/h (s, min, h, d; at most 30d), a count alone, or 0 for no limit
        """,
      parse: { text, standard in Limit(text, windowSeconds: standard.windowSeconds) },
      print: \.description)
  }
}

extension Form<String> {
  static var path: Form {
    Form(
      placeholder: "PATH", allowed: "the path of a folder",
      parse: { text, _ in text.isEmpty ? nil : text },
      print: { $0 })
  }

  static var file: Form {
    Form(
      placeholder: "PATH", allowed: "the path of a file that can be read",
      parse: { text, _ in access(text, R_OK) == 0 ? text : nil },
      print: { $0 })
  }

  static var origin: Form {
    Form(
      placeholder: "URL",
      allowed: "http:// or https://, a host and perhaps a port, without a path: https://roost.example",
      parse: { text, _ in Origin.canonical(text.hasSuffix("/") ? String(text.dropLast()) : text) },
      print: { $0 })
  }
}

extension Form<[String]> {
  static var origins: Form {
    list("ORIGINS", "origins separated by commas, such as https://app.example") { Origin.canonical($0) }
  }
}

extension Form<[AddressRange]> {
  static var ranges: Form {
    list("RANGES", "addresses or ranges separated by commas, such as 10.0.0.0/8,fd00::/8") {
      try? AddressRange(String($0))
    }
  }
}

extension Form {
  fileprivate static func list<Item: CustomStringConvertible>(
    _ placeholder: String, _ allowed: String, _ item: @escaping @Sendable (Substring) -> Item?
  ) -> Form where Value == [Item] {
    Form(
      placeholder: placeholder, allowed: allowed,
      parse: { text, _ in
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { item($0.trimmed) }
        let items = parts.compactMap { $0 }
        return items.count == parts.count ? items : nil
      },
      print: { $0.map(\.description).joined(separator: ",") })
  }
}

extension Form<Concealed> {
  static var database: Form {
    Form(
      placeholder: "URL",
      allowed: "a connection string of libpq: postgresql://user@host/database or host=... dbname=... user=...",
      parse: { text, _ in ConnectionTarget(text).isWellFormed ? Concealed(text) : nil },
      print: \.description)
  }

  static var mail: Form {
    Form(
      placeholder: "URL",
      allowed: """
        smtp:// or smtps://, perhaps user:password@, a host and perhaps a port, after smtp perhaps ?tls=optional; or log:
        """,
      parse: { text, _ in
        if text == Config.Mail.logURL { return Concealed(text) }
        guard let scheme = ["smtp://", "smtps://"].first(where: { text.hasPrefix($0) }) else { return nil }
        let authority = text.dropFirst(scheme.count)
        let server = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        let host = server.prefix { $0 != "?" }
        guard Origin.hostAndPort(Substring(host.lowercased())) != nil, MailServer(text) != nil else { return nil }
        return Concealed(text)
      },
      print: \.description)
  }
}

extension Form<Sender> {
  /// Who letters come from.
  static var sender: Form {
    Form(
      placeholder: "ADDRESS", allowed: "an address, perhaps with a name: Roost <no-reply@roost.example>",
      parse: { text, _ in Sender(text) }, print: \.description)
  }
}

extension Sender {
  /// Stands where a value is wanted and none is given.
  static let placeholder = Sender("no-reply@localhost")!
}

extension Substring {
  /// Without spaces at either end.
  var trimmed: Substring {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}
