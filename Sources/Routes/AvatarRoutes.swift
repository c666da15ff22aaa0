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
      return .avatar(jpeg, digest, isKnown: call.request.names(etag: Response.etag(of: digest)))
    },
  ]
}

extension Call {
  /// The format that the body says it has. Failures: `unsupportedPicture`.
  fileprivate func pictureFormat() throws(Refused) -> PictureFormat {
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

extension Request {
  /// Whether the client has what the entity tag names (RFC 9110 §13.1.2, by weak comparison).
  fileprivate func names(etag: String) -> Bool {
    all(.ifNoneMatch).contains { field in
      field.split(separator: ",").contains { part in
        let tag = part.trimmingSpaces
        return tag == "*" || tag == etag || tag == "W/\(etag)"
      }
    }
  }
}

extension Response {
  /// The name of a picture is made of its bytes, so that it never changes, and the name is its entity tag.
  fileprivate static func etag(of digest: SHA256Digest) -> String { "\"\(digest.hex)\"" }

  /// A picture for everybody's cache, which no browser takes for anything but a picture. To a client that has it, 304:
  /// the server then sends its length alone (RFC 9110 §8.6).
  fileprivate static func avatar(_ jpeg: [UInt8], _ digest: SHA256Digest, isKnown: Bool) -> Response {
    Response(
      status: isKnown ? 304 : 200, contentType: isKnown ? nil : "image/jpeg",
      headers: [
        ("ETag", etag(of: digest)), ("Cache-Control", "public, max-age=31536000, immutable"),
        ("X-Content-Type-Options", "nosniff"), ("Content-Security-Policy", "default-src 'none'"),
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
