import Mail
import TestSupport
import Testing
import Values

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Against a real mail server, aiosmtpd.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SMTPTests {
  init() { signal(SIGPIPE, SIG_IGN) }

  private func message(
    _ kind: LetterKind = .passwordReset, in language: Language = .english, to recipient: String,
    from sender: String = "no-reply@roost.example", username: String = "ada"
  ) throws -> MIMEMessage {
    let letter = Letter(kind, in: language, to: username, link: "https://roost.example/reset#token=abc_-123")
    return MIMEMessage(
      letter, id: "01980f1c-6a3b-7c4d-9e5f-0a1b2c3d4e5f", from: try #require(Sender(sender)),
      to: try #require(MailAddress(recipient)), secondsSinceEpoch: 1_796_030_100)
  }

  private func smtp(_ url: String, milliseconds: Int = 5_000) throws -> SMTP {
    SMTP(try #require(MailServer(url)), connectMilliseconds: milliseconds, totalMilliseconds: milliseconds)
  }

  @Test(arguments: LetterKind.allCases, Language.allCases)
  func `a letter arrives as it was written`(kind: LetterKind, language: Language) throws {
    let server = try TestMailServer()
    #expect(try smtp(server.url).send(message(kind, in: language, to: "ada@example.com")) == .sent)
    let letter = Letter(kind, in: language, to: "ada", link: "https://roost.example/reset#token=abc_-123")
    let kept = try #require(server.messages(to: "ada@example.com").first)
    #expect(kept.subject == letter.subject)
    #expect(kept.text == letter.text)
    #expect(kept.html == letter.html)
    #expect(kept.type == "multipart/alternative" && kept.defects == [])
    #expect(kept.from == "no-reply@roost.example" && kept.helo == "roost.example")
    #expect(kept.all("From") == ["no-reply@roost.example"])
    #expect(kept.all("To") == ["ada@example.com"])
    #expect(kept.all("Message-ID") == ["<01980f1c-6a3b-7c4d-9e5f-0a1b2c3d4e5f@roost.example>"])
    #expect(kept.all("Date") == ["Mon, 30 Nov 2026 09:15:00 +0000"])
    #expect(kept.all("Auto-Submitted") == ["auto-generated"])
    #expect(kept.longestLine <= 78)
  }

  @Test(arguments: ["둥지 알림", "O'Brien, Roost", "Roost"])
  func `the sender's name arrives in every script`(name: String) throws {
    let server = try TestMailServer()
    #expect(try smtp(server.url).send(message(to: "ada@example.com", from: "\(name) <a@b.example>")) == .sent)
    let kept = try #require(server.messages(to: "ada@example.com").first)
    #expect(Sender(kept.all("From")[0])?.address.text == "a@b.example")
    #expect(kept.all("From")[0].contains(name))
    #expect(kept.defects == [])
  }

  @Test func `a name adds no header, no part and no line to the dialogue`() throws {
    let server = try TestMailServer()
    let name = "ada\r\nBcc: eve@example.com\r\n\r\n.\r\nMAIL FROM:<eve@example.com>\r\n--=_roost_x--"
    #expect(try smtp(server.url).send(message(.usernameReminder, to: "ada@example.com", username: name)) == .sent)
    let kept = server.messages(to: "ada@example.com")
    #expect(kept.count == 1 && server.messages.count == 1)
    #expect(kept[0].all("Bcc") == [] && kept[0].to == ["ada@example.com"])
    #expect(kept[0].text.contains("Bcc: eve@example.com"), "it stands where it belongs, in the text")
    #expect(kept[0].defects == [])
  }

  @Test(arguments: [
    "a@b\r\nBcc: c@d", "a@b>\r\nRCPT TO:<c@d", "a b@c", "a@b@c", "", "@b", "a@", "a@b, c@d", "<a@b>", "á@b",
  ])
  func `what could end an address is none`(text: String) {
    #expect(MailAddress(text) == nil)
  }

  @Test(arguments: ["Roost\r\nBcc: c@d <a@b>", "Roost <a@b", "Roost <a@b>\n", "\u{202E}Roost <a@b>"])
  func `a sender's name holds no controls`(text: String) {
    #expect(Sender(text) == nil)
  }

  @Test func `what is refused for good is told from what is worth another try`() throws {
    let server = try TestMailServer()
    let smtp = try smtp(server.url)
    #expect(try smtp.send(message(to: "refuse@example.com")) == .permanent("the mail server answered 550"))
    #expect(try smtp.send(message(to: "reject@example.com")) == .permanent("the mail server answered 554"))
    #expect(try smtp.send(message(to: "later@example.com")) == .temporary("the mail server answered 451"))
    #expect(try smtp.send(message(to: "later@example.com")) == .sent)
    #expect(server.messages.count == 1)
  }

  @Test func `a server that hangs up, stalls or is away is tried again`() throws {
    let server = try TestMailServer()
    let tries = [
      (server.url, "drop@example.com"), (server.url, "stall@example.com"), ("smtp://127.0.0.1:1", "ada@example.com"),
      ("smtp://nowhere.invalid", "ada@example.com"), ("smtps://127.0.0.1:\(server.port)", "ada@example.com"),
    ]
    for (url, recipient) in tries {
      let start = ContinuousClock.now
      let outcome = try smtp(url, milliseconds: 400).send(message(to: recipient))
      #expect(ContinuousClock.now - start < .seconds(5))
      guard case .temporary = outcome else {
        Issue.record("\(url) \(recipient): \(outcome)")
        continue
      }
    }
    #expect(server.messages.isEmpty)
  }

  @Test func `the user and the password of the URL log in, percent-decoded`() throws {
    let server = try TestMailServer(user: "roost@example.com", password: "s3cr3t/@%")
    let url = "smtp://roost%40example.com:s3cr3t%2F@%25@127.0.0.1:\(server.port)"
    #expect(try smtp(url).send(message(to: "ada@example.com")) == .sent)
    let wrong = try smtp("smtp://roost%40example.com:wr0ng@127.0.0.1:\(server.port)")
    guard case .temporary(let reason) = try wrong.send(message(to: "ada@example.com")) else {
      Issue.record("the setting is at fault, not the letter")
      return
    }
    #expect(!reason.contains("wr0ng"))
    #expect(server.messages.count == 1)
  }

  @Test func `a mail server is shown without its credentials`() throws {
    let server = try #require(MailServer("smtp://user:s3cr3t@mail.example:587"))
    #expect("\(server)" == "smtp://mail.example:587")
    #expect(
      "\(String(reflecting: server)) \(Mirror(reflecting: server).children.map { $0 })".contains("s3cr3t") == false)
    #expect(MailServer("http://mail.example") == nil && MailServer("smtp://") == nil)
  }
}
