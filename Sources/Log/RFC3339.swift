/// Times as RFC 3339 writes them: UTC, exactly three fraction digits, `2026-11-30T09:15:00.123Z`.
///
/// The date comes from days by Howard Hinnant's `civil_from_days`
/// (https://howardhinnant.github.io/date_algorithms.html), so that no time zone, locale or lock of the C library is met.
/// RFC 3339 knows the years 0000 to 9999 only: a time outside is written as the nearest one inside.
public enum RFC3339 {
  /// How many bytes `append` adds, always.
  public static let byteCount = 24

  /// Appends a time given in milliseconds since 1970-01-01T00:00:00Z; negative ones lie before it.
  public static func append(millisecondsSinceEpoch: Int64, to bytes: inout [UInt8]) {
    let time = min(max(millisecondsSinceEpoch, earliest), latest)
    let (day, millisecond) = floorDivide(time, by: 86_400_000)
    let date = civil(fromDays: day)
    let second = millisecond / 1000
    let moment: InlineArray<24, UInt8> = [
      digit(date.year, 1000), digit(date.year, 100), digit(date.year, 10), digit(date.year, 1), dash,
      digit(date.month, 10), digit(date.month, 1), dash,
      digit(date.day, 10), digit(date.day, 1), UInt8(ascii: "T"),
      digit(second / 3600, 10), digit(second / 3600, 1), colon,
      digit(second / 60 % 60, 10), digit(second / 60 % 60, 1), colon,
      digit(second % 60, 10), digit(second % 60, 1), UInt8(ascii: "."),
      digit(millisecond, 100), digit(millisecond, 10), digit(millisecond, 1), UInt8(ascii: "Z"),
    ]
    moment.span.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
  }

  /// The same for microseconds since 1970-01-01T00:00:00Z; what is finer than a millisecond is cut off, towards the past.
  public static func append(microsecondsSinceEpoch: Int64, to bytes: inout [UInt8]) {
    append(millisecondsSinceEpoch: floorDivide(microsecondsSinceEpoch, by: 1000).quotient, to: &bytes)
  }

  /// 0000-01-01T00:00:00.000Z and 9999-12-31T23:59:59.999Z in milliseconds since the Unix epoch.
  private static let earliest: Int64 = -62_167_219_200_000
  private static let latest: Int64 = 253_402_300_799_999

  private static let dash = UInt8(ascii: "-")
  private static let colon = UInt8(ascii: ":")

  private static func digit(_ number: Int64, _ place: Int64) -> UInt8 {
    UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / place % 10)
  }

  private static func floorDivide(_ number: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    // Years start in March here, so that the leap day is the last of its year; an era is 400 years.
    let (era, dayOfEra) = floorDivide(days + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}
