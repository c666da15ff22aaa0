import Foundation
import RoostAPI

@testable import HTTP
@testable import Pictures
@testable import RoostClient

/// Bodies: of requests, and of a stream of events.
extension FuzzTarget {
  static let files = [jpeg, png, json, events]

  private static let jpeg = FuzzTarget("jpeg") { bytes in
    _ = PictureFormat(bytes)
    guard let end = JPEGScans.end(of: bytes) else { return }
    holds(end >= 2, "a picture has an end behind its start")
    holds(end > bytes.count || JPEGScans.end(of: Array(bytes[..<end])) == end, "what follows it is none of it")
  }

  private static let png = FuzzTarget("png") { bytes in
    guard let essence = PNGChunks.essence(of: bytes) else { return }
    holds(essence.starts(with: PNGChunks.signature) && essence.count <= bytes.count, "it keeps what was there")
    holds(PNGChunks.essence(of: essence) == essence, "it is a file of its own")
  }

  private static let json = FuzzTarget("json") { bytes in
    _ = try? JSONBody.decode(Registration.self, from: bytes)
    _ = try? JSONBody.decode(ProfileChange.self, from: bytes)
    do throws(JSONBody.Malformed) {
      let tweet = try JSONBody.decode(NewTweet.self, from: bytes)
      holds(!(tweet.text ?? "").utf8.contains(0), "no text holds U+0000")
    } catch {
      holds(error.reason.utf8.allSatisfy { (0x20...0x7e).contains($0) } && error.reason.utf8.count < 100, error.reason)
    }
  }

  /// However the bytes are cut, the events are the same.
  private static let events = FuzzTarget("events") { bytes in
    var whole = EventParser()
    var cut = EventParser()
    let all = try? whole.events(in: Data(bytes))
    var pieces: [ServerEvent] = []
    for byte in bytes { pieces += (try? cut.events(in: Data([byte]))) ?? [] }
    holds(all == pieces, "bytes that are cut make the same events")
  }
}
