#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension JSONDecoder {
  /// A new decoder for Roost's answers. A time in any form but RFC 3339 in UTC with three fraction digits is refused.
  public static var roost: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      guard let milliseconds = WireTime.milliseconds(try container.decode(String.self)) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "Expected a time like 2026-11-30T09:15:00.123Z.")
      }
      return Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }
    return decoder
  }
}
