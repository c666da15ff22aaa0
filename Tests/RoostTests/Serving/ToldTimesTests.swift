import RoostAPI
import TestSupport
import Testing

/// `SERVER_TIMING`, on a server.
@Suite(.onThreads) struct ToldTimesTests {
  @Test func `whoever is signed in is told what took the time, and strangers nothing`() throws {
    let server = try TestServer(.fresh(), settings: ["SERVER_TIMING": "true"])
    let visitor = Visitor(server)
    let person = Person()
    let ada = try visitor.signedUp(person)
    let told = try #require(try ada.me().expect(200)["Server-Timing"])
    let form = #/db;desc="1 statement";dur=(\d+\.\d{3}), total;dur=(\d+\.\d{3})/#
    let match = try #require(told.wholeMatch(of: form), "\(told)")
    let (database, total) = (try #require(Double(match.1)), try #require(Double(match.2)))
    #expect(0 < database && database <= total && total < 15_000)
    #expect(try ada.get("/v1/feed").expect(200)["Server-Timing"] != nil)
    // What their time would tell: which logins, addresses and names are known.
    for (path, known, unknown) in [
      ("login", #"{"login":"\#(person.email)","password":"x"}"#, #"{"login":"eve","password":"x"}"#),
      ("password-reset", #"{"email":"\#(person.email)"}"#, #"{"email":"eve@example.com"}"#),
      ("username-reminder", #"{"email":"\#(person.email)"}"#, #"{"email":"eve@example.com"}"#),
    ] {
      for body in [known, unknown] {
        let answer = try visitor.post("/v1/\(path)", json: body)
        #expect([202, 401].contains(answer.status) && answer["Server-Timing"] == nil, "\(path) \(answer)")
      }
    }
    for path in ["/v1/usernames/\(person.username)", "/healthz", "/readyz", "/"] {
      #expect(try visitor.get(path).expect(200)["Server-Timing"] == nil)
    }
  }

  @Test func `unless it is asked for, nobody is told`() throws {
    let server = try TestServer(.fresh())
    #expect(try Visitor(server).signedUp().me().expect(200)["Server-Timing"] == nil)
  }
}
