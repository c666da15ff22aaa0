import Secrets
import Store
import Testing
import Values

@Suite(.timeLimit(.minutes(5))) struct ExportAccountTests {
  @Test func `what is held of the viewer is there, and nothing of others and no secret`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let bob = try await ground.newcomer("bob")
      try await ground.post("hers", by: ada)
      let his = try await ground.post("his", by: bob)
      try ground.change("insert into tweet_like (tweet_id, account_id) values ($1, $2)", [String(his), String(ada.id)])
      try ground.change(
        "insert into follow (id, follower_id, followee_id) values ($1, $2, $3)",
        [String(his), String(ada.id), String(bob.id)])
      let text = try await ground.exported(by: ada)
      for expected in [
        "\"hers\"", String(his), "ada@example.com", "signed_up", "email_verification", "192.0.2.1",
        "\"username\" : \"bob\"",
      ] {
        #expect(text.contains(expected), "\(expected)")
      }
      let secret = try #require(try ground.value("select secret from outbox where account_id = $1", [String(ada.id)]))
      for unwanted in [secret, "argon2", "\"his\"", "bob@", ada.token.bytes.hex, "digest", "hash", "secret"] {
        #expect(!text.contains(unwanted), "\(unwanted)")
      }
    }
  }

  @Test func `a list is read part by part, to its end`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let none = try await ground.found(ExportTweets(token: ada.token, before: nil))
      #expect(none.json.isEmpty && none.last == nil)
      try ground.change(
        """
        insert into tweet (id, author_id, text, created_at)
        select gen_random_uuid(), $1::uuid, 'part', now() from generate_series(1, 1200)
        """, [String(ada.id)])
      var counts: [Int] = []
      var key: ExportKey?
      repeat {
        let part = try await ground.found(ExportTweets(token: ada.token, before: key))
        counts.append(part.json.ranges(of: "\"part\"").count)
        key = part.last
      } while key != nil
      #expect(counts == [500, 500, 200])
    }
  }
}

extension Ground {
  /// All that the statements of an export answer, one after the other.
  fileprivate func exported(by viewer: Person) async throws -> String {
    var text = try await found(ExportAccount(token: viewer.token))
    let lists: [any ExportListStatement.Type] = [
      ExportSessions.self, ExportTweets.self, ExportLikes.self, ExportFollows.self, ExportEvents.self,
      ExportLetters.self,
    ]
    for list in lists { text += try await part(list, viewer) }
    return text
  }

  private func part<List: ExportListStatement>(_ list: List.Type, _ viewer: Person) async throws -> String {
    try await found(List(token: viewer.token, before: nil)).json
  }
}
