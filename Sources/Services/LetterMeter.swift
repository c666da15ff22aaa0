public import Metrics
import Store

/// What became of letters on one loop.
public final class LetterMeter: Sendable {
  /// The mail server took them.
  public let sent = Counter()
  /// Attempts that failed, to be made again.
  public let putOff = Counter()
  /// Nobody tries any more.
  public let givenUp = Counter()

  init() {}

  func note(_ outcome: SettleLetter.Outcome) {
    switch outcome {
    case .sent: sent.add()
    case .retry: putOff.add()
    case .givenUp: givenUp.add()
    }
  }
}
