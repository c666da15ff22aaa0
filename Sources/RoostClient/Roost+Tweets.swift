public import Foundation
public import RoostAPI

extension Roost {
  /// Publishes a text of 1 to 280 characters.
  ///
  /// The key makes a repeat harmless: the same key and text give the same tweet. A view model that lets people try again
  /// after an error should keep the key of the first try and give it again.
  @discardableResult
  public func writeTweet(
    _ text: String, idempotencyKey: String = UUID().uuidString
  ) async throws(RoostError) -> Tweet {
    var call = Call(.writeTweet, json: NewTweet(text: text))
    call.headers = [("Idempotency-Key", idempotencyKey)]
    call.isRepeatable = true
    return try await answer(call)
  }

  /// One tweet, by its id.
  public func tweet(_ id: String) async throws(RoostError) -> Tweet {
    try await answer(Call(.tweet, [id]))
  }

  /// Deletes a tweet of one's own.
  public func deleteTweet(_ id: String) async throws(RoostError) {
    try await perform(Call(.deleteTweet, [id]))
  }

  /// Likes a tweet. It is well when it is liked already.
  public func likeTweet(_ id: String) async throws(RoostError) {
    try await perform(Call(.likeTweet, [id]))
  }

  /// Takes one's like of a tweet back. It is well when there is none.
  public func unlikeTweet(_ id: String) async throws(RoostError) {
    try await perform(Call(.unlikeTweet, [id]))
  }
}
