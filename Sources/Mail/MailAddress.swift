/// An address that can stand in a header and in an SMTP command: printable ASCII around one @, and nothing that would
/// end either.
public struct MailAddress: Hashable, Sendable {
  public static let bytesMax = 254

  public let text: String

  /// Nil when it is out of form.
  public init?(_ text: String) {
    let forbidden = Array("<>()[],;:\\\"".utf8)
    let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard text.utf8.count <= Self.bytesMax, parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty,
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !forbidden.contains($0) })
    else { return nil }
    self.text = text
  }

  /// What stands behind the @.
  public var domain: String { String(text[text.index(after: text.firstIndex(of: "@") ?? text.startIndex)...]) }
}

/// Who letters come from: an address, perhaps with a name before it, as in `Roost <no-reply@roost.example>`.
public struct Sender: Hashable, Sendable {
  public static let nameBytesMax = 128

  public let name: String?
  public let address: MailAddress

  /// Nil when it is out of form.
  public init?(_ text: String) {
    guard let start = text.firstIndex(of: "<") else {
      guard let address = MailAddress(text) else { return nil }
      (name, self.address) = (nil, address)
      return
    }
    let spoken = Self.trimmed(text[..<start])
    guard text.hasSuffix(">"), let address = MailAddress(String(text[text.index(after: start)...].dropLast())),
      spoken.utf8.count <= Self.nameBytesMax, spoken.unicodeScalars.allSatisfy({ !$0.properties.isControl })
    else { return nil }
    name = spoken.isEmpty ? nil : spoken
    self.address = address
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    if text.count >= 2, text.first == "\"", text.last == "\"" { text = text.dropFirst().dropLast() }
    return String(text)
  }
}

extension Unicode.Scalar.Properties {
  /// Line ends and other controls: what could end a header or hide in it.
  fileprivate var isControl: Bool {
    switch generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

extension Sender: CustomStringConvertible {
  public var description: String { name.map { "\($0) <\(address.text)>" } ?? address.text }
}
