import HTTP
import Synchronization

/// The name of one request, in its answer and in the log.
enum RequestID {
  /// The longest that is taken from a client.
  static let lengthMax = 128

  /// The client's own when it is in form (`[A-Za-z0-9._-]`), else a new one.
  static func of(_ request: Request) -> String {
    guard let text = request[.requestID], (1...lengthMax).contains(text.utf8.count), text.utf8.allSatisfy(isAllowed)
    else {
      return made()
    }
    return text
  }

  /// 32 hexadecimal digits: 64 random bits of this process, and a number that it gives once.
  static func made() -> String {
    let number = count.add(1, ordering: .relaxed).newValue
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    for word in [process, number] {
      for shift in stride(from: 60, through: 0, by: -4) { bytes.append(digits[Int(word >> shift & 15)]) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let process = UInt64.random(in: 0...UInt64.max)
  private static let count = Atomic<UInt64>(0)
  private static let digits = Array("0123456789abcdef".utf8)

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
