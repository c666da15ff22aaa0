import RoostAPI
import TestSupport
import Testing

/// Names that look like another's.
@Suite(.onThreads) struct NameAttackTests {
  /// Each would pass for `ada_lovelace`, or would become it by some folding of Unicode.
  static let lookAlikes = [
    "аda_lovelace", "ada_lovelасe", "ada\u{200b}_lovelace", "ada_love\u{00ad}lace", "ａｄａ_lovelace", "ada‿lovelace",
    "ada\u{ff3f}lovelace", "𝐚𝐝𝐚_lovelace", "ⓐda_lovelace", "ada_lovelace\u{202e}", "\u{202d}ada_lovelace",
    "ada_lovelace\u{0}",
    "ada_lovelac\u{212f}", "ada_lovelace\u{301}", "ada_lovelace\u{fe0f}", "ada_\u{13a}ovelace", "ada_lovela\u{0441}e",
    "ada_lovelace\u{3164}", "ada_lovelace\u{2060}", "ada_lovelace\n", "ada_lovelace\u{a0}", "ada_lov\u{435}lace",
    "ada_\u{17f}ovelace", "\u{131}da_lovelace",
  ]

  @Test(arguments: lookAlikes)
  func `a name that looks like another is no name`(name: String) throws {
    try Self.stage.get().expect(name)
  }

  @Test func `a name in another case is the same name`() throws {
    let server = try Self.stage.get().server
    for name in ["ADA_LOVELACE", "Ada_Lovelace"] {
      let answer = try Visitor(server).register(
        Registration(email: Person().email, username: name, password: "an engine of brass"))
      try answer.problem(.taken)
    }
  }

  /// The address is folded in ASCII alone: what other foldings would make one stays no address at all.
  @Test(arguments: [
    "ada@exampİe.com", "ada@ex\u{3002}com", "ada@example\u{ff0e}com", "ａda@example.com", "ada@exa\u{212a}.com",
    "ada\u{200b}@example.com",
  ])
  func `an address that looks like another is no address`(email: String) throws {
    let answer = try Visitor(Self.stage.get().server).register(
      Registration(email: email, username: Person("mail").username, password: "an engine of brass"))
    #expect(try answer.problem(.invalidFields).errors?.map(\.field) == ["email"])
    try Visitor(Self.stage.get().server).logIn(email, "an engine of brass").problem(.wrongCredentials)
  }

  private struct Stage {
    let server: TestServer

    init() throws {
      server = try TestServer(
        TestDatabase.fresh(),
        settings: ["LIMIT_REGISTER_ADDRESS": "0", "LIMIT_LOGIN_ADDRESS": "0", "LIMIT_USERNAMES_ADDRESS": "0"])
      try Visitor(server).register(
        Registration(email: "ada@example.com", username: "ada_lovelace", password: "an engine of brass")
      ).expect(201)
    }

    /// Refused wherever a name is chosen, and nobody wherever one is looked for.
    func expect(_ name: String) throws {
      let visitor = Visitor(server)
      let registration = Registration(email: Person().email, username: name, password: "an engine of brass")
      let answer = try visitor.register(registration)
      #expect(answer.status == 422 || answer.status == 400, "\(name.debugDescription): \(answer)")
      let ada = try visitor.logIn("ada_lovelace", "an engine of brass").expect(201).decoded(SignedIn.self)
      let login = try visitor.logIn(name, "an engine of brass")
      #expect(login.status == 401 || login.status == 400, "\(name.debugDescription): \(login)")
      let path = name.utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      let signedIn = visitor.with(token: ada.session.token)
      let profile = try signedIn.get("/v1/users/\(path)")
      #expect(profile.status == 404 || profile.status == 400, "\(name.debugDescription): \(profile)")
      let availability = try visitor.get("/v1/usernames/\(path)")
      if availability.status == 200 {
        #expect(try availability.decoded(UsernameAvailability.self).available == false, "\(name.debugDescription)")
      } else {
        #expect(availability.status == 400)
      }
    }
  }

  private static let stage = Result { try Stage() }
}
