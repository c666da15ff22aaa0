public import EventLoop
public import Pictures
public import Secrets
public import Store
public import Values

/// Profile photos.
public struct Avatars: Sendable {
  private let database: Database
  private let crew: Crew
  private let ids: IDSource
  private let limits: Limits

  /// `crew` is for pictures alone: passwords are hashed on another one, so that uploads never keep anybody from signing
  /// up.
  public init(database: Database, crew: Crew, ids: IDSource, limits: Limits) {
    self.database = database
    self.crew = crew
    self.ids = ids
    self.limits = limits
  }

  /// Makes a photo of what was uploaded, and gives it to the account in place of the old one, which stays when this
  /// fails. Answers the account.
  ///
  /// Failures: `signedOut`, `tooManyRequests`, `unsupportedPicture`, `notAnImage`, `overloaded`.
  public func replace(
    with bytes: [UInt8], in format: PictureFormat, as client: Client
  ) async throws(Failure) -> AccountRow {
    let token = try client.presentedToken()
    let begun = try await database.run(for: BeginAvatar(token: token, allowance: limits.avatarsPerAccount))
    try begun.value()
    let jpeg = try await photo(from: bytes, format)
    return try await database.run(
      for: ReplaceAvatar(token: token, jpeg: jpeg, digest: SHA256Digest.of(jpeg), stamp: client.stamp(ids)))
  }

  /// Takes the account's photo away, if it has one.
  public func remove(as client: Client) async throws(Failure) {
    _ = try await database.run(for: RemoveAvatar(token: try client.presentedToken(), stamp: client.stamp(ids)))
  }

  /// The photo with this SHA-256, a JPEG file. Failures: `notFound`.
  public func read(_ digest: SHA256Digest) async throws(Failure) -> [UInt8] {
    guard let jpeg = try await database.run(ReadAvatar(digest: digest)) else { throw .notFound }
    return jpeg
  }

  private func photo(from bytes: [UInt8], _ format: PictureFormat) async throws(Failure) -> [UInt8] {
    let made: Result<[UInt8], PictureFault>
    do throws(Crew.Full) {
      made = try await crew.run { Result { () throws(PictureFault) in try Avatar.make(from: bytes, in: format) } }
    } catch {
      throw .overloaded
    }
    do throws(PictureFault) {
      return try made.get()
    } catch {
      switch error {
      case .unsupported: throw .unsupportedPicture
      case .notAnImage: throw .notAnImage
      }
    }
  }
}
