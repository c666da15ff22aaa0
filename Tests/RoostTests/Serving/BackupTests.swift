import EventLoop
import Log
import Postgres
import RoostAPI
import TestSupport
import Testing

/// Backing up and restoring as docs/operations.md shows it: with its commands.
@Suite(.onThreads, .timeLimit(.minutes(5))) struct BackupTests {
  let ada = Person("ada")
  let bob = Person("bob")

  @Test func `a dump brings back everything as it was, and ended sessions with it until all are ended`() throws {
    let commands = try DocumentedCommands("With a dump")
    let after = try DocumentedCommands("Before nodes serve it")
    let cluster = try OwnCluster()
    let terminal = try Terminal(in: cluster.folder.path + "/work")
    let restored = cluster.target.with(database: "roost_restored")
    let variables = try DocumentedCommands.with(
      [
        "DATABASE_URL": cluster.target.description, "RESTORED_URL": restored.description,
        "ADMIN_URL": cluster.superuserTarget.description,
      ], in: commands.block(with: "ADMIN_URL=")
    )
    let server = try TestServer(cluster.target, settings: ["SWEEP_SECONDS": "86400"])
    let crowd = try Crowd(on: server, ada, bob)
    let before = try Contents(of: cluster.target)
    try terminal.run(variables + commands.block(with: "pg_dump"))
    #expect(try Contents(of: cluster.target) == before, "nothing has changed meanwhile")
    try crowd.elsewhere.signOut().expect(204)

    try terminal.run(variables + commands.block(with: "pg_restore"))
    let contents = try Contents(of: restored)
    #expect(contents == before)
    #expect(contents.rows("avatar") == 1 && contents.rows("tweet") == 2 && contents.rows("session") == 3)
    #expect(contents.rows("throttle") > 0)
    #expect(try Migrator(target: restored, migrations: TestTemplate.migrations, log: .off).migrate() == [])
    #expect(commands.blocks.count == 3, "each has been run")

    let second = try TestServer(restored)
    #expect(try Visitor(second, token: crowd.elsewhere.token).me().status == 200, "as the document says")
    try second.stop()
    try terminal.run(variables + after.block(with: "truncate"))
    try check(TestServer(restored), crowd)
    let said = try terminal.run(variables + after.block(with: "roost migrate"))
    #expect(said.contains("the schema is current") && said.contains("ok    schema: current"))
  }

  @Test func `in containers the same commands run beside the service`() throws {
    let commands = try DocumentedCommands("With containers")
    let cluster = try OwnCluster()
    let terminal = try Terminal(in: cluster.folder.path + "/work")
    // The container's user of the operating system and its role are one; here the superuser plays that role.
    let docker = """
      docker() {
        test "$1" = compose
        case "$2 $3" in
          'stop api' | 'start api') echo "$2" ;;
          'exec -T')
            test "$4" = postgres
            shift 4
            PGHOST=\(cluster.socketFolder) "${@/--username=roost/--username=postgres}" ;;
          *) exit 9 ;;
        esac
      }

      """
    let server = try TestServer(cluster.target, settings: ["SWEEP_SECONDS": "86400"])
    let crowd = try Crowd(on: server, ada, bob)
    let before = try Contents(of: cluster.target)
    try terminal.run(docker + commands.block(with: "pg_dump"))
    try server.stop()
    try BlockingConnection(cluster.target).run("truncate account cascade")

    let said = try terminal.run(docker + commands.block(with: "pg_restore"))
    #expect(said.hasPrefix("stop\n") && said.hasSuffix("start\n"))
    #expect(commands.blocks.count == 2, "each has been run")
    let contents = try Contents(of: cluster.superuserTarget.with(database: "roost"))
    #expect(contents.without("session", "link") == before.without("session", "link"))
    #expect(contents.rows("session") == 0 && contents.rows("link") == 0 && contents.rows("account") == 2)
    try check(TestServer(cluster.superuserTarget.with(database: "roost")), crowd)
  }

  @Test func `the archive brings back the moment before an account was deleted`() throws {
    let commands = try DocumentedCommands("To a moment")
    let after = try DocumentedCommands("Before nodes serve it")
    let cluster = try PlainCluster()
    let terminal = try Terminal(in: cluster.folder.path + "/work")
    let target = cluster.target(port: 5432)
    let restored = cluster.target(port: 5433)
    let (base, copy, archive) = (cluster.path + "/base", cluster.path + "/restored", cluster.path + "/archive")
    let variables = try DocumentedCommands.with(
      [
        "DATA": cluster.data, "BASE": base, "ARCHIVE": archive, "RESTORED": copy,
        "ADMIN_URL": target.with(user: "postgres").with(database: "postgres").description,
        "DATABASE_URL": target.description, "RESTORED_URL": restored.description,
      ], in: commands.block(with: "ADMIN_URL="))
    func run(_ words: String) throws -> String {
      try terminal.run(variables + commands.block(with: words), as: cluster.user)
    }
    try terminal.run("mkdir '\(archive)'", as: cluster.user)
    _ = try run("archive_command")
    let server = try TestServer(target, settings: ["SWEEP_SECONDS": "86400"])
    let first = try Visitor(server).signedUp(Person("eve"))
    _ = try run("pg_basebackup")
    try first.tweet("Between the copy and the mistake.").expect(201)
    let crowd = try Crowd(on: server, ada, bob)
    try crowd.elsewhere.signOut().expect(204)
    let before = try Contents(of: target)

    try crowd.ada.send(
      "DELETE", "/v1/me", headers: [("Content-Type", "application/json")],
      body: Array(#"{"password": "\#(ada.password)"}"#.utf8)
    ).expect(204)
    try crowd.bob.tweet("After the mistake.").expect(201)
    let told = try run("kind = 'account_deleted'").split(separator: "\n")
    #expect(told.count == 1)
    let moment = String(try #require(told.first?.split(separator: "|").first))
    _ = try run("pg_switch_wal")
    let script = try DocumentedCommands.with(["MOMENT": moment], in: commands.block(with: "recovery.signal"))
    defer { cluster.stop(copy) }
    try terminal.run(variables + script, as: cluster.user)
    #expect(commands.blocks.count == 6, "each has been run")

    let contents = try Contents(of: restored)
    // What counts attempts is not in the log.
    #expect(contents.without("throttle") == before.without("throttle"))
    #expect(contents.rows("account") == 3 && contents.rows("tweet") == 3 && contents.rows("throttle") == 0)
    #expect(try Contents(of: target).rows("account") == 2, "the old cluster is as it was")
    let list = try terminal.run(variables + "MOMENT='\(moment)'\n" + after.block(with: "created_at >="))
    #expect(list.split(separator: "\n").map { $0.prefix { $0 != "|" } } == ["account_deleted"])

    try terminal.run(variables + after.block(with: "truncate"))
    try check(TestServer(restored), crowd)
    let said = try terminal.run(variables + after.block(with: "roost migrate"))
    #expect(said.contains("the schema is current"))
  }

  /// Nobody is signed in; whoever logs in finds all that was theirs.
  private func check(_ server: TestServer, _ crowd: Crowd) throws {
    for session in [crowd.ada, crowd.elsewhere, crowd.bob] {
      try Visitor(server, token: session.token).me().problem(.signedOut)
    }
    let again = try Visitor(server).loggedIn(ada)
    let me: Account = try again.me().expect(200).decoded()
    #expect(me.username == ada.username && me.followers == 1 && me.tweets == 1)
    let path = try #require(again.path(of: me))
    #expect(try again.get(path).expect(200).body == crowd.photo)
    let feed = try Visitor(server).loggedIn(bob).get("/v1/feed").expect(200)
    #expect(feed.text.contains("Hello from Ada.") && feed.text.contains(#""likedByMe":true"#))
  }
}

/// Two who know each other, one of them signed in twice, with a photo.
private struct Crowd {
  let ada: Visitor
  let elsewhere: Visitor
  let bob: Visitor
  let photo: [UInt8]

  init(on server: TestServer, _ one: Person, _ other: Person) throws {
    ada = try Visitor(server).signedUp(one)
    elsewhere = try Visitor(server).loggedIn(one)
    bob = try Visitor(server).signedUp(other)
    let account: Account = try ada.upload(SamplePicture.png(99)).expect(200).decoded()
    photo = try ada.get(try #require(ada.path(of: account))).expect(200).body
    let tweet: Tweet = try ada.tweet("Hello from Ada.").expect(201).decoded()
    try bob.tweet("Hello from Bob.").expect(201)
    try bob.send("PUT", "/v1/users/\(one.username)/follow").expect(204)
    try bob.send("PUT", "/v1/tweets/\(tweet.id)/like").expect(204)
  }
}

/// Every row of every table.
private struct Contents: Equatable {
  private var tables: [String: [String]] = [:]

  init(of target: ConnectionTarget) throws {
    let connection = try BlockingConnection(target)
    let names = try connection.rows(
      "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace")
    for name in names.map({ $0[0]! }) {
      tables[name] = try connection.rows("select \(name)::text from \(name) order by 1").map { $0[0]! }
    }
  }

  func rows(_ table: String) -> Int { tables[table]?.count ?? -1 }

  func without(_ names: String...) -> Contents {
    var copy = self
    for name in names { copy.tables[name] = nil }
    return copy
  }
}
