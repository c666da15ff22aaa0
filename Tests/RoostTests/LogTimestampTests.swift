import Log
import Testing

@Suite struct LogTimestampTests {
  private func text(_ milliseconds: Int64) -> String {
    var bytes: [UInt8] = []
    RFC3339.append(millisecondsSinceEpoch: milliseconds, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"),
      (-1, "1969-12-31T23:59:59.999Z"),
      (-86_400_000, "1969-12-31T00:00:00.000Z"),
      (951_782_399_999, "2000-02-28T23:59:59.999Z"),
      (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (951_868_800_000, "2000-03-01T00:00:00.000Z"),
      (1_709_164_800_000, "2024-02-29T00:00:00.000Z"),
      (1_796_030_100_123, "2026-11-30T09:15:00.123Z"),
      (4_107_542_399_000, "2100-02-28T23:59:59.000Z"),
      (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
      (-2_203_891_201_000, "1900-02-28T23:59:59.000Z"),
      (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
      (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
      (-62_162_121_600_000, "0000-02-29T00:00:00.000Z"),
    ] as [(Int64, String)])
  func `a moment has one form`(milliseconds: Int64, expected: String) {
    #expect(text(milliseconds) == expected)
  }

  @Test(arguments: [
    (Int64.max, "9999-12-31T23:59:59.999Z"), (253_402_300_800_000, "9999-12-31T23:59:59.999Z"),
    (Int64.min, "0000-01-01T00:00:00.000Z"), (-62_167_219_200_001, "0000-01-01T00:00:00.000Z"),
  ])
  func `a year that RFC 3339 cannot write becomes the nearest that it can`(milliseconds: Int64, expected: String) {
    #expect(text(milliseconds) == expected)
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (999, "1970-01-01T00:00:00.000Z"), (1000, "1970-01-01T00:00:00.001Z"),
      (-1, "1969-12-31T23:59:59.999Z"), (-1000, "1969-12-31T23:59:59.999Z"), (-1001, "1969-12-31T23:59:59.998Z"),
      (Int64.max, "9999-12-31T23:59:59.999Z"), (Int64.min, "0000-01-01T00:00:00.000Z"),
    ] as [(Int64, String)])
  func `microseconds are cut to milliseconds towards the past`(microseconds: Int64, expected: String) {
    var bytes = Array("at ".utf8)
    RFC3339.append(microsecondsSinceEpoch: microseconds, to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "at " + expected)
    #expect(bytes.count == 3 + RFC3339.byteCount)
  }

  /// Counts the days of each year and month by the rule of the Gregorian calendar.
  @Test func `every day of eight hundred years follows the day before`() {
    var day: Int64 = 0
    for year in 1970..<2770 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      for (month, length) in lengths.enumerated() {
        for date in 1...length {
          let expected = "\(year)-\(two(month + 1))-\(two(date))T00:00:00.000Z"
          if text(day * 86_400_000) != expected { Issue.record("\(text(day * 86_400_000)) is not \(expected)") }
          day += 1
        }
      }
    }
  }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
