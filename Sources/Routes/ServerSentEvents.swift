import HTTP
import Services
import Store

/// Live events as `text/event-stream` (HTML Standard, section 9.2).
enum ServerSentEvents {
  /// The first bytes: after how many milliseconds a client that has lost the connection comes back.
  static let opening = Array("retry: 2000\n\n".utf8)

  /// One event. A tweet has its id as the event's id, so that `Last-Event-ID` says where to go on.
  static func bytes(of event: LiveEvent, _ url: PublicURL) -> [UInt8] {
    switch event {
    case .tweet(let tweet):
      var json = JSONWriter(capacity: 512)
      // A line feed in a text is written as an escape, so that the data is one line.
      json.object { $0.write(tweet, url) }
      return Array("event: tweet\nid: \(tweet.id)\ndata: ".utf8) + json.bytes + Array("\n\n".utf8)
    case .reload(let place):
      return Array("event: reload\nid: \(place)\ndata: {}\n\n".utf8)
    case .signedOut:
      return Array("event: signed_out\ndata: {}\n\n".utf8)
    case .beat:
      return Array(": beat\n\n".utf8)
    }
  }
}

extension Response {
  /// Events as they happen. Proxies must neither keep nor collect them.
  static func events(_ writer: @escaping Response.Writer) -> Response {
    Response(
      status: 200, contentType: "text/event-stream",
      headers: [("Cache-Control", "no-store"), ("X-Accel-Buffering", "no")], writer: writer)
  }
}
