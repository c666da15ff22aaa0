import HTTP
import Pictures
import RoostAPI
import Secrets
import Services

func avatarRoutes(_ app: App) -> [Route] {
  [
    Route(.replaceAvatar) { call in
      let format = try call.pictureFormat()
      let account = try await app.avatars.replace(with: call.request.body, in: format, as: call.client)
      return .json(account, app.publicURL)
    },
    Route(.removeAvatar) { call in
      try await app.avatars.remove(as: call.client)
      return Response(status: 204)
    },
    Route(.avatar) { call in
      let digest = try call.digest()
      let jpeg = try await app.avatars.read(digest)
      return .avatar(jpeg).tagged(EntityTag(digest), unlessKnownTo: call.request)
    },
  ]
}

extension Call {
  /// The format that the body says it has. Failures: `unsupportedPicture`, `encodedBody`.
  fileprivate func pictureFormat() throws(Refused) -> PictureFormat {
    guard request.isPlain else { throw .encodedBody }
    let type = request[.contentType].map { $0.prefix { $0 != ";" }.trimmingSpaces.lowercased() }
    guard let format = type.flatMap({ PictureFormat(mediaType: $0) }) else { throw .failure(.unsupportedPicture) }
    return format
  }

  /// The digest in the path, in lower case only, so that a picture has one address; what is no digest names nothing.
  fileprivate func digest() throws(Failure) -> SHA256Digest {
    guard let digest = SHA256Digest(hex: segments[0]) else { throw .notFound }
    return digest
  }
}

extension Response {
  /// A picture for everybody's cache, which no browser takes for anything but a picture. Its name is made of its bytes,
  /// so that it never changes.
  fileprivate static func avatar(_ jpeg: [UInt8]) -> Response {
    Response(
      status: 200, contentType: "image/jpeg",
      headers: [
        ("Cache-Control", "public, max-age=31536000, immutable"),
        ("Content-Security-Policy", "default-src 'none'"),
        ("Cross-Origin-Resource-Policy", "cross-origin"),
      ], body: jpeg)
  }
}

extension PublicURL {
  /// Where the picture with this SHA-256 is; nil without one.
  func avatar(_ digest: [UInt8]?) -> String? {
    guard let digest, let hex = digest.withUnsafeBytes({ SHA256Digest(bytes: $0)?.hex }) else { return nil }
    return "\(origin)/v1/avatars/\(hex).jpg"
  }
}
