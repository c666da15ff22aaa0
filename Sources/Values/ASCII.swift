extension UInt8 {
  var isASCIIDigit: Bool { self &- 0x30 < 10 }
  var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }
  /// A letter A to Z in lower case; every other byte as it is.
  var asciiLowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

extension String {
  /// The letters A to Z in lower case and nothing else changed, so that no locale and no Unicode version matters.
  var asciiLowercased: String { String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self) }
}
