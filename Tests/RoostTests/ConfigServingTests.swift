import Testing
import Values

@testable import roost

@Suite struct ConfigServingTests {
  @Test(arguments: [
    ("127.0.0.1:8080", "127.0.0.1:8080"), ("0.0.0.0", "0.0.0.0:8080"), ("[::1]:8080", "[::1]:8080"),
    ("[::]", "[::]:8080"), ("[0:0::1]:1", "[::1]:1"), ("localhost:0", "127.0.0.1:0"),
    ("10.0.0.1:65535", "10.0.0.1:65535"),
  ])
  func `LISTEN is an address and perhaps a port`(text: String, expected: String) {
    let read = reading(["LISTEN": text])
    #expect(read.mistakes.isEmpty)
    #expect(read.config.http.listen.description == expected)
  }

  @Test(arguments: [
    "8080", ":8080", "example.com:80", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:8080:1", "::1",
    "[::1", "[::1]8080", "[127.0.0.1]:80", "[fe80::1%eth0]:80", "256.0.0.1:80", "127.1:80", " 127.0.0.1:80",
    "http://127.0.0.1",
  ])
  func `anything else is a mistake`(text: String) {
    let read = reading(["LISTEN": text])
    #expect(read.mistakes.map(\.setting) == ["LISTEN"])
    #expect(read.mistakes.first?.value == text)
  }

  @Test func `SERVER_TIMING is true or false, and off unless it is set`() {
    #expect(!reading([:]).config.http.tellsTimes)
    #expect(reading(["SERVER_TIMING": "True"]).config.http.tellsTimes)
    #expect(!reading(["SERVER_TIMING": "false"]).config.http.tellsTimes)
    #expect(reading(["SERVER_TIMING": "yes"]).mistakes.map(\.setting) == ["SERVER_TIMING"])
  }

  @Test func `PORT alone serves on every IPv4 address, as hosting platforms expect`() {
    #expect(reading(["PORT": "3000"]).config.http.listen.description == "0.0.0.0:3000")
    #expect(reading(["PORT": "3000"]).config.http.publicOrigin == "http://127.0.0.1:3000")
  }

  @Test func `PORT completes a LISTEN without one, and must agree with one that has it`() {
    #expect(reading(["PORT": "3000", "LISTEN": "[::]"]).config.http.listen.description == "[::]:3000")
    #expect(reading(["PORT": "3000", "LISTEN": "127.0.0.1:3000"]).mistakes.isEmpty)
    let mistakes = reading(["PORT": "3000", "LISTEN": "127.0.0.1:8080"]).mistakes
    #expect(
      mistakes.map(\.description)
        == [#"PORT="3000": LISTEN names port 8080; leave the port out of LISTEN, or do not set PORT"#])
  }

  @Test func `the flag goes before both`() {
    let read = reading(["PORT": "3000", "LISTEN": "[::]:4000"], flags: ["--listen": "127.0.0.1:5000"])
    #expect(read.mistakes.isEmpty)
    #expect(read.config.http.listen.description == "127.0.0.1:5000")
    let host = reading(["PORT": "3000"], flags: ["--listen": "127.0.0.1"])
    #expect(host.config.http.listen.description == "127.0.0.1:3000")
  }

  @Test(arguments: [
    ("0.0.0.0:80", "127.0.0.1:80"), ("[::]:80", "[::1]:80"), ("10.1.1.1:80", "10.1.1.1:80"), ("[::1]:80", "[::1]:80"),
  ])
  func `the machine itself reaches a server on every address at the loopback one`(text: String, expected: String) {
    #expect(reading(["LISTEN": text]).config.http.listen.local.description == expected)
  }

  @Test(arguments: [
    ("https://roost.example", "https://roost.example"), ("https://roost.example/", "https://roost.example"),
    ("HTTPS://Roost.Example:443", "https://roost.example"), ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
    ("http://[::1]:80", "http://[::1]"), ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
  ])
  func `a public URL is an origin, in one form`(text: String, expected: String) {
    let read = reading(["PUBLIC_URL": text])
    #expect(read.mistakes.isEmpty)
    #expect(read.config.http.publicOrigin == expected)
  }

  @Test(arguments: [
    "roost.example", "ftp://roost.example", "https://", "https://roost.example/app", "https://u:p@roost.example",
    "https://roost.example?x", "https://roost.example:0", "https://roost.example:65536", "https://bücher.example",
    "https://-a.example", "https://a..b", "https://roost.example\r\nX: y", "https://[::1]:0", "null", "*",
  ])
  func `what is not an origin is a mistake`(text: String) {
    #expect(reading(["PUBLIC_URL": text]).mistakes.count == 1)
    #expect(reading(["CORS_ORIGINS": "https://ok.example,\(text)"]).mistakes.count == 1)
  }

  @Test func `lists are separated by commas, spaces around them do not count`() {
    let read = reading([
      "CORS_ORIGINS": "https://a.example , http://localhost:3000",
      "TRUSTED_PROXIES": "10.0.0.0/8, 192.168.1.7,FD00:0::/8,::1",
    ])
    #expect(read.mistakes.isEmpty)
    #expect(read.config.http.corsOrigins == ["https://a.example", "http://localhost:3000"])
    #expect(
      read.config.http.trustedProxies.map(\.description) == ["10.0.0.0/8", "192.168.1.7/32", "fd00::/8", "::1/128"])
  }

  @Test(arguments: [
    "10.0.0.0/", "10.0.0.0/33", "10.0.0.1/8", "::/129", "10.0.0/8", "proxy", "/8", "10.0.0.0/8/8", "10.0.0.0/-1", ",",
    "::1,",
  ])
  func `a range of addresses has its form`(text: String) {
    #expect(reading(["TRUSTED_PROXIES": text]).mistakes.count == 1)
  }
}
