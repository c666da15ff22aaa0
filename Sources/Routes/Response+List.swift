import HTTP
import Store
import Values

extension Response {
  /// A page of tweets.
  static func json(_ list: Listed<TweetRow>, _ page: Page<TweetRow>, _ call: Call, _ url: PublicURL) -> Response {
    json(list, page, call) { $0.write($1, url) }
  }

  /// A page of profiles, in the order of the follows that put them there.
  static func json(_ list: Listed<FollowRow>, _ page: Page<FollowRow>, _ call: Call, _ url: PublicURL) -> Response {
    json(list, page, call) { $0.write($1.profile, url) }
  }

  /// A page of any list, with a `Link` to the next one (RFC 8288), relative to the address that was asked for.
  private static func json<Item>(
    _ list: Listed<Item>, _ page: Page<Item>, _ call: Call, _ write: (inout JSONWriter, Item) -> Void
  ) -> Response {
    let link = list.next.map { "<\(call.request.path)?limit=\(page.limit)&before=\($0)>; rel=\"next\"" }
    return json(headers: link.map { [("Link", $0)] } ?? [], capacity: 400 * (list.items.count + 1)) { json in
      json.object { json in
        json.array("items") { json in
          for item in list.items { json.object { write(&$0, item) } }
        }
        json.field("next", list.next?.description)
      }
    }
  }
}
