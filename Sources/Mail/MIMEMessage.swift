/// A letter as it goes over the wire (RFC 5322, RFC 2045): a header, and its body twice, as plain text and as HTML.
///
/// Whatever could end a line of the header is encoded away, so nothing that a person typed adds one.
public struct MIMEMessage: Sendable {
  public let sender: Sender
  public let recipient: MailAddress
  /// Lines end with CR LF.
  public let bytes: [UInt8]

  /// `id` is unique and stays the same when a letter is sent again, so that mail systems may see that it is one letter.
  public init(_ letter: Letter, id: String, from sender: Sender, to recipient: MailAddress, secondsSinceEpoch: Int) {
    self.sender = sender
    self.recipient = recipient
    // Quoted-printable never leaves "=_" in a text (RFC 2045, section 6.7), so no body holds the boundary.
    let boundary = "=_roost_\(id)"
    let from = sender.name.map { "\(HeaderText.phrase($0)) <\(sender.address.text)>" } ?? sender.address.text
    var lines = [
      "Date: \(HeaderText.date(secondsSinceEpoch: secondsSinceEpoch))",
      "From: \(from)",
      "To: <\(recipient.text)>",
      "Message-ID: <\(id)@\(sender.address.domain)>",
      "Subject: \(HeaderText.encoded(letter.subject, after: "Subject: ".utf8.count))",
      "Auto-Submitted: auto-generated",
      "MIME-Version: 1.0",
      "Content-Type: multipart/alternative;",
      " boundary=\"\(boundary)\"",
      "",
    ]
    for (type, body) in [("plain", letter.text), ("html", letter.html)] {
      lines += [
        "--\(boundary)", "Content-Type: text/\(type); charset=utf-8", "Content-Transfer-Encoding: quoted-printable", "",
        QuotedPrintable.encode(body),
      ]
    }
    lines += ["--\(boundary)--", ""]
    bytes = Array(lines.joined(separator: "\r\n").utf8)
  }
}
