import Testing
import Values

struct ClientAddressTests {
  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0", "0.0.0.0"),
    ("255.255.255.255", "255.255.255.255", "255.255.255.255"), ("::ffff:192.0.2.1", "192.0.2.1", "192.0.2.1"),
    ("::FFFF:c000:0201", "192.0.2.1", "192.0.2.1"),
    ("2001:DB8:1:2:3:4:5:6", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
    ("2001:db8:0:0:0:0:0:1", "2001:db8::1", "2001:db8::/64"), ("::1", "::1", "::/64"), ("::", "::", "::/64"),
    ("fe80::1:2", "fe80::1:2", "fe80::/64"),
  ])
  func `an address has one text and one bucket`(text: String, canonical: String, bucket: String) throws {
    let address = try #require(ClientAddress(text))
    #expect(address.description == canonical)
    #expect(address.bucket == bucket)
    #expect(ClientAddress(canonical) == address)
  }

  @Test(arguments: [
    "", "localhost", "192.0.2", "192.0.2.256", "192.0.2.01", "192.0.2.1 ", " 192.0.2.1", "192.0.2.1:80", "0x7f.0.0.1",
    "192.0.2.1\u{0}", "192.0.2.1\u{0}evil", "[::1]", "::1%eth0", "2001:db8::1::2", "1:2:3:4:5:6:7:8:9", "::g",
    "192.0.2.1/32", "١.١.١.١", "0000:0000:0000:0000:0000:0000:192.168.100.1000",
  ])
  func `anything else is no address`(text: String) {
    #expect(ClientAddress(text) == nil)
  }

  @Test func `an address goes through its bytes unchanged`() throws {
    let four = try #require(ClientAddress("192.0.2.1"))
    #expect(four.bytes == [192, 0, 2, 1])
    #expect(four.bucketBytes == [192, 0, 2, 1])
    #expect(four.isIPv4)
    let sixteen = try #require(ClientAddress("2001:db8::1"))
    #expect(sixteen.bytes == [0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    #expect(sixteen.bucketBytes == [0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 0])
    #expect(!sixteen.isIPv4)
    for address in [four, sixteen] {
      #expect(address.bytes.withUnsafeBytes { ClientAddress(bytes: $0) } == address)
    }
    #expect([1, 2, 3].withUnsafeBytes { ClientAddress(bytes: .init(rebasing: $0[..<3])) } == nil)
  }

  @Test func `two addresses of one subscriber share a bucket`() throws {
    let first = try #require(ClientAddress("2001:db8:1:2::1"))
    let second = try #require(ClientAddress("2001:db8:1:2:ffff:ffff:ffff:ffff"))
    let neighbour = try #require(ClientAddress("2001:db8:1:3::1"))
    #expect(first.bucket == second.bucket)
    #expect(first.bucketBytes == second.bucketBytes)
    #expect(first.bucket != neighbour.bucket)
    #expect(first.bucketBytes != neighbour.bucketBytes)
  }
}
