@testable import Values

/// What people call themselves, and what they write.
extension FuzzTarget {
  static let names = [prose, username, email]

  private static let prose = ofText("prose") { text in
    if let tweet = try? TweetText(text) {
      holds((try? TweetText(tweet.text))?.text == tweet.text, "a second reading changes nothing")
    }
    _ = try? FullName(text)
    _ = try? Bio(text)
    _ = DeviceName(text)
    _ = PresentedPassword(text)
  }

  private static let username = ofText("username") { text in
    if let name = try? Username(text) { holds(name.text.utf8.allSatisfy { $0 < 0x80 }, "a username is ASCII") }
    _ = LoginName(text)
  }

  private static let email = ofText("email") { text in
    guard let address = try? EmailAddress(text) else { return }
    holds((try? EmailAddress(address.folded))?.folded == address.folded, "a folded address is one")
  }
}
