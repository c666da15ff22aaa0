/// Percent-decoding (RFC 3986 §2.1) that refuses what it cannot decode.
enum PercentDecoding {
  /// The decoded text; nil when an escape is incomplete, or the bytes are not UTF-8 or hold U+0000.
  static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var rest = text.utf8.makeIterator()
    while let byte = rest.next() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace:
        bytes.append(UInt8(ascii: " "))
      default:
        bytes.append(byte)
      }
    }
    guard !bytes.contains(0) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

/// The parameters of a query string; one that comes twice is refused, since two readers may take different ones.
struct QueryParameters {
  private var values: [String: String] = [:]

  init(_ query: String?) throws(Refused) {
    for part in (query ?? "").split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = PercentDecoding.decode(pair[0], plusIsSpace: true),
        let value = PercentDecoding.decode(pair.count > 1 ? pair[1] : "", plusIsSpace: true)
      else { throw .malformedQuery("The query is not percent-encoded UTF-8.") }
      guard values.updateValue(value, forKey: name) == nil else {
        throw .malformedQuery("A query parameter may come only once.")
      }
    }
  }

  subscript(name: String) -> String? { values[name] }
}
