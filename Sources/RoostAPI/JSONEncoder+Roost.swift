#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension JSONEncoder {
  /// A new encoder for Roost's requests. Times are rounded to the millisecond; one outside the years 0 to 9999 is an
  /// error.
  public static var roost: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .custom { date, encoder in
      guard let milliseconds = Int64(exactly: (date.timeIntervalSince1970 * 1_000).rounded()),
        let text = WireTime.text(millisecondsSinceEpoch: milliseconds)
      else {
        let context = EncodingError.Context(
          codingPath: encoder.codingPath, debugDescription: "A time lies in the years 0 to 9999.")
        // Not the date itself: describing one as far out as this stops the process.
        throw EncodingError.invalidValue(date.timeIntervalSince1970, context)
      }
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
    return encoder
  }
}
