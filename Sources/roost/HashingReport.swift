import Secrets

/// What `roost check` says about passwords: how long this machine hashes one, and what would shorten it.
struct HashingReport {
  /// The threads that hash.
  let threads: Int
  /// Reads a file of the system.
  let contents: @Sendable (_ path: String) -> Result<String, Surroundings.FileTrouble>

  /// How Linux deals in pages of 2 MiB: `always [madvise] never`, the choice in brackets.
  static let hugePages = "/sys/kernel/mm/transparent_hugepage/enabled"

  var lines: [String] {
    guard let time = HashSpeed.measured() else { return ["wrong passwords: there is no memory to hash one"] }
    let milliseconds = max(time / .milliseconds(1), 0.1)
    let rate = Int(Double(threads) * 1_000 / milliseconds)
    let tenths = Int((milliseconds * 10).rounded())
    let found =
      "ok    passwords: a hash takes \(tenths / 10).\(tenths % 10) ms; \(threads) threads do about \(rate) a second"
    return [found] + (hint.map { [$0] } ?? [])
  }

  /// Each hash begins with 19 MiB of fresh memory, which the kernel clears and maps page by page.
  private var hint: String? {
    guard case .success(let text) = contents(Self.hugePages), let choice = Self.chosen(in: text), choice != "always"
    else { return nil }
    return "hint  passwords: \(Self.hugePages) says \(choice); with always, hashes are faster. See docs/operations.md"
  }

  static func chosen(in text: String) -> String? {
    text.firstMatch(of: #/\[(\w+)\]/#).map { String($0.1) }
  }
}
