import HTTP
import Metrics
import RoostAPI
import Testing

@testable import Routes

/// What `Server-Timing` says, and of which calls.
@Suite struct ServerTimingTests {
  @Test func `each wait is an entry of the W3C's form, in milliseconds, and what did not happen is none`() {
    let times = RequestTimes()
    #expect(ServerTiming.value(times, total: 5) == "total;dur=0.005")
    times.note(.database, 1_234)
    #expect(
      ServerTiming.value(times, total: 2_000) == #"db;desc="1 statement";dur=1.234, total;dur=2.000"#)
    times.note(.database, 10_000)
    times.note(.queue, 40)
    times.note(.hash, 14_300)
    #expect(
      ServerTiming.value(times, total: 1_000_000)
        == #"db;desc="2 statements";dur=11.234, queue;dur=0.040, hash;dur=14.300, total;dur=1000.000"#)
  }

  /// Calls whose time would tell strangers which logins and addresses are known.
  static let secret: Set<Endpoint> = [
    .register, .login, .signOut, .requestPasswordReset, .resetPassword, .confirmEmail, .remindUsername,
    .usernameAvailability,
  ]

  @Test func `calls without a session are told none`() {
    for endpoint in Endpoint.all { #expect(ServerTiming.isTold(of: endpoint) == endpoint.needsSession) }
    #expect(Self.secret.allSatisfy { !ServerTiming.isTold(of: $0) })
  }

  @Test func `it is there for those who configure it, and for nobody else`() async throws {
    for tellsTimes in [true, false] {
      try await Stage.with(tellsTimes: tellsTimes) { stage in
        let ada = try await stage.newcomer("ada")
        let me = await stage.send(.get, "/v1/me", token: ada.session.token)
        #expect(me.status == 200)
        let value = me.header("Server-Timing")
        #expect((value != nil) == tellsTimes)
        if let value {
          let form = #/db;desc="1 statement";dur=\d+\.\d{3}, total;dur=\d+\.\d{3}/#
          #expect(value.wholeMatch(of: form) != nil, "\(value)")
        }
        let password = await stage.send(
          .put, "/v1/me/password", token: ada.session.token,
          json: #"{"currentPassword":"an engine of brass","newPassword":"an engine of steel"}"#)
        #expect(password.status == 204)
        #expect(password.header("Server-Timing")?.contains("queue;dur=") ?? false == tellsTimes)
        #expect(password.header("Server-Timing")?.contains("hash;dur=") ?? false == tellsTimes)
        // Refused ones are told it too, strangers are not.
        let unknown = await stage.send(.get, "/v1/me", token: "roost_nobody")
        #expect(unknown.status == 401 && (unknown.header("Server-Timing") != nil) == tellsTimes)
        for login in ["ada", "eve"] {
          let answer = await stage.send(
            .post, "/v1/login", json: #"{"login":"\#(login)","password":"an engine of steel"}"#)
          #expect(answer.status == (login == "ada" ? 201 : 401), "\(answer.text)")
          #expect(answer.header("Server-Timing") == nil)
        }
      }
    }
  }
}
