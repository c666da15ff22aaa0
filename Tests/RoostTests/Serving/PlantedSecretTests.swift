import Postgres
import RoostAPI
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Passwords and tokens with a mark in them, and a search for the mark everywhere afterwards.
@Suite(.onThreads) struct PlantedSecretTests {
  @Test(arguments: ["json", "text"])
  func `neither log nor tables hold a password or a token in clear`(format: String) throws {
    let database = try TestDatabase.fresh()
    let server = try TestServer(
      database,
      settings: [
        // A mail server that is not there: without any, letters are shown in a readable log, as development wants it.
        "LOG_LEVEL": "debug", "LOG_FORMAT": format, "MAIL_URL": "smtp://127.0.0.1:9",
      ])
    var person = Person("planted")
    person.password = "PlantedPassword-\(UInt64.random(in: 0...UInt64.max))"
    var secrets = [person.password, "PlantedWrong", "PlantedOther", "PlantedMistake", person.email]

    let visitor = Visitor(server)
    let answer: SignedIn = try visitor.register(person).expect(201).decoded()
    let token = try #require(answer.session.token)
    let ada = visitor.with(token: token)
    secrets += [token, String(token.dropFirst("roost_".count))]
    try ada.tweet("Nothing to hide").expect(201)
    try ada.get("/v1/feed").expect(200)
    try ada.get("/v1/sessions").expect(200)
    try visitor.register(person).problem(.taken)
    // Wrong and odd ones, and a password where a name belongs.
    try visitor.logIn(person.email, "PlantedWrong").problem(.wrongCredentials)
    try visitor.logIn("PlantedMistake", person.password).problem(.wrongCredentials)
    try visitor.post("/v1/login", json: #"{"login":"\#(person.email)","password":["PlantedWrong"]}"#).problem(
      .malformedBody)
    try visitor.post("/v1/login", json: #"{"password":"PlantedWrong" PlantedOther"#).problem(.malformedBody)
    try visitor.post(
      "/v1/register", json: #"{"email":"PlantedMistake","username":"PlantedMistake!","password":"Planted"}"#
    )
    .problem(.invalidFields)
    try visitor.with(token: "roost_PlantedOther").me().problem(.signedOut)
    try visitor.get("/v1/me", headers: [("Authorization", "Basic PlantedOther")]).problem(.signedOut)
    try visitor.get("/v1/me?password=PlantedOther&token=\(token)").problem(.signedOut)
    let cookie = try visitor.post(
      "/v1/login", json: #"{"login":"\#(person.email)","password":"\#(person.password)","cookie":true}"#
    ).expect(201)
    #expect(!cookie.text.contains("roost_"))
    let set = try #require(cookie["Set-Cookie"])
    let cookieToken = try #require(set.split(separator: ";").first?.split(separator: "=").last.map { String($0) })
    secrets.append(cookieToken)
    try visitor.get("/v1/me", headers: [("Cookie", "roost_session=\(cookieToken)")]).expect(200)

    try provokeErrors(database, visitor, ada, person)
    #expect(server.log.contains("internal_error"), "errors were provoked")
    expectAbsent(secrets, in: server.log, "the log")
    try expectOnlyDigests(database, token, secrets.filter { $0 != person.email })
    if let log = Self.databaseLog { expectAbsent(secrets, in: log, "PostgreSQL's log") }
    #expect(try server.stop() == 0)
    expectAbsent(secrets, in: server.log, "the log at the end")
  }

  /// Statements that fail half-way, and a database that nobody can get into.
  private func provokeErrors(_ database: TestDatabase, _ visitor: Visitor, _ ada: Visitor, _ person: Person) throws {
    _ = try database.rows("alter table credential add constraint planted check (false) not valid")
    var other = Person("planted")
    other.password = person.password
    try visitor.register(other).problem(.internalError)
    _ = try database.rows("alter table credential drop constraint planted")
    _ = try database.rows("alter table session rename column token_digest to digest")
    try ada.me().problem(.internalError)
    try ada.tweet("PlantedOther").problem(.internalError)
    try visitor.logIn(person.email, person.password).problem(.internalError)
    try ada.signOut().problem(.internalError)
    _ = try database.rows("alter table session rename column digest to token_digest")
    try BlockingConnection(TestCluster.target()).run("alter database \(database.name) allow_connections false")
    _ = try BlockingConnection(TestCluster.target()).rows(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [database.name])
    try visitor.logIn(person.email, person.password).problem(.databaseUnavailable)
    try ada.me().problem(.databaseUnavailable)
    try BlockingConnection(TestCluster.target()).run("alter database \(database.name) allow_connections true")
    #expect(try eventually { try ada.me().status == 200 })
  }

  private func expectAbsent(_ secrets: [String], in text: String, _ place: String) {
    for line in text.split(separator: "\n") {
      for secret in secrets where line.contains(secret) { Issue.record("\(place) holds \(secret): \(line)") }
    }
  }

  /// All rows of all tables, as text. A token is there as its SHA-256 alone.
  private func expectOnlyDigests(_ database: TestDatabase, _ token: String, _ secrets: [String]) throws {
    let tables = try database.rows("select quote_ident(tablename) from pg_tables where schemaname = 'public'")
    var dump = ""
    for table in tables.compactMap({ $0[0] }) {
      let rows = try database.rows("select row.*::text from \(table) as row")
      dump += rows.map { $0.map { $0 ?? "" }.joined(separator: ",") }.joined(separator: "\n") + "\n"
    }
    #expect(dump.contains("$argon2id$v=19$m=19456,t=2,p=1$"))
    for secret in secrets {
      #expect(!dump.contains(secret), "a table holds \(secret)")
      let bytes = secret.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      #expect(!dump.contains(bytes), "a table holds the bytes of \(secret)")
    }
    let body = token.dropFirst("roost_".count)
    let bits = "decode(translate('\(body)', '-_', '+/') || '=', 'base64')"
    #expect(try database.value("select count(*) from session where token_digest = sha256(\(bits))") == "1")
    let hex = try database.value("select encode(\(bits), 'hex')")
    #expect(try !dump.contains(#require(hex)), "a table holds the bits of the token")
  }

  /// What PostgreSQL itself says; nil where the tests may not read it.
  private static var databaseLog: String? {
    guard let target = getenv("ROOST_TEST_DATABASE").map({ String(cString: $0) }),
      let host = target.split(separator: " ").first(where: { $0.hasPrefix("host=/") })?.dropFirst("host=".count),
      let file = fopen("\(host)/log", "re")
    else { return nil }
    defer { fclose(file) }
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 { text += piece.prefix(count) }
    return String(decoding: text, as: UTF8.self)
  }
}
