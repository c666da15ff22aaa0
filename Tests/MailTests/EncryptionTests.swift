import TestSupport
import Testing
import Values

@testable import Mail

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Who may read letters and passwords on their way: against a real mail server, aiosmtpd, with a certificate.
@Suite(.serialized, .timeLimit(.minutes(5))) struct EncryptionTests {
  private static let login = "roost:s3cr3t"

  init() { signal(SIGPIPE, SIG_IGN) }

  private func send(
    _ url: String, trusting authorities: String? = nil, to recipient: String = "ada@example.com"
  ) throws -> SMTP.Outcome {
    let letter = Letter(.passwordReset, in: .english, to: "ada", link: "https://roost.example/reset#token=abc")
    let message = MIMEMessage(
      letter, id: "01980f1c-6a3b-7c4d-9e5f-0a1b2c3d4e5f", from: try #require(Sender("no-reply@roost.example")),
      to: try #require(MailAddress(recipient)), secondsSinceEpoch: 1_796_030_100)
    let smtp = SMTP(
      try #require(MailServer(url)), authorities: authorities, connectMilliseconds: 5_000, totalMilliseconds: 5_000)
    return smtp.send(message)
  }

  private func server(_ encryption: TestMailServer.Encryption, _ name: String = "localhost") throws -> TestMailServer {
    try TestMailServer(user: "roost", password: "s3cr3t", encryption: encryption, certifiedAs: name)
  }

  /// The URL with the log-in, for a host of that name, and encryption demanded.
  private func url(
    _ server: TestMailServer, _ encryption: TestMailServer.Encryption, host: String = "localhost",
    login: String = EncryptionTests.login
  ) -> String {
    switch encryption {
    case .implicit: "smtps://\(login)@\(host):\(server.port)"
    case .starttls: "smtp://\(login)@\(host):\(server.port)?tls=required"
    }
  }

  @Test(arguments: [TestMailServer.Encryption.starttls, .implicit])
  func `a letter and the log-in go encrypted to a server whose certificate is trusted`(
    encryption: TestMailServer.Encryption
  ) throws {
    let server = try server(encryption)
    #expect(try send(url(server, encryption), trusting: server.certificate) == .sent)
    let kept = server.messages(to: "ada@example.com")
    #expect(kept.count == 1 && kept[0].isEncrypted && kept[0].isLoggedIn)
    #expect(kept[0].text.contains("#token=abc") && kept[0].helo == "roost.example")
    guard
      case .temporary(let reason) = try send(
        url(server, encryption, login: "roost:wr0ng"), trusting: server.certificate)
    else {
      Issue.record("a wrong password is taken")
      return
    }
    #expect(!reason.contains("wr0ng"))
    #expect(server.messages.count == 1)
  }

  @Test(arguments: [TestMailServer.Encryption.starttls, .implicit])
  func `a certificate that is not trusted, or names another host, gets nothing`(
    encryption: TestMailServer.Encryption
  ) throws {
    let server = try server(encryption)
    let other = try self.server(encryption, "mail.example")
    let tries = [
      ("the system's authorities", url(server, encryption), nil),
      ("another authority", url(server, encryption), other.certificate),
      ("a missing file", url(server, encryption), "/nowhere/authorities.pem"),
      ("the address, which is not certified", url(server, encryption, host: "127.0.0.1"), server.certificate),
      ("another name", url(other, encryption), other.certificate),
    ]
    for (what, url, authorities) in tries {
      guard case .temporary = try send(url, trusting: authorities) else {
        Issue.record("\(what) is trusted")
        continue
      }
    }
    for server in [server, other] { #expect(server.messages.isEmpty && server.tried.isEmpty) }
  }

  @Test func `a server that does not encrypt gets neither the password nor the letter`() throws {
    let server = try TestMailServer()
    let demanding = try TestMailServer(user: "roost", password: "s3cr3t")
    for url in [
      "smtp://127.0.0.1:\(server.port)?tls=required", "smtp://\(Self.login)@127.0.0.1:\(demanding.port)?tls=required",
      "smtps://127.0.0.1:\(server.port)",
    ] {
      guard case .temporary(let reason) = try send(url) else {
        Issue.record("\(url) is sent to")
        continue
      }
      #expect(!reason.isEmpty && !reason.contains("s3cr3t"))
    }
    for server in [server, demanding] { #expect(server.messages.isEmpty && server.tried.isEmpty) }
  }

  @Test func `a URL that says so, or this very machine, is content with what the server offers`() throws {
    let plain = try TestMailServer()
    #expect(try send("smtp://127.0.0.1:\(plain.port)?tls=optional") == .sent)
    #expect(try send("smtp://localhost:\(plain.port)", to: "bob@example.com") == .sent)
    #expect(plain.messages.map(\.isEncrypted) == [false, false])
    // Nobody vouches for the certificate, and nobody asks.
    let encrypting = try server(.starttls)
    #expect(try send("smtp://\(Self.login)@127.0.0.1:\(encrypting.port)") == .sent)
    #expect(encrypting.messages.map(\.isEncrypted) == [true])
  }

  @Test(arguments: [
    ("smtp://mail.example", true), ("smtp://mail.example:25", true), ("smtp://10.0.0.1", true),
    ("smtp://u:p@mail.example:587", true), ("smtp://u:p?q@mail.example:587", true), ("smtps://localhost", true),
    ("smtp://localhost", false), ("smtp://127.0.0.1:25", false), ("smtp://[::1]:25", false),
    ("smtp://u:p@localhost", false), ("smtp://localhost?tls=required", true), ("smtp://localhost.example", true),
    ("smtp://mail?tls=optional", false), ("smtp://u:p@mail:25?tls=optional", false),
  ])
  func `nothing goes in clear to another machine unless the URL says so`(text: String, mustBeSecure: Bool) throws {
    #expect(try #require(MailServer(text)).mustBeSecure == mustBeSecure)
  }

  @Test(arguments: [
    "smtp://mail?", "smtp://mail?tls=no", "smtp://mail?tls=optional&x=1", "smtps://mail?tls=optional",
    "smtp://?tls=optional",
  ])
  func `what follows a mail server's URL is that or nothing`(text: String) {
    #expect(MailServer(text) == nil)
  }
}
