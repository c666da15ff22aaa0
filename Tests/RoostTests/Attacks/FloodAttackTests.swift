import RoostAPI
import TestSupport
import Testing

/// Requests that are too much in one way or another.
@Suite(.onThreads) struct FloodAttackTests {
  private static func request(_ target: String, _ headers: [String]) -> String {
    "GET \(target) HTTP/1.1\r\nHost: roost\r\n" + headers.map { $0 + "\r\n" }.joined() + "\r\n"
  }

  @Test func `a flood of pipelined requests that nobody reads waits, and each is answered`() throws {
    let siege = try Siege()
    let count = Siege.isFull ? 100_000 : 20_000
    try siege.attacked(withinMiB: 16) {
      let connection = try RawConnection(siege.server.address, timeoutMilliseconds: 60_000)
      let all = String(repeating: Self.request("/healthz", []), count: count)
      inBackground { try? connection.send(all) }
      // Nobody reads: the server must neither keep the answers nor go on reading.
      sleepMilliseconds(500)
      let text = Self.request("/healthz", ["Connection: close"])
      var answered = 0
      while answered < count {
        try connection.readResponse().expect(200)
        answered += 1
      }
      try connection.send(text)
      try connection.readResponse().expect(200)
      #expect(try connection.readToEnd().isEmpty)
    }
  }

  @Test func `more than 64 query parameters are refused at once, as a problem`() throws {
    let siege = try Siege()
    let most = "/healthz?" + String(repeating: "a&", count: 63)
    try Visitor(siege.server).get(most).expect(200)
    try siege.attacked(withinMiB: 16) {
      for parameters in [64, 65, 500, 7_000] {
        let connection = try RawConnection(siege.server.address)
        try connection.send(Self.request("/healthz?" + String(repeating: "a&", count: parameters), []))
        let time = try ContinuousClock().measure {
          let answer = try connection.readResponse()
          try answer.problem(.malformedRequest)
          #expect(answer["Connection"] == "close")
          _ = try connection.readToEnd()
        }
        #expect(time < .seconds(2))
      }
      // What was refused is not done.
      let connection = try RawConnection(siege.server.address)
      try connection.send(
        "POST /v1/signout?\(String(repeating: "&", count: 64)) HTTP/1.1\r\nHost: roost\r\n"
          + "Authorization: Bearer \(siege.ada.token ?? "")\r\nContent-Length: 0\r\n\r\n")
      try connection.readResponse().problem(.malformedRequest)
      try siege.ada.me().expect(200)
    }
  }

  /// What libmicrohttpd keeps of each field and each cookie has a bound as well. It refuses by itself, without our form,
  /// and too many cookies end the connection.
  static let floods: [(fields: [String], statuses: Set<Int>)] = [
    ((0..<3_000).map { "X-\($0): x" }, [431]), ([String](repeating: "a:", count: 4_000), [431]),
    (["X-Long: " + String(repeating: "x", count: 200_000)], [431]),
    (["Cookie: " + String(repeating: "a=b; ", count: 3_000)], [0]),
    (["Cookie: " + String(repeating: "a;", count: 7_000)], [0]),
    ([String](repeating: "Cookie: a=b", count: 1_000), [431]),
    ([String](repeating: "Host: roost", count: 900), [431]), ([String](repeating: "Host: roost", count: 200), [400]),
    ([String](repeating: "Authorization: Bearer x", count: 200), [400]),
    (["Authorization: Bearer " + String(repeating: "x", count: 15_000)], [401]),
    (["X-Forwarded-For: " + String(repeating: "1.1.1.1, ", count: 1_500)], [401]),
    (["Cookie: " + String(repeating: "a=b; ", count: 300)], [401]),
    (["If-None-Match: " + String(repeating: "\"a\", ", count: 3_000)], [401]),
    (["Accept-Language: " + String(repeating: "a;q=0.1,", count: 1_900)], [401]),
  ]

  @Test func `fields and cookies beyond all measure are refused soon, and hold up nobody`() throws {
    let siege = try Siege()
    try siege.attacked(withinMiB: 16) {
      for (fields, statuses) in Self.floods {
        let connection = try RawConnection(siege.server.address)
        let time = try ContinuousClock().measure {
          try? connection.send(Self.request("/v1/me", ["Connection: close"] + fields))
          let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
          let status = Int(text.dropFirst("HTTP/1.1 ".count).prefix(3)) ?? 0
          #expect(statuses.contains(status), "\(fields.count) × \(fields[0].prefix(40)): \(text)")
        }
        #expect(time < .seconds(2), "\(fields.count) × \(fields[0].prefix(40)): \(time)")
      }
    }
  }

  @Test func `streams beyond an account's ten are refused, however many ask at once`() throws {
    let siege = try Siege(["CONNECTIONS_MAX": "400"])
    let count = Siege.isFull ? 290 : 100
    try siege.attacked(withinMiB: 16) {
      let ask = "GET /v1/feed/live HTTP/1.1\r\nHost: roost\r\nAuthorization: Bearer \(siege.ada.token ?? "")\r\n\r\n"
      let connections = try (0..<count).map { _ in
        let connection = try RawConnection(siege.server.address)
        try connection.send(ask)
        return connection
      }
      var heads: [String: Int] = [:]
      for connection in connections {
        heads[String(try connection.readSome().prefix(12)), default: 0] += 1
      }
      #expect(heads == ["HTTP/1.1 200": 10, "HTTP/1.1 429": count - 10])
    }
  }

  @Test func `streams take three quarters of the connections at most`() throws {
    let siege = try Siege(["CONNECTIONS_MAX": "80"])
    let people = try (0..<7).map { _ in try Visitor(siege.server).signedUp() }
    try siege.attacked(withinMiB: 16) {
      let streams = try (0..<70).map { try LiveListener(siege.server, people[$0 % 7]) }
      #expect(streams.map(\.status).counted == [200: 60, 503: 10])
    }
  }

  @Test func `large bodies beyond sixteen are refused, and take no more memory`() throws {
    let siege = try Siege(["LIMIT_AVATAR_ACCOUNT": "0"])
    let mebibytes = 9
    let head =
      "PUT /v1/me/avatar HTTP/1.1\r\nHost: roost\r\nAuthorization: Bearer \(siege.ada.token ?? "")\r\n"
      + "Content-Type: image/png\r\nContent-Length: \(10 * 1_024 * 1_024)\r\n\r\n"
    // Each of the sixteen is kept whole while it comes.
    try siege.attacked(withinMiB: 16 * 2 * mebibytes + 32) {
      let connections = try atOnce(Siege.isFull ? 60 : 24) { _ in
        let connection = try RawConnection(siege.server.address)
        try connection.send(head)
        let piece = [UInt8](repeating: 7, count: 1_024 * 1_024)
        for _ in 0..<mebibytes where !connection.isReadable(withinMilliseconds: 0) { try? connection.send(piece) }
        return connection
      }
      let refused = connections.filter { $0.isReadable(withinMilliseconds: 500) }
      #expect(refused.count == connections.count - 16)
      for connection in refused { try connection.readResponse().problem(.overloaded) }
      // Small bodies have places of their own.
      try siege.ada.upload(AvatarTests.png).expect(200)
    }
  }
}
