@testable import Mail
@testable import Values

/// Letters: no text adds a field to the header or a part to the body.
extension FuzzTarget {
  static let letters = [header, letter, sender]

  private static let header = ofText("header") { text in
    for encoded in [HeaderText.encoded(text, after: 9), HeaderText.phrase(text)] {
      let lines = encoded.split(separator: "\r\n", omittingEmptySubsequences: false)
      holds(encoded.utf8.allSatisfy { (0x20...0x7e).contains($0) || $0 == 0x0d || $0 == 0x0a }, "ASCII")
      holds(lines.dropFirst().allSatisfy { $0.utf8.first == 0x20 }, "each further line continues the field")
      holds(lines.allSatisfy { $0.utf8.count <= HeaderText.wordBytesMax + 2 && !$0.utf8.contains(0x0a) }, "short lines")
    }
  }

  private static let letter = ofText("letter") { text in
    guard let sender = Sender("Roost <no-reply@roost.example>"), let to = MailAddress("ada@example.com") else { return }
    for kind in LetterKind.allCases {
      let letter = Letter(kind, in: .english, to: text, link: text)
      let message = MIMEMessage(letter, id: "1", from: sender, to: to, secondsSinceEpoch: 0)
      let lines = message.bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
      holds(lines.dropLast().allSatisfy { $0.last == 0x0d && !$0.dropLast().contains(0x0d) }, "lines end with CR LF")
      holds(lines.allSatisfy { $0.count <= 79 && $0.allSatisfy { $0 < 0x80 } }, "short lines of ASCII")
      holds(lines.count { $0.starts(with: "--=_roost_1".utf8) } == 3, "two parts")
      let head = lines.prefix { $0 != [0x0d] }.filter { $0.first != 0x20 }
      holds(head.count == 8, "eight fields")
      holds(!letter.html.contains("<script"), "no markup")
    }
  }

  private static let sender = ofText("sender") { text in
    if let address = MailAddress(text) { holds("\(address.text)".hasSuffix("@\(address.domain)"), "a domain") }
    guard let sender = Sender(text) else { return }
    holds(!sender.description.utf8.contains { $0 < 0x20 }, "nothing that ends a line")
  }
}
