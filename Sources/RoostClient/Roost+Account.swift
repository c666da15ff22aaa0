public import Foundation
public import RoostAPI

extension Roost {
  /// Changes one's own profile. What is not given stays; `.becomes(nil)` clears a name or a bio.
  ///
  /// ```swift
  /// try await roost.update(fullName: .becomes("Ada Lovelace"), bio: .becomes(nil))
  /// ```
  @discardableResult
  public func update(
    username: ProfileChange.Field = .stays, fullName: ProfileChange.Field = .stays, bio: ProfileChange.Field = .stays
  ) async throws(RoostError) -> Account {
    try await change(Call(.changeProfile, json: ProfileChange(username: username, fullName: fullName, bio: bio)))
  }

  /// Makes a profile photo of a JPEG, PNG, WebP, GIF or HEIC file of at most 10 MiB. The server turns it upright, shrinks
  /// it and strips it of positions.
  ///
  /// `mediaType` is found out when it is not given. Failures: code `unsupportedMediaType`, `notAnImage`, `bodyTooLarge`.
  @discardableResult
  public func uploadAvatar(_ picture: Data, mediaType: String? = nil) async throws(RoostError) -> Account {
    var call = Call(.replaceAvatar)
    call.body = picture
    call.contentType = mediaType ?? PictureType.mediaType(of: picture)
    return try await change(call)
  }

  /// Takes one's own profile photo away.
  public func removeAvatar() async throws(RoostError) {
    try await perform(Call(.removeAvatar))
    // It is gone, whether or not this tells how the account looks now.
    _ = try? await me()
  }

  /// The JPEG file of a profile photo, by its address in an account, an author or a profile.
  ///
  /// It never changes and may be kept for ever. Image views that load addresses by themselves do not need this call.
  public func avatar(_ profileImageURL: String) async throws(RoostError) -> Data {
    let name = profileImageURL.split(separator: "/").last ?? ""
    return try await send(Call(.avatar, [String(name.prefix { $0 != "." })]))
  }

  /// Deletes one's own account and all that belongs to it, and signs out here. Failures: code `wrongPassword`.
  public func deleteAccount(password: String) async throws(RoostError) {
    let token = try presence.token()
    _ = try await signedIn(token) { () throws(RoostError) in
      try await self.send(Call(.deleteAccount, json: AccountDeletion(password: password)), token: token)
    }
    presence.expire(token)
  }

  /// Everything that the server holds about one's own account.
  public func exportAccount() async throws(RoostError) -> AccountExport {
    try await answer(Call(.exportAccount))
  }

  /// Whether a name can be registered, for forms that check while somebody types.
  public func usernameAvailability(_ username: String) async throws(RoostError) -> UsernameAvailability {
    try await decoded(Call(.usernameAvailability, [username]))
  }

  /// A write that answers the account as it is after it.
  func change(_ call: Call) async throws(RoostError) -> Account {
    let token = try presence.token()
    let account: Account = try await answer(call, token: token)
    presence.update(account, token: token)
    return account
  }
}
