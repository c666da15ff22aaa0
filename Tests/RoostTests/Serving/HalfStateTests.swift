import Postgres
import RoostAPI
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// `kill -9` of the server between any two steps of what makes and changes accounts: all of it has happened or nothing,
/// and who got no answer simply tries again.
///
/// A trigger holds the server's statement in its midst, at the table where it is about to write. PostgreSQL does not notice
/// that its client is gone, and goes on with the statement once it may; or its process is ended too, as when the machine
/// dies. Both are tried everywhere.
@Suite(.onThreads, .timeLimit(.minutes(10))) struct HalfStateTests {
  private static let password = "an engine of bronze"

  /// What becomes of the statement that is under way.
  enum End: CaseIterable {
    case goesOn, isCutOff
  }

  private let database: TestDatabase

  init() throws {
    database = try .fresh()
    _ = try database.rows(
      """
      create function stop_here() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(4711);
        return coalesce(new, old);
      end
      $$
      """)
  }

  /// A server whose letters wait: what is in the outbox stays there.
  private func server() throws -> TestServer {
    try TestServer(
      database,
      settings: [
        "LIMIT_REGISTER_ADDRESS": "1000", "LIMIT_AVATAR_ACCOUNT": "1000", "LIMIT_MAIL_ACCOUNT": "0",
        "LIMIT_MAIL_ADDRESS": "0", "LIMIT_LOGIN_ADDRESS": "0",
      ])
  }

  /// Sends a request, and kills the server while a statement of it is about to write to `table`.
  private func kill(
    _ server: TestServer, at table: String, _ end: End, _ request: @escaping @Sendable () -> Void
  ) throws {
    _ = try database.rows(
      "create trigger stop_here before insert or update or delete on \(table) for each row execute function stop_here()"
    )
    let holder = try BlockingConnection(database.target)
    _ = try holder.rows("select pg_advisory_lock(4711)")
    let isDone = Collected<Bool>()
    inBackground {
      request()
      isDone.append(true)
    }
    #expect(try eventually { try waiters() == 1 }, "\(table) is not written")
    server.kill()
    if end == .isCutOff {
      _ = try database.rows(
        """
        select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
        """)
    }
    _ = try holder.rows("select pg_advisory_unlock(4711)")
    #expect(eventually { isDone.count == 1 }, "\(table)")
    try settle()
    _ = try database.rows("drop trigger stop_here on \(table)")
  }

  private func waiters() throws -> Int {
    let text = try database.value(
      "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
    return Int(text ?? "") ?? 0
  }

  /// Waits until nothing of a killed server is left in PostgreSQL.
  private func settle() throws {
    let others = """
      select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and state <> 'idle'
      """
    #expect(try eventually { try database.value(others) == "0" })
  }

  /// Nothing is there without what belongs to it.
  private func expectWhole(_ what: String) throws {
    let broken = try database.rows(
      """
      select 'account without credential', count(*) from account where id not in (select account_id from credential)
      union all
      select 'account without its event', count(*) from account
      where id not in (select account_id from audit_event where kind = 'signed_up')
      union all
      select 'account without its letter', count(*) from account
      where id not in (select account_id from outbox where kind = 'email_verification')
      union all
      select 'event without account', count(*) from audit_event
      where kind = 'signed_up' and account_id not in (select id from account)
      union all
      select 'photo that is not the account''s', count(*)
      from account full join avatar on avatar.account_id = account.id and avatar.sha256 = account.avatar_sha256
      where (account.avatar_sha256 is null) <> (avatar.account_id is null)
      union all
      select 'photo that is not what it is named after', count(*) from avatar where sha256 <> sha256(jpeg)
      union all
      select 'photos and events', count(*) from account
      where avatar_sha256 is null
        and exists (select from audit_event where account_id = account.id and kind = 'photo_changed')
      union all
      select 'epoch and resets', count(*) from account
      where session_epoch <> 1 + (select count(*) from audit_event where account_id = account.id and kind = 'password_reset')
      union all
      select 'resets and letters', count(*) from account
      where session_epoch <> 1 + (select count(*) from outbox where account_id = account.id and kind = 'password_changed')
      union all
      select 'session of another epoch', count(*) from session join account on account.id = session.account_id
      where session.epoch <> account.session_epoch
      """)
    for row in broken { #expect(row[1] == "0", "\(what): \(row[0] ?? "")") }
  }

  @Test(arguments: End.allCases)
  func `a sign-up that is cut off at any table is whole or was never there, and can be repeated`(end: End) throws {
    for table in ["throttle", "account", "credential", "session", "link", "outbox", "audit_event"] {
      let person = Person()
      let server = try server()
      let visitor = Visitor(server)
      try kill(server, at: table, end) { _ = try? visitor.register(person) }
      try expectWhole(table)
      // The attempt is counted by a statement of its own, after which nobody goes on.
      let isThere = end == .goesOn && table != "throttle"
      let count = "select count(*) from account where username = $1"
      #expect(try database.value(count, [person.username]) == (isThere ? "1" : "0"), "\(table)")
      let heir = try self.server()
      let next = Visitor(heir)
      try next.register(person).expect(isThere ? 409 : 201)
      try next.loggedIn(person).me().expect(200)
      try expectWhole("\(table), repeated")
    }
  }

  @Test(arguments: End.allCases)
  func `a reset that is cut off at any table has happened or not, and its link is used only if it has`(
    end: End
  ) throws {
    for table in ["link", "account", "credential", "session", "outbox", "audit_event"] {
      let person = Person()
      let server = try server()
      let visitor = Visitor(server)
      let token = try visitor.signedUp(person).token
      let link = try resetToken(person, visitor)
      try kill(server, at: table, end) { _ = try? visitor.reset(link, Self.password) }
      try expectWhole(table)
      let isReset = end == .goesOn
      let count = """
        select count(*) from link join account on account.id = account_id
        where username = $1 and purpose = 'password_reset'
        """
      #expect(try database.value(count, [person.username]) == (isReset ? "0" : "1"), "\(table)")
      let heir = try self.server()
      let next = Visitor(heir)
      try next.with(token: token).me().expect(isReset ? 401 : 200)
      try next.logIn(person.username, isReset ? person.password : Self.password).problem(.wrongCredentials)
      try next.reset(link, Self.password).expect(isReset ? 410 : 204)
      try next.logIn(person.username, Self.password).expect(201)
      try expectWhole("\(table), repeated")
    }
  }

  @Test(arguments: End.allCases)
  func `a photo whose upload is cut off at any table is whole, or the old one stays`(end: End) throws {
    var server = try server()
    let ada = try Visitor(server).signedUp()
    try ada.upload(SamplePicture.png(10)).expect(200)
    let named = "select encode(sha256, 'hex') from avatar"
    var (photo, changes) = (try #require(try database.value(named)), 1)
    for (index, table) in ["throttle", "account", "avatar", "audit_event"].enumerated() {
      let picture = SamplePicture.png(UInt8(50 + index))
      let visitor = Visitor(server, token: ada.token)
      try kill(server, at: table, end) { _ = try? visitor.upload(picture) }
      try expectWhole(table)
      let now = try #require(try database.value(named))
      let isChanged = end == .goesOn && table != "throttle"
      #expect((now != photo) == isChanged, "\(table)")
      changes += isChanged ? 2 : 1
      server = try self.server()
      let again = Visitor(server, token: ada.token)
      try again.get("/v1/avatars/\(now).jpg").expect(200)
      if isChanged { try again.get("/v1/avatars/\(photo).jpg").problem(.notFound) }
      let account: Account = try again.upload(picture).expect(200).decoded()
      photo = try #require(try database.value(named))
      #expect("\(try #require(account.profileImageURL))".hasSuffix("/v1/avatars/\(photo).jpg"))
      let events = "select count(*) from audit_event where kind = 'photo_changed'"
      #expect(try database.value(events) == "\(changes)", "\(table)")
      try expectWhole("\(table), repeated")
    }
  }

  @Test func `a server killed at any moment leaves everybody whole`() throws {
    let people = Collected<Person>()
    let resets = Collected<(person: Person, password: String)>()
    // On a machine that is busy a round may end before any reset has come through.
    for round in 0..<40 where round < 8 || resets.count == 0 {
      let server = try server()
      let visitor = Visitor(server)
      let isOver = Collected<Bool>()
      let done = Collected<Int>()
      let person = Person()
      let ada = try visitor.signedUp(person)
      people.append(person)
      let password = "\(Self.password) \(round)"
      let works: [@Sendable () throws -> Void] = [
        { _ = try visitor.register(Person("new")) },
        { _ = try ada.upload(SamplePicture.png(.random(in: 0...255))) },
        {
          let token = try resetToken(person, visitor)
          if try visitor.reset(token, password).status == 204 { resets.append((person, password)) }
        },
      ]
      for (index, work) in works.enumerated() {
        inBackground {
          while isOver.count == 0 { try? work() }
          done.append(index)
        }
      }
      usleep(.random(in: 20_000...400_000))
      server.kill()
      isOver.append(true)
      #expect(eventually { done.count == works.count })
      try settle()
      try expectWhole("round \(round)")
    }
    #expect(resets.count > 0)
    let server = try server()
    let changed = Dictionary(resets.all.map { ($0.person.username, $0.password) }, uniquingKeysWith: { $1 })
    for (username, password) in changed { try Visitor(server).logIn(username, password).expect(201) }
    for person in people.all {
      let token = try resetToken(person, Visitor(server))
      try Visitor(server).reset(token, Self.password).expect(204)
      let ada = try Visitor(server)
        .with(token: Visitor(server).logIn(person.username, Self.password).decoded(SignedIn.self).session.token)
      try ada.upload(SamplePicture.png(1)).expect(200)
    }
    try expectWhole("in the end")
  }

  /// The token of a reset link that was asked for, as it waits in the outbox.
  private func resetToken(_ person: Person, _ visitor: Visitor) throws -> String {
    try visitor.requestReset(person.email).expect(202)
    return try #require(
      try database.value(
        "select secret from outbox where kind = 'password_reset' and recipient = $1 order by id desc limit 1",
        [person.email]))
  }
}
