import Secrets
import Store
import Testing
import Values

@Suite(.timeLimit(.minutes(5))) struct SessionTests {
  static let day = Int64(86_400) * 1_000_000

  @Test func `the account of a session is read`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      try ground.change(
        """
        update account set full_name = 'Ada', bio = 'Poetical science.', email_verified_at = now(),
          avatar_sha256 = decode(repeat('ab', 32), 'hex'), follower_count = 1, following_count = 2, tweet_count = 3,
          created_at = '2001-02-03 04:05:06.789012+00'
        """)
      let viewed = try #require(await ground.run(ReadAccount(token: ada.token)))
      let account = viewed.found
      #expect(!viewed.isTouchDue)
      #expect(account.id == ada.id && account.username == "ada" && account.email == "ada@example.com")
      #expect(account.isEmailVerified)
      #expect(account.fullName == "Ada" && account.bio == "Poetical science.")
      #expect(account.avatarDigest == Array(repeating: 0xab, count: 32))
      #expect([account.followers, account.following, account.tweets] == [1, 2, 3])
      #expect(account.createdAtMicroseconds == 981_173_106_789_012)
    }
  }

  @Test(arguments: [
    "update session set expires_at = now()", "update account set disabled_at = now()",
    "update account set session_epoch = session_epoch + 1", "delete from session", "delete from account",
  ])
  func `a session that is over, or whose account is, is nobody's for every statement`(change: String) async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let id = try await ground.post(by: ada)
      try ground.change(change)
      let counts = try ground.counts()
      #expect(try await ground.run(ReadAccount(token: ada.token)) == nil)
      #expect(try await ground.run(ListSessions(token: ada.token)) == nil)
      #expect(try await ground.run(ReadTweet(token: ada.token, id: id)) == nil)
      #expect(try await ground.run(ReadFeed(token: ada.token, page: Page())) == nil)
      #expect(try await ground.run(DeleteTweet(token: ada.token, id: id)) == nil)
      #expect(try await ground.run(ground.tweet(by: ada, allowance: Allowance(max: 10, seconds: 60))) == nil)
      #expect(try ground.counts() == counts)
    }
  }

  @Test func `a session ends once, at once, and alone`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let other = try await ground.anotherSession(of: ada)
      let bob = try await ground.newcomer("bob")
      #expect(try await ground.run(EndSession(token: ada.token, stamp: ground.stamp)))
      #expect(try await ground.run(ReadAccount(token: ada.token)) == nil)
      #expect(try await ground.run(EndSession(token: ada.token, stamp: ground.stamp)) == false)
      #expect(try await ground.found(ReadAccount(token: other.token)).username == "ada")
      #expect(try await ground.found(ReadAccount(token: bob.token)).username == "bob")
    }
  }

  @Test func `sessions are listed newest first, without those that are over or another's`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada", from: ClientAddress("2001:db8::1")!)
      _ = try await ground.newcomer("bob")
      let second = try await ground.anotherSession(of: ada, from: Ground.away, device: nil)
      let third = try await ground.anotherSession(of: ada, device: "Žižkov/1")
      let expired = try await ground.anotherSession(of: ada)
      try ground.change("update session set expires_at = now() where id = $1", [String(expired.session)])
      let old = try await ground.anotherSession(of: ada)
      try ground.change("update session set epoch = 0 where id = $1", [String(old.session)])

      let sessions = try await ground.found(ListSessions(token: second.token))
      #expect(sessions.map(\.id) == [third.session, second.session, ada.session])
      #expect(sessions.map(\.isCurrent) == [false, true, false])
      #expect(sessions.map(\.userAgent) == ["Žižkov/1", nil, "curl/8"])
      #expect(sessions.map(\.ip) == ["192.0.2.1", "198.51.100.7", "2001:db8::1"])
      for session in sessions {
        #expect(session.lastSeenAtMicroseconds == session.createdAtMicroseconds)
        #expect(session.expiresAtMicroseconds - session.createdAtMicroseconds == 30 * Self.day)
      }
    }
  }

  // MARK: The sliding expiry

  @Test func `a session is written again an hour after it last was, and not before`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let touch = TouchSession(token: ada.token, lifetime: Ground.lifetime)
      func age(_ interval: String) throws {
        try ground.change(
          "update session set last_seen_at = now() - $1::interval, expires_at = now() + '1 day'", [interval])
      }
      func isDue() async throws -> Bool? { try await ground.run(ReadAccount(token: ada.token))?.isTouchDue }

      try age("58 minutes")
      #expect(try await isDue() == false)
      try await ground.run(touch)
      #expect(try ground.value("select expires_at < now() + interval '2 days' from session") == "t")

      try age("60 minutes 1 second")
      #expect(try await isDue() == true)
      try await ground.run(touch)
      #expect(try await isDue() == false)
      #expect(try ground.value("select expires_at = last_seen_at + interval '30 days' from session") == "t")
      #expect(try ground.value("select last_seen_at > now() - interval '1 minute' from session") == "t")
    }
  }

  @Test func `no use carries a session beyond its longest time`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      try ground.change(
        """
        update session set created_at = now() - interval '350 days', last_seen_at = now() - interval '2 days',
          expires_at = now() + interval '1 day'
        """)
      try await ground.run(TouchSession(token: ada.token, lifetime: Ground.lifetime))
      #expect(try ground.value("select expires_at = created_at + interval '365 days' from session") == "t")
    }
  }

  @Test func `a session that is over is not brought back`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      try ground.change(
        "update session set last_seen_at = now() - interval '31 days', expires_at = now() - interval '1 s'")
      try await ground.run(TouchSession(token: ada.token, lifetime: Ground.lifetime))
      #expect(try await ground.run(ReadAccount(token: ada.token)) == nil)
    }
  }

  @Test func `fifty that notice it at once write it once`() async throws {
    try await Ground.with(writers: 16) { ground in
      let ada = try await ground.newcomer("ada")
      try ground.change("update session set last_seen_at = now() - interval '2 hours'")
      try ground.change("create table written (at timestamptz)")
      try ground.change(
        """
        create function note() returns trigger language plpgsql as $$
        begin insert into written values (now()); return new; end $$
        """)
      try ground.change("create trigger note after update on session for each row execute function note()")
      _ = try await parallel(50) { _ in
        try await ground.run(TouchSession(token: ada.token, lifetime: Ground.lifetime))
      }
      #expect(try ground.value("select count(*) from written") == "1")
    }
  }
}
