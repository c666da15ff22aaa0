import Testing

@testable import roost

@Suite struct ConfigLimitTests {
  @Test(arguments: [
    ("60/15min", 60, 900), ("20/h", 20, 3600), ("1/1s", 1, 1), ("5/2d", 5, 172_800), ("5/30d", 5, 2_592_000),
    ("7", 7, 3600), ("0", 0, 3600), ("0/15min", 0, 900), ("1000000/s", 1_000_000, 1),
  ])
  func `a limit is a count and perhaps a time`(text: String, count: Int, seconds: Int) {
    let read = reading(["LIMIT_REGISTER_ADDRESS": text])
    #expect(read.mistakes.isEmpty)
    #expect(read.config.limits.registerAddress == Limit(count, everySeconds: seconds))
  }

  @Test(arguments: [
    "", "/h", "5/", "-1", "5/0s", "5/year", "5/31d", "5/h/h", "1000001", "5 / h", "5/99999999999999999999s", "5/٣h",
  ])
  func `anything else is a mistake`(text: String) {
    #expect(Limit(text, windowSeconds: 1) == nil)
  }

  @Test(arguments: [
    (Limit(60, everySeconds: 900), "60/15min"), (Limit(20, everySeconds: 3600), "20/h"),
    (Limit(0, everySeconds: 60), "0"),
    (Limit(5, everySeconds: 172_800), "5/2d"), (Limit(5, everySeconds: 61), "5/61s"),
  ])
  func `a limit is shown as it is written`(limit: Limit, text: String) {
    #expect(limit.description == text)
  }

  @Test func `a limit that nothing is like names those there are`() {
    let mistakes = reading(["LIMIT_COFFEE": "3"]).mistakes.map(\.description)
    #expect(mistakes.count == 1)
    #expect(mistakes.first?.hasPrefix("LIMIT_COFFEE: there is no such limit; there are LIMIT_LOGIN_ADDRESS, ") == true)
  }
}
