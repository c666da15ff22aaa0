/// Times as they stand on the wire: RFC 3339 in UTC with exactly three fraction digits, `2026-11-30T09:15:00.123Z`.
enum WireTime {
  private static let form = Array("0000-00-00T00:00:00.000Z".utf8)

  /// Milliseconds since the Unix epoch, or nil for a text in any other form and for a moment that is not in the
  /// calendar.
  static func milliseconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == form.count else { return nil }
    for (byte, shape) in zip(bytes, form) {
      let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      guard shape == UInt8(ascii: "0") ? isDigit : byte == shape else { return nil }
    }
    func number(_ range: Range<Int>) -> Int64 {
      bytes[range].reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }
    let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
    let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
    guard (1...12).contains(month), day >= 1, day <= days(inMonth: month, of: year) else { return nil }
    guard hour < 24, minute < 60, second < 60 else { return nil }
    let seconds = days(toYear: year, month: month, day: day) * 86_400 + hour * 3_600 + minute * 60 + second
    return seconds * 1_000 + number(20..<23)
  }

  /// The text of a moment, or nil outside the years 0 to 9999.
  static func text(millisecondsSinceEpoch milliseconds: Int64) -> String? {
    guard (earliest...latest).contains(milliseconds) else { return nil }
    let sinceYearZero = milliseconds - earliest
    var (day, rest) = sinceYearZero.quotientAndRemainder(dividingBy: 86_400_000)
    // A first guess of the year from the mean length of one, at most one too early.
    var year = day * 400 / 146_097
    if days(beforeYear: year + 1) <= day { year += 1 }
    if days(beforeYear: year) > day { year -= 1 }
    day -= days(beforeYear: year)
    var month: Int64 = 1
    while day >= days(inMonth: month, of: year) {
      day -= days(inMonth: month, of: year)
      month += 1
    }
    var digits = form
    func put(_ value: Int64, _ range: Range<Int>) {
      var value = value
      for place in range.reversed() {
        digits[place] = UInt8(ascii: "0") + UInt8(value % 10)
        value /= 10
      }
    }
    put(year, 0..<4)
    put(month, 5..<7)
    put(day + 1, 8..<10)
    put(rest / 3_600_000, 11..<13)
    rest %= 3_600_000
    put(rest / 60_000, 14..<16)
    put(rest % 60_000 / 1_000, 17..<19)
    put(rest % 1_000, 20..<23)
    return String(decoding: digits, as: UTF8.self)
  }

  private static let earliest: Int64 = -62_167_219_200_000
  private static let latest: Int64 = 253_402_300_799_999

  private static func isLeap(_ year: Int64) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days from 1 January of the year 0 of the Gregorian calendar, a leap year, to 1 January of `year`.
  private static func days(beforeYear year: Int64) -> Int64 {
    year == 0 ? 0 : year * 365 + (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 + 1
  }

  /// Days from 1 January 1970.
  private static func days(toYear year: Int64, month: Int64, day: Int64) -> Int64 {
    (1..<month).reduce(days(beforeYear: year) + day - 1) { $0 + days(inMonth: $1, of: year) } - 719_528
  }
}
