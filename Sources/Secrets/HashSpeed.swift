import Values

/// How fast this machine hashes, for the operator who wonders how many can log in at once.
public enum HashSpeed {
  /// The shortest time of a few hashes, one after the other on the calling thread, which they block; nil when memory is
  /// short. The shortest, because others on the machine only ever make one longer.
  public static func measured(_ parameters: Argon2Parameters = .standard, hashes: Int = 3) -> Duration? {
    guard let password = PresentedPassword("walrus under 7 lamps") else { return nil }
    let clock = ContinuousClock()
    var shortest: Duration?
    for _ in 0..<hashes {
      let start = clock.now
      guard Argon2.hash(password, parameters) != nil else { return nil }
      let time = start.duration(to: clock.now)
      shortest = min(shortest ?? time, time)
    }
    return shortest
  }
}
