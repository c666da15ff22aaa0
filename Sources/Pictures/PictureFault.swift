/// Why bytes do not become a picture.
public enum PictureFault: Error, Sendable, Hashable {
  /// They are of none of the formats that are taken, or of another one than they were said to be.
  case unsupported
  /// They are cut short or damaged, or would become larger, or take longer, than is put up with.
  case notAnImage
}
