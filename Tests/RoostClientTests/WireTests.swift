import Dispatch
import Foundation
import RoostAPI
import TestSupport
import Testing

@testable import RoostClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// `URLSession` as this platform has it.
@Suite(.timeLimit(.minutes(5))) struct WireTests {
  private static func request(_ server: LocalServer, idleSecondsMax: Double = 60) -> URLRequest {
    URLRequest(url: URL(string: server.url)!, timeoutInterval: idleSecondsMax)
  }

  @Test func `the head comes before the body, and the body piece by piece`() async throws {
    let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let server = try LocalServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nX-Odd: yes\r\n\r\n")
      first.wait()
      connection.send("one")
      second.wait()
      connection.send("two")
      return false
    }
    let incoming = try await Wire().open(Self.request(server))
    #expect(incoming.status == 200 && incoming.headers["x-odd"] == "yes")
    var body = incoming.body.makeAsyncIterator()
    first.signal()
    #expect(try await body.next() == Data("one".utf8))
    second.signal()
    #expect(try await body.next() == Data("two".utf8))
    #expect(try await body.next() == nil)
  }

  @Test func `a cancelled wait for the head ends at once, and closes the connection`() async throws {
    let (arrived, left) = (Gate(), Gate())
    let server = try LocalServer { _, connection in
      arrived.open()
      connection.waitForHangUp()
      left.open()
      return false
    }
    let wire = Wire()
    let call = Task { try await wire.open(Self.request(server)) }
    await arrived.pass()
    call.cancel()
    await #expect(throws: RoostError.cancelled) { try await call.value }
    await left.pass()
  }

  @Test func `a body that nobody reads any more closes the connection`() async throws {
    let left = Gate()
    let server = try LocalServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nfirst")
      connection.waitForHangUp()
      left.open()
      return false
    }
    let wire = Wire()
    var incoming: Incoming? = try await wire.open(Self.request(server))
    #expect(incoming?.status == 200)
    incoming = nil
    await left.pass()
  }

  @Test func `a cancelled reader of a body is let go`() async throws {
    let server = try LocalServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nfirst")
      connection.waitForHangUp()
      return false
    }
    let wire = Wire()
    let reading = Gate()
    let reader = Task {
      for try await _ in try await wire.open(Self.request(server)).body { reading.open() }
    }
    await reading.pass()
    reader.cancel()
    _ = await reader.result
  }

  @Test func `silence before the head is a time-out, and so is silence in a body`() async throws {
    let server = try LocalServer { request, connection in
      if request.headers["x-head"] != nil { connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\none") }
      connection.waitForHangUp()
      return false
    }
    let wire = Wire()
    await #expect(throws: RoostError.timedOut) { try await wire.open(Self.request(server, idleSecondsMax: 1)) }
    var request = Self.request(server, idleSecondsMax: 1)
    request.setValue("yes", forHTTPHeaderField: "X-Head")
    let incoming = try await wire.open(request)
    await #expect(throws: RoostError.timedOut) { try await incoming.collected() }
  }

  @Test func `a slow but steady body is no time-out`() async throws {
    let server = try LocalServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
      for _ in 0..<6 {
        Thread.sleep(forTimeInterval: 0.4)
        connection.send(".")
      }
      return false
    }
    let body = try await Wire().open(Self.request(server, idleSecondsMax: 1)).collected()
    #expect(String(decoding: body, as: UTF8.self) == "......")
  }

  @Test func `an answer that is cut off is an error`() async throws {
    let server = try LocalServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
      return false
    }
    let incoming = try await Wire().open(Self.request(server))
    await #expect(throws: RoostError.self) { try await incoming.collected() }
  }

  @Test func `a redirection is not followed: the token stays with the server it is for`() async throws {
    let other = try LocalServer { _, connection in
      connection.answer(200, Array("{}".utf8))
      return true
    }
    let server = try LocalServer { _, connection in
      connection.answer(302, [], headers: [("Location", other.url)])
      return true
    }
    var request = Self.request(server)
    request.setValue("Bearer t1", forHTTPHeaderField: "Authorization")
    let incoming = try await Wire().open(request)
    #expect(incoming.status == 302)
    _ = try await incoming.collected()
    #expect(other.requests.isEmpty)
  }

  @Test func `cookies are neither kept nor sent`() async throws {
    let server = try LocalServer { _, connection in
      connection.answer(200, Array("{}".utf8), headers: [("Set-Cookie", "a=b; Path=/")])
      return true
    }
    let wire = Wire()
    for _ in 0..<2 { _ = try await wire.open(Self.request(server)).collected() }
    #expect(server.requests.count == 2 && server.requests.allSatisfy { $0.headers["cookie"] == nil })
  }

  @Test func `connections are used again`() async throws {
    let server = try LocalServer { _, connection in
      connection.answer(200, Array("{}".utf8))
      return true
    }
    let wire = Wire()
    for _ in 0..<20 { _ = try await wire.open(Self.request(server)).collected() }
    #expect(server.requests.count == 20 && server.connectionCount < 5, "\(server.connectionCount)")
  }

  @Test func `many calls at once all get their own answers`() async throws {
    let server = try LocalServer { request, connection in
      connection.answer(200, Array(request.target.utf8))
      return true
    }
    let wire = Wire()
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<100 {
        group.addTask {
          let url = URL(string: "\(server.url)/\(number)")!
          let body = try await wire.open(URLRequest(url: url)).collected()
          return String(decoding: body, as: UTF8.self) == "/\(number)"
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }

  @Test func `nobody there is unreachable`() async throws {
    let request = URLRequest(url: URL(string: "http://127.0.0.1:1")!)
    let error = await #expect(throws: RoostError.self) { try await Wire().open(request) }
    guard case .unreachable(let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!reason.isEmpty)
  }
}
