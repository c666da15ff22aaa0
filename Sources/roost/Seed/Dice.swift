#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Random numbers that are the same for the same seed (SplitMix64), unlike those of the system.
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// Dice of their own for the thing with this number, so that it comes out the same whenever it is asked for.
  init(seed: UInt64, _ topic: Topic, _ number: Int) {
    var mixed = Dice(seed: seed &+ topic.rawValue &* 0xd6e8_feb8_6659_fd93)
    self.init(seed: mixed.next() ^ UInt64(number) &* 0x9e37_79b9_7f4a_7c15)
    _ = next()
  }

  /// What is diced for, so that no two things share their numbers.
  enum Topic: UInt64 {
    case person = 1, popularity, diligence, followings, authors, likes, followees, likers, tweet, follow, like
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }

  /// From 0 up to, but not including, 1.
  mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// From 0 up to, but not including, `end`; the bias of so short a way is below 2⁻³² here.
  mutating func below(_ end: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(end)).high) }
}

/// Draws ranks from 0 on, low ones more often: rank r about as often as 1 / (r + 1)^exponent, as Zipf found for words.
struct Skew {
  private let count: Int
  private let span: Double
  private let power: Double

  /// `exponent` lies below 1; 0 draws all ranks alike.
  init(_ count: Int, exponent: Double) {
    self.count = count
    span = pow(Double(count) + 1, 1 - exponent) - 1
    power = 1 / (1 - exponent)
  }

  func rank(_ dice: inout Dice) -> Int {
    min(Int(pow(dice.fraction() * span + 1, power)) - 1, count - 1)
  }
}
