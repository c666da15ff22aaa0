import RoostAPI
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Ending one's own sessions, one or all others.
@Suite(.onThreads) struct EndSessionsTests {
  private func ids(_ visitor: Visitor) throws -> [String] {
    try visitor.get("/v1/sessions").expect(200).decoded(Page<SessionDetails>.self).items.map(\.id)
  }

  @Test func `one session ends on every node at the very next request`() throws {
    let nodes = try Nodes(2)
    let person = Person()
    let ada = try nodes.visitor().signedUp(person)
    let phone = try nodes.visitor(1).loggedIn(person)
    let sessions = try ids(ada)
    try ada.delete("/v1/sessions/\(sessions[0])").expect(204)
    try phone.me().problem(.signedOut)
    try ada.delete("/v1/sessions/\(sessions[0])").problem(.notFound)
    #expect(try ids(ada) == [sessions[1]])
    try ada.delete("/v1/sessions/\(sessions[1])").expect(204)
    try nodes.visitor(1).with(token: ada.token).me().problem(.signedOut)
  }

  @Test func `another's session is not found, and goes on`() throws {
    let nodes = try Nodes(1)
    let ada = try nodes.visitor().signedUp(Person())
    let bea = try nodes.visitor().signedUp(Person("bea"))
    let session = try ids(bea)[0]
    let refused = try ada.delete("/v1/sessions/\(session)").problem(.notFound)
    let unknown = try ada.delete("/v1/sessions/\(UUID().uuidString.lowercased())").problem(.notFound)
    #expect(refused.detail == unknown.detail)
    try bea.me().expect(200)
    for id in ["x", "1", session.uppercased() + "0"] {
      try ada.delete("/v1/sessions/\(id)").problem(.notFound)
    }
    try ada.with(token: nil).delete("/v1/sessions/\(session)").problem(.signedOut)
  }

  @Test func `all others end, and the one that asks goes on`() throws {
    let nodes = try Nodes(2)
    let person = Person()
    let ada = try nodes.visitor().signedUp(person)
    let others = try (0..<4).map { index in try nodes.visitor(index).loggedIn(person) }
    let bea = try nodes.visitor(1).signedUp(Person("bea"))
    try ada.delete("/v1/sessions").expect(204)
    for other in others { try other.me().problem(.signedOut) }
    try ada.me().expect(200)
    try bea.me().expect(200)
    #expect(try ids(ada).count == 1)
    try ada.delete("/v1/sessions").expect(204)
    try ada.with(token: nil).delete("/v1/sessions").problem(.signedOut)
    #expect(
      try nodes.database.rows("select kind, detail from audit_event where kind = 'session_ended'")
        == [["session_ended", "all others: 4"]])
  }
}
