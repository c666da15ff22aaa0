import Secrets
import Store
import Testing
import Values

@Suite(.timeLimit(.minutes(2))) struct ExportAccountTests {
  @Test func `what is held of the viewer is there, and nothing of others and no secret`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let bob = try await ground.newcomer("bob")
      try await ground.post("hers", by: ada)
      let his = try await ground.post("his", by: bob)
      try ground.change("insert into tweet_like (tweet_id, account_id) values ($1, $2)", [String(his), String(ada.id)])
      let text = try await ground.found(ExportAccount(token: ada.token))
      for expected in ["\"hers\"", String(his), "ada@example.com", "signed_up", "email_verification", "192.0.2.1"] {
        #expect(text.contains(expected), "\(expected)")
      }
      let secret = try #require(try ground.value("select secret from outbox where account_id = $1", [String(ada.id)]))
      for unwanted in [secret, "argon2", "\"his\"", "bob", ada.token.bytes.hex, "digest", "hash", "secret"] {
        #expect(!text.contains(unwanted), "\(unwanted)")
      }
      #expect(text.contains("\"complete\" : true"))
    }
  }

  @Test func `a list is cut, and says so`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      try ground.change(
        """
        insert into tweet (id, author_id, text, created_at)
        select gen_random_uuid(), $1::uuid, 'cut', now() from generate_series(1, 5001)
        """, [String(ada.id)])
      let text = try await ground.found(ExportAccount(token: ada.token))
      #expect(text.contains("\"complete\" : false"))
      #expect(text.ranges(of: "\"cut\"").count == ExportAccount.itemsMax)
    }
  }
}
