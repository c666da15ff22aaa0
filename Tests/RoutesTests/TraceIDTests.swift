import HTTP
import Testing

@testable import Routes

@Suite struct TraceIDTests {
  private func trace(_ values: String...) -> String? {
    TraceID.of(Request(method: .get, target: "/", peer: "192.0.2.1", headers: values.map { (.traceParent, $0) }))
  }

  private static let id = "4bf92f3577b34da6a3ce929d0e0e4736"

  @Test func `the id of a trace is read, also of a version to come`() {
    #expect(trace("00-\(Self.id)-00f067aa0ba902b7-01") == Self.id)
    #expect(trace("cc-\(Self.id)-00f067aa0ba902b7-01-what-follows") == Self.id)
  }

  @Test(arguments: [
    "", "00", "00-\(id)-00f067aa0ba902b7", "00-\(id)-00f067aa0ba902b7-01-more", "ff-\(id)-00f067aa0ba902b7-01",
    "00-\(id.uppercased())-00f067aa0ba902b7-01", "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
    "00-\(id)-0000000000000000-01", "00-\(id)0-00f067aa0ba902b7-01", "00-\(id.dropLast())\"-00f067aa0ba902b7-01",
  ])
  func `what is out of form is no trace`(text: String) {
    #expect(trace(text) == nil)
  }

  @Test func `two of them are none`() {
    let one = "00-\(Self.id)-00f067aa0ba902b7-01"
    #expect(trace(one, one) == nil)
    #expect(trace() == nil)
  }
}
