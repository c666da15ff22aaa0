import Foundation

/// What kind of file a picture is, by its first bytes.
enum PictureType {
  /// The media type; `application/octet-stream` for a file of no known kind, which the server refuses.
  static func mediaType(of picture: Data) -> String {
    let bytes = [UInt8](picture.prefix(12))
    func has(_ text: String, at place: Int) -> Bool { bytes.dropFirst(place).starts(with: text.utf8) }
    if bytes.starts(with: [0xff, 0xd8, 0xff]) { return "image/jpeg" }
    if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) { return "image/png" }
    if has("GIF8", at: 0) { return "image/gif" }
    if has("RIFF", at: 0), has("WEBP", at: 8) { return "image/webp" }
    if has("ftyp", at: 4), ["heic", "heix", "mif1", "msf1", "heim", "heis"].contains(where: { has($0, at: 8) }) {
      return "image/heic"
    }
    return "application/octet-stream"
  }
}
