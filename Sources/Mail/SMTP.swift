import CCurl

/// Hands messages to a mail server (RFC 5321), by libcurl. Calls block and belong on a crew's thread.
public struct SMTP: Sendable {
  /// What became of a message. The reasons are short, and hold no secret and nothing of the message.
  public enum Outcome: Sendable, Equatable {
    case sent
    /// Worth another try: the server is away, or says so itself (4xx), or does not let this program in.
    case temporary(String)
    /// The server will never take this message (5xx).
    case permanent(String)
  }

  private let server: MailServer
  private let authorities: String?
  private let connectMilliseconds: Int
  private let totalMilliseconds: Int

  /// Time limits for the connection with its encryption, and for all of it. The answer to the message may take as long
  /// once more. `authorities` is the path of a PEM file with the certificates that are trusted in place of the system's.
  public init(
    _ server: MailServer, authorities: String? = nil, connectMilliseconds: Int = 10_000, totalMilliseconds: Int = 30_000
  ) {
    self.server = server
    self.authorities = authorities
    self.connectMilliseconds = connectMilliseconds
    self.totalMilliseconds = totalMilliseconds
  }

  /// Hands one letter to the server and answers what became of it. Blocks, within the times of `init`.
  public func send(_ message: MIMEMessage) -> Outcome {
    guard Self.isReady, let handle = curl_easy_init() else { return .temporary("no memory for a connection") }
    defer { curl_easy_cleanup(handle) }
    guard let recipients = curl_slist_append(nil, "<\(message.recipient.text)>") else {
      return .temporary("no memory for a connection")
    }
    defer { curl_slist_free_all(recipients) }
    configure(handle, helo: message.sender.address.domain)
    roost_curl_set_text(handle, CURLOPT_MAIL_FROM, "<\(message.sender.address.text)>")
    roost_curl_set_list(handle, CURLOPT_MAIL_RCPT, recipients)

    return message.bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      return withUnsafeMutablePointer(to: &rest) { rest in
        roost_curl_set_pointer(handle, CURLOPT_READDATA, rest)
        roost_curl_set_reader(handle) { buffer, size, count, rest in
          guard let buffer, let rest = rest?.assumingMemoryBound(to: Slice<UnsafeRawBufferPointer>.self) else {
            return 0
          }
          let piece = rest.pointee.prefix(size * count)
          UnsafeMutableRawBufferPointer(start: buffer, count: size * count).copyBytes(from: piece)
          rest.pointee = rest.pointee.dropFirst(piece.count)
          return piece.count
        }
        let code = curl_easy_perform(handle)
        return outcome(code, handle, isHandedOver: rest.pointee.isEmpty)
      }
    }
  }

  private func configure(_ handle: UnsafeMutableRawPointer, helo: String) {
    // The path of the URL is what the client calls itself in EHLO.
    roost_curl_set_text(handle, CURLOPT_URL, "\(server.url)/\(helo)")
    roost_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "smtp,smtps")
    roost_curl_set_text(handle, CURLOPT_PROXY, "")
    if let user = server.user {
      roost_curl_set_text(handle, CURLOPT_USERNAME, user)
      roost_curl_set_text(handle, CURLOPT_PASSWORD, server.password ?? "")
    }
    let isSecure = server.mustBeSecure
    roost_curl_set_long(handle, CURLOPT_USE_SSL, Int((isSecure ? CURLUSESSL_ALL : CURLUSESSL_TRY).rawValue))
    roost_curl_set_long(handle, CURLOPT_SSL_VERIFYPEER, isSecure ? 1 : 0)
    roost_curl_set_long(handle, CURLOPT_SSL_VERIFYHOST, isSecure ? 2 : 0)
    if let authorities { roost_curl_set_text(handle, CURLOPT_CAINFO, authorities) }
    roost_curl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, connectMilliseconds)
    roost_curl_set_long(handle, CURLOPT_TIMEOUT_MS, totalMilliseconds)
    // The answer to the message itself is waited for beyond that, two minutes if this is not set.
    roost_curl_set_long(handle, CURLOPT_SERVER_RESPONSE_TIMEOUT, (totalMilliseconds + 999) / 1_000)
    // Signals are the main thread's business.
    roost_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
    roost_curl_set_long(handle, CURLOPT_UPLOAD, 1)
  }

  private func outcome(_ code: CURLcode, _ handle: UnsafeMutableRawPointer, isHandedOver: Bool) -> Outcome {
    guard code != CURLE_OK else { return .sent }
    var reply = 0
    roost_curl_get_long(handle, CURLINFO_RESPONSE_CODE, &reply)
    guard (400...599).contains(reply), code != CURLE_OPERATION_TIMEDOUT else {
      return .temporary(String(cString: curl_easy_strerror(code)))
    }
    let reason = "the mail server answered \(reply)"
    // Only an answer to MAIL, RCPT, DATA or the message is about the letter. A greeting, or credentials, that are
    // refused are about this program and its settings.
    return reply >= 500 && (code == CURLE_SEND_ERROR || isHandedOver) ? .permanent(reason) : .temporary(reason)
  }

  /// libcurl, made ready once for the whole process; a lazy global is safe on every thread.
  private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}
