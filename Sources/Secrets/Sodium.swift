import CSodium

/// libsodium, made ready once for the whole process; a lazy global is safe on every thread.
enum Sodium {
  static let ready: Void = {
    guard sodium_init() >= 0 else { fatalError("libsodium found no source of random bytes") }
  }()
}
