import HTTP
import Testing

@testable import Routes

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct WebClientTests {
  let client = WebClient()

  static let folder = URL(filePath: "../../Sources/Routes/web", relativeTo: URL(filePath: #filePath))
    .standardizedFileURL

  func ask(_ path: String, _ method: HTTP.Method = .get, etag: String? = nil) throws -> Response? {
    let headers: [(Header, String)] = etag.map { [(.ifNoneMatch, $0)] } ?? []
    return try client.answer(to: Request(method: method, target: path, peer: "192.0.2.1", headers: headers))
  }

  /// What the document loads, as it stands in it.
  func addresses() throws -> [String] {
    let html = String(decoding: try #require(try ask("/")).body, as: UTF8.self)
    return html.matches(of: #/(?:href|src)="(/assets/[^"]+)"/#).map { String($0.1) }
  }

  @Test(arguments: [
    "/", "/register", "/photo", "/login", "/home", "/explore", "/settings", "/reset", "/remind", "/verify", "/terms",
    "/privacy", "/u/ada", "/u/ada/followers", "/u/ada/following", "/home?x=1",
  ])
  func `a page may be loaded anew at its own address`(path: String) throws {
    let page = try #require(try ask(path))
    #expect(page.status == 200 && page.header("Content-Type") == "text/html; charset=utf-8")
    #expect(page.header("Cache-Control") == "no-cache")
    #expect(page.header("Referrer-Policy") == "no-referrer")
    #expect(page.header("Permissions-Policy")?.contains("camera=()") == true)
    #expect(page.header("Cross-Origin-Opener-Policy") == "same-origin")
    #expect(page.header("Cross-Origin-Embedder-Policy") == "require-corp")
    #expect(page.header("Cross-Origin-Resource-Policy") == "same-origin")
    let policy = try #require(page.header("Content-Security-Policy"))
    for part in [
      "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "frame-ancestors 'none'",
    ] {
      #expect(policy.contains(part))
    }
    #expect(!policy.contains("unsafe") && !policy.contains("http") && !policy.contains("*"))
    #expect(page.body == (try ask("/"))?.body)
  }

  @Test(arguments: [
    "/nothing", "/u", "/u/", "/u/ada/", "/u/ada/tweets", "/u/ada/followers/x", "/home/", "/Home", "/index.html",
    "/assets",
    "/assets/", "/assets/main.js", "/assets/0/nothing.js", "/assets/0/../openapi.json", "/assets/0/parts", "//",
  ])
  func `there is nothing at other paths`(path: String) throws {
    #expect(try ask(path) == nil)
  }

  @Test func `what the document loads is there, and is kept for good`() throws {
    let addresses = try addresses()
    #expect(addresses.count > 30)
    for address in addresses {
      let file = try #require(try ask(address), "\(address)")
      #expect(file.status == 200 && file.header("Cache-Control") == "public, max-age=31536000, immutable")
      let type = file.header("Content-Type")
      #expect(address.hasSuffix(".js") == (type == "text/javascript; charset=utf-8"), "\(address)")
      #expect(address.hasSuffix(".css") == (type == "text/css; charset=utf-8"), "\(address)")
      #expect(address.hasSuffix(".svg") == (type == "image/svg+xml"), "\(address)")
    }
  }

  @Test func `every file in the folder is served as it is, and scripts are asked for early`() throws {
    let names = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path).filter { $0.contains(".") }
    #expect(Set(names) == Set(WebFile.all.map(\.path) + ["index.html", "calls.html"]))
    let addresses = try addresses()
    for file in WebFile.all {
      #expect(file.bytes == Array(try Data(contentsOf: Self.folder.appending(path: file.path))), "\(file.path)")
      #expect(addresses.contains { $0.hasSuffix("/\(file.path)") }, "\(file.path)")
    }
  }

  @Test func `who has the document or a file already is not sent it again`() throws {
    for path in try ["/", "/api"] + addresses().prefix(1) {
      let etag = try #require(try ask(path)?.header("ETag"))
      #expect(try ask(path, etag: etag)?.status == 304)
      #expect(try ask(path, etag: "W/\(etag)")?.status == 304)
      #expect(try ask(path, etag: "\"other\"")?.status == 200)
    }
  }

  @Test func `another version has another folder, and its page still finds its files here`() throws {
    let other = WebClient(
      files: WebFile.all.filter { $0.path != "style/theme.css" } + [WebFile("style/theme.css", Array("a{}".utf8))])
    let html = try #require(try other.answer(to: Request(method: .get, target: "/", peer: "192.0.2.1"))).body
    #expect(html != (try ask("/"))?.body)
    let address = try #require(
      String(decoding: html, as: UTF8.self).firstMatch(of: #/src="(/assets/[^"]+main\.js)"/#)
    ).1
    let file = try #require(try ask(String(address)))
    #expect(file.status == 200 && file.header("Cache-Control") == "no-cache")
  }

  @Test func `pages and files are read, not written`() throws {
    for path in try ["/", "/reset", "/api", "/.well-known/change-password"] + addresses().prefix(1) {
      #expect(try ask(path, .head) != nil)
      for method in [HTTP.Method.post, .put, .patch, .delete] {
        #expect(throws: Refused.self) { try ask(path, method) }
      }
    }
  }

  @Test func `a password keeper is led to where the password is changed`() throws {
    let answer = try #require(try ask("/.well-known/change-password"))
    #expect(answer.status == 302 && answer.header("Location") == "/settings#password" && answer.body.isEmpty)
  }

  @Test func `nothing in the client is run from a page, leads elsewhere or becomes markup`() throws {
    let html = try String(contentsOf: Self.folder.appending(path: "index.html"), encoding: .utf8)
    #expect(!html.contains("<style") && !html.contains("style=") && !html.contains(#/\son\w+=/#))
    #expect(html.matches(of: #/<script/#).count == html.matches(of: #/<script type="module" src="\/assets\//#).count)
    for file in WebFile.all {
      let text = String(decoding: file.bytes, as: UTF8.self)
      let links = text.matches(of: #/https?:\/\/[^"'\s]*/#).map { String($0.0) }
      #expect(Set(links).subtracting(["http://www.w3.org/2000/svg"]) == [], "\(file.path)")
      for forbidden in [
        "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "@import",
      ] {
        #expect(!text.contains(forbidden), "\(file.path): \(forbidden)")
      }
    }
  }

  @Test func `each file is one page of reading`() {
    for file in WebFile.all where !file.path.hasPrefix("words/") {
      let lines = String(decoding: file.bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 180, "\(file.path)")
      for line in lines where !file.path.hasSuffix(".css") { #expect(line.count <= 120, "\(file.path): \(line)") }
    }
  }
}
