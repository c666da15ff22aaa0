import HTTP
import RoostAPI
import Services
import Store
import Testing
import Values

@testable import Routes

@Suite struct PageQueryTests {
  func page(_ query: String?) throws(Refused) -> Store.Page<TweetRow> {
    let target = query.map { "/v1/feed?\($0)" } ?? "/v1/feed"
    let call = Call(
      request: Request(method: .get, target: target, peer: "192.0.2.1"),
      client: Client(address: .unknown, userAgent: nil, token: nil, language: .english), segments: [])
    return try call.page(of: TweetRow.self)
  }

  static let id = "01980f1d-0b21-7e6f-b1c2-d3e4f5a6b7c8"

  @Test(arguments: [
    (nil, 20), ("", 20), ("&&", 20), ("limit=1", 1), ("limit=100", 100), ("limit=007", 7), ("limit=%31%30", 10),
    ("l%69mit=3", 3), ("other=1&limit=5&more", 5), ("LIMIT=5", 20),
  ])
  func `so many items are asked for, twenty unless said otherwise`(query: String?, limit: Int) throws {
    #expect(try page(query) == Store.Page<TweetRow>(limit: limit))
  }

  @Test(arguments: ["before=\(id)", "before=\(id.uppercased())", "limit=20&before=\(id)", "%62efore=\(id)"])
  func `a page begins after an id`(query: String) throws {
    #expect(try page(query) == Store.Page<TweetRow>(before: TweetID(Self.id)))
  }

  @Test(arguments: [
    "limit=0", "limit=101", "limit=-1", "limit=+1", "limit=", "limit", "limit=1.0", "limit=1e1", "limit= 1",
    "limit=+1+",
    "limit=%20", "limit=ten", "limit=99999999999999999999", "limit=٣", "limit=1&limit=1", "limit=1&l%69mit=2",
    "before=", "before", "before=x", "before=\(id)0", "before={\(id)}", "before=\(id)&before=\(id)",
    "limit=%", "limit=%f", "%zz=1", "limit=%FF", "x=%00", "before=%C3%28", "=&=",
  ])
  func `what is out of form, out of range or there twice is refused`(query: String) throws {
    let refused = #expect(throws: Refused.self) { try page(query) }
    #expect(refused?.problem(isTokenPresented: false).code == .malformedQuery)
  }
}
