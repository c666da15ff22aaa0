import RoostAPI
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct CallsPageTests {
  let page: String

  init() throws {
    let place = URL(filePath: "../../Sources/Routes/web/calls.html", relativeTo: URL(filePath: #filePath))
    page = String(decoding: try Data(contentsOf: place), as: UTF8.self)
  }

  /// What the page's content security policy leaves room for: one style element, whose hash the server tells, and nothing
  /// else that is loaded or run.
  @Test func `the page runs nothing and asks nobody for anything`() {
    #expect(page.occurrences(of: "<style>") == 1)
    #expect(page.occurrences(of: "</style>") == 1)
    for forbidden in ["<script", "<link", "<img", "<iframe", "src=", "style=", "@import", "url(", "https:", "onload="] {
      #expect(!page.contains(forbidden), "\(forbidden)")
    }
    #expect(page.occurrences(of: "http:") == page.occurrences(of: "ROOST=http://127.0.0.1:8080"))
  }

  @Test(arguments: Endpoint.all.filter { $0.path.hasPrefix("/v1/") })
  func `the page lists every call and whether it needs a session`(endpoint: Endpoint) throws {
    let row = try #require(
      page.split(separator: "\n").first { $0.contains("<code>\(endpoint.method.rawValue) \(endpoint.path)</code>") })
    #expect(row.hasSuffix("<td>\(endpoint.needsSession ? "yes" : "no")</td></tr>"))
  }

  @Test func `the page lists no call that does not exist, and links to the rest`() {
    #expect(page.occurrences(of: "<th scope=\"row\">") == Endpoint.all.count { $0.path.hasPrefix("/v1/") })
    for endpoint in [Endpoint.health, .ready, .openAPI] {
      #expect(page.contains("href=\"\(endpoint.path)\""))
    }
    #expect(page.occurrences(of: "href=") == 3)
  }
}

extension String {
  /// How often `text` occurs.
  fileprivate func occurrences(of text: String) -> Int {
    ranges(of: text).count
  }
}
