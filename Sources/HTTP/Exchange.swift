/// One request and its answer on their way through a server.
final class Exchange {
  let target: String
  let link: Link
  var request: Request?
  var response: Response?
  /// The body of the answer, when it is written while it is sent.
  var stream: ResponseStream?
  /// Whether its body has grown too large; the rest is read and dropped, so that the client hears the answer.
  private(set) var isTooLarge = false
  /// Whether it counts against ``ServerLimits/largeBodiesMax``.
  var isLarge = false
  private var bodyBytesMax = 0

  /// More query parameters are refused: no call has as many, and the library keeps a record of each.
  static let parametersMax = 64

  var hasTooManyParameters: Bool {
    guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return false }
    return target.utf8[mark...].count { $0 == UInt8(ascii: "&") } >= Self.parametersMax
  }

  init(target: String, link: Link) {
    self.target = target
    self.link = link
  }

  func begin(_ request: Request, bodyBytesMax: Int) {
    self.request = request
    self.bodyBytesMax = bodyBytesMax
  }

  func take(_ bytes: UnsafeRawBufferPointer) {
    guard let count = request?.body.count, !isTooLarge else { return }
    if count + bytes.count > bodyBytesMax {
      isTooLarge = true
      request?.body = []
    } else {
      request?.body.append(contentsOf: bytes)
    }
  }
}
