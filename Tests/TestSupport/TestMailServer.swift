#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A mail server (aiosmtpd) that keeps what it is sent; `scripts/test-mail-server` says what else it does.
public final class TestMailServer: Sendable {
  public let port: Int
  /// The path of its certificate; nil when it does not encrypt.
  public let certificate: String?
  private let scheme: String
  private let process: TestServerProcess
  private let output: TestServerOutput

  /// A message as a mail program reads it.
  public struct Message: Decodable, Sendable {
    public let from: String
    public let to: [String]
    public let helo: String
    /// Whether it came over an encrypted connection, and whether the sender had logged in.
    public let isEncrypted: Bool
    public let isLoggedIn: Bool
    public let subject: String
    public let headers: [[String]]
    public let type: String
    public let defects: [String]
    public let text: String
    public let html: String
    public let longestLine: Int

    /// All values of a header field.
    public func all(_ name: String) -> [String] { headers.filter { $0[0] == name }.map { $0[1] } }

    /// The token of the link in it.
    public var token: String? {
      text.firstRange(of: "#token=").map { String(text[$0.upperBound...].prefix { !$0.isWhitespace }) }
    }
  }

  private struct Line: Decodable {
    let port: Int?
    let certificate: String?
    let tried: String?
    let stalling: String?
  }

  /// How a server encrypts.
  public enum Encryption: String, Sendable {
    case starttls, implicit
  }

  /// With a user it demands a log-in; with an encryption it shows a certificate for `name` that no authority has signed.
  public init(
    user: String? = nil, password: String? = nil, encryption: Encryption? = nil, certifiedAs name: String = "localhost"
  ) throws {
    guard let environment = getenv("ROOST_TEST_VENV").map({ String(cString: $0) }) else {
      throw TestServer.Trouble(description: "ROOST_TEST_VENV names no Python environment. Run `make test`")
    }
    let script = URL(filePath: "../../scripts/test-mail-server", relativeTo: URL(filePath: #filePath))
      .standardizedFileURL
    var arguments = [script.path]
    if let user, let password { arguments += ["--user", user, "--password", password] }
    if let encryption { arguments += ["--tls", encryption.rawValue, "--certified", name] }
    scheme = encryption == .implicit ? "smtps" : "smtp"
    output = try TestServerOutput()
    var variables: [String: String] = ["PYTHONWARNINGS": "ignore"]
    for name in ["PATH", "HOME", "TMPDIR", "ROOST_TEST_RUN"] {
      variables[name] = getenv(name).map { String(cString: $0) }
    }
    process = try TestServerProcess(
      "\(environment)/bin/python", arguments, environment: variables, output: output.descriptor)
    let deadline = ContinuousClock.now + .seconds(30)
    var ready: Line?
    while ready == nil, process.ending == nil, ContinuousClock.now < deadline {
      ready = Self.lines(output, Line.self).first { $0.port != nil }
      usleep(5_000)
    }
    guard let ready, let port = ready.port else {
      throw TestServer.Trouble(description: "no mail server:\n\(output.text)")
    }
    self.port = port
    certificate = ready.certificate
  }

  deinit {
    process.send(.kill)
    _ = process.waitForEnd(milliseconds: 10_000)
  }

  public var url: String { "\(scheme)://127.0.0.1:\(port)" }

  /// What it has kept, in the order in which it came.
  public var messages: [Message] { Self.lines(output, Message.self) }

  /// To whom something was to be sent, once for each attempt.
  public var tried: [String] { Self.lines(output, Line.self).compactMap(\.tried) }

  /// For whom it is keeping a sender waiting.
  public var stalling: [String] { Self.lines(output, Line.self).compactMap(\.stalling) }

  /// The messages to an address, once there are as many; fewer when they do not come in time.
  public func messages(to address: String, count: Int = 1, withinSeconds seconds: Int = 20) -> [Message] {
    wait(withinSeconds: seconds) { $0.messages.count { $0.to == [address] } >= count }
    return messages.filter { $0.to == [address] }
  }

  /// Waits until something holds. False when it does not in time.
  @discardableResult
  public func wait(withinSeconds seconds: Int = 20, until isTrue: (TestMailServer) -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < deadline {
      if isTrue(self) { return true }
      usleep(20_000)
    }
    return isTrue(self)
  }

  private static func lines<Value: Decodable>(_ output: TestServerOutput, _ type: Value.Type) -> [Value] {
    output.text.split(separator: "\n").compactMap { try? JSONDecoder().decode(type, from: Data($0.utf8)) }
  }
}
