import Testing
import Values

struct AddressRangeTests {
  @Test(arguments: [
    ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.0.0.0/8", "9.255.255.255", false),
    ("192.0.2.4/30", "192.0.2.7", true), ("192.0.2.4/30", "192.0.2.8", false), ("192.0.2.1", "192.0.2.1", true),
    ("192.0.2.1", "192.0.2.2", false), ("192.0.2.1/32", "192.0.2.0", false), ("0.0.0.0/0", "203.0.113.9", true),
    ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "2001:db8::1", true), ("::/0", "203.0.113.9", false),
    ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::", false),
    ("2001:db8::/65", "2001:db8::7fff:0:0:1", true), ("2001:db8::/65", "2001:db8::8000:0:0:1", false),
    ("2001:db8::/64", "2001:db8:0:1::", false),
    ("2001:db8::/64", "2001:db8:0:0:8000::", true), ("::1", "::1", true), ("::1", "::2", false),
    ("::ffff:10.0.0.0/104", "10.1.2.3", true), ("::ffff:10.0.0.0/104", "11.1.2.3", false),
    ("10.0.0.0/8", "::ffff:10.1.2.3", true),
  ])
  func `a range holds the addresses that share its prefix`(range: String, address: String, holds: Bool) throws {
    #expect(try AddressRange(range).contains(try #require(ClientAddress(address))) == holds)
  }

  @Test(arguments: [
    "", "/8", "10.0.0.0/", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "10.0.0.1/8",
    "2001:db8::1/32", "10.0.0.0/0008", "10.0.0.0/ 8", "10/8", "example.com", "10.0.0.0/8 ", "10.0.0.0/٨",
  ])
  func `anything else is no range`(text: String) {
    #expect(code { () throws(Fault) in try AddressRange(text) } == .malformed)
  }
}

struct TrustedProxiesTests {
  private let proxies = "10.0.0.0/8, 2001:db8:ffff::/48,192.0.2.1"

  @Test(arguments: [
    // A stranger's word does not count.
    ("203.0.113.9", ["198.51.100.1"], "203.0.113.9"),
    ("10.0.0.1", [], "10.0.0.1"),
    ("10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
    ("::ffff:10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
    // What the client wrote itself stands left of what the proxy saw.
    ("10.0.0.1", ["1.1.1.1, 198.51.100.1"], "198.51.100.1"),
    ("10.0.0.1", ["127.0.0.1, 10.9.9.9, 198.51.100.1"], "198.51.100.1"),
    // Several proxies, several headers.
    ("10.0.0.1", ["1.1.1.1, 198.51.100.1, 10.0.0.7,192.0.2.1"], "198.51.100.1"),
    ("10.0.0.1", ["1.1.1.1", "198.51.100.1, 10.0.0.7", "192.0.2.1"], "198.51.100.1"),
    ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
    // Ports, brackets and IPv6.
    ("10.0.0.1", ["198.51.100.1:4711"], "198.51.100.1"),
    ("10.0.0.1", ["2001:db8::5"], "2001:db8::5"),
    ("10.0.0.1", ["[2001:db8::5]"], "2001:db8::5"),
    ("10.0.0.1", ["[2001:db8::5]:443"], "2001:db8::5"),
    ("10.0.0.1", ["[::ffff:198.51.100.1]:443"], "198.51.100.1"),
    ("2001:db8:ffff::1", ["\t2001:db8::5 , [2001:db8:ffff::2]:80 "], "2001:db8::5"),
    // Garbage stops at the last trusted one.
    ("10.0.0.1", [""], "10.0.0.1"),
    ("10.0.0.1", ["unknown"], "10.0.0.1"),
    ("10.0.0.1", ["198.51.100.1, unknown, 10.0.0.2"], "10.0.0.2"),
    ("10.0.0.1", ["198.51.100.1,"], "10.0.0.1"),
    ("10.0.0.1", ["198.51.100.1, , 10.0.0.2"], "10.0.0.2"),
    ("10.0.0.1", ["198.51.100.1:port"], "10.0.0.1"),
    ("10.0.0.1", ["198.51.100.1:"], "10.0.0.1"),
    ("10.0.0.1", ["[198.51.100.1]"], "10.0.0.1"),
    ("10.0.0.1", ["[2001:db8::5"], "10.0.0.1"),
    ("10.0.0.1", ["[2001:db8::5]x"], "10.0.0.1"),
    ("10.0.0.1", ["198.51.100.1 10.0.0.2"], "10.0.0.1"),
    ("10.0.0.1", ["198.51.100.1", ""], "10.0.0.1"),
    ("10.0.0.1", ["\"198.51.100.1\""], "10.0.0.1"),
    ("10.0.0.1", ["198.51.100.1\u{301}"], "10.0.0.1"),
  ])
  func `the client is the right-most hop that is not trusted`(
    peer: String, headers: [String], client: String
  ) throws {
    let peer = try #require(ClientAddress(peer))
    #expect(try TrustedProxies(proxies).client(peer: peer, forwardedFor: headers).description == client)
  }

  @Test func `without proxies the peer is the client`() throws {
    let peer = try #require(ClientAddress("10.0.0.1"))
    for none in [TrustedProxies(), try TrustedProxies(""), try TrustedProxies(" , ")] {
      #expect(none.ranges.isEmpty)
      #expect(!none.trusts(peer))
      #expect(none.client(peer: peer, forwardedFor: ["198.51.100.1"]) == peer)
    }
  }

  @Test func `a chain of endless proxies is not followed to its end`() throws {
    let hops = (1...100).map { "10.0.1.\($0)" }
    let peer = try #require(ClientAddress("10.0.0.1"))
    let proxies = try TrustedProxies(proxies)
    let expected = "10.0.1.\(100 - TrustedProxies.hopsMax + 1)"
    #expect(proxies.client(peer: peer, forwardedFor: [hops.joined(separator: ",")]).description == expected)
    #expect(proxies.client(peer: peer, forwardedFor: hops).description == expected)
  }

  @Test func `a mistake in the list is told`() {
    #expect(code { () throws(Fault) in try TrustedProxies("10.0.0.0/8, proxy.example") } == .malformed)
  }
}
