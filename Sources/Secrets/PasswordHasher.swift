import CSodium
public import EventLoop
public import Values

/// The server hashes as many passwords as it can already; the client should come back in a moment.
public struct Overloaded: Error, Hashable, Sendable {
  public init() {}
}

/// Hashes and checks passwords with Argon2id on a crew of threads, 10 to 20 ms each.
public struct PasswordHasher: Sendable {
  public let parameters: Argon2Parameters
  /// A hash that no password matches, as dear to check as a real one. Checked for a log-in nobody has, so that the
  /// time of the answer does not tell.
  public let decoy: PasswordHash

  private let crew: Crew

  /// A hasher whose work is done by `crew`; `parameters` are those of new hashes.
  public init(crew: Crew, parameters: Argon2Parameters = .standard) {
    self.crew = crew
    self.parameters = parameters
    decoy = .decoy(parameters)
  }

  /// Keeps a place for one password. Whoever counts an attempt does it before, so that no attempt is counted and then
  /// refused for want of a place.
  public func reserve() throws(Overloaded) -> Crew.Place {
    do throws(Crew.Full) { return try crew.reserve() } catch { throw Overloaded() }
  }

  /// Fails when the crew's queue is full and no place was kept, or memory is short.
  public func hash(_ password: Password, in place: Crew.Place? = nil) async throws(Overloaded) -> PasswordHash {
    try await hash(password.presented, in: place)
  }

  /// Hashes anew a password that has just been found right, whatever the policy has become.
  public func hash(
    _ password: PresentedPassword, in place: Crew.Place? = nil
  ) async throws(Overloaded) -> PasswordHash {
    let parameters = parameters
    return try await onCrew(in: place) { Argon2.hash(password, parameters) }
  }

  /// Whether the password is the hashed one, with whatever parameters the hash carries. A hash out of form, or one
  /// that asks for more than ``Argon2Parameters`` allows, matches nothing.
  ///
  /// Fails when the crew's queue is full and no place was kept, or memory is short: then nothing is known about the
  /// password.
  public func verify(
    _ password: PresentedPassword, against hash: PasswordHash, in place: Crew.Place? = nil
  ) async throws(Overloaded) -> Bool {
    try await onCrew(in: place) { Argon2.matches(password, hash) }
  }

  /// Whether the hash was made with other parameters than today's.
  public func needsRehash(_ hash: PasswordHash) -> Bool { hash.parameters != parameters }

  private func onCrew<Answer: Sendable>(
    in place: Crew.Place?, _ work: @escaping @Sendable () -> Answer?
  ) async throws(Overloaded) -> Answer {
    do {
      if let answer = try await crew.run(in: place, work) { return answer }
    } catch {}
    throw Overloaded()
  }
}

extension PasswordHash {
  /// A string in form whose salt and digest are random: finding a password for it is inverting Argon2. Made without
  /// hashing, so that it costs a start nothing.
  fileprivate static func decoy(_ parameters: Argon2Parameters) -> PasswordHash {
    let costs = "m=\(parameters.memoryKiB),t=\(parameters.passes),p=\(parameters.lanes)"
    let prefix = "$\(parameters.variant.rawValue)$v=\(parameters.version)$\(costs)$"
    return PasswordHash(stored: prefix + randomBase64(bytes: 16) + "$" + randomBase64(bytes: 32))
  }

  private static func randomBase64(bytes count: Int) -> String {
    Sodium.ready
    var bytes = [UInt8](repeating: 0, count: count)
    randombytes_buf(&bytes, count)
    var text = [CChar](repeating: 0, count: count * 2)
    sodium_bin2base64(&text, text.count, bytes, count, sodium_base64_VARIANT_ORIGINAL_NO_PADDING)
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
