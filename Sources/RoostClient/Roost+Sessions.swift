public import RoostAPI

extension Roost {
  /// Where the account is signed in.
  public func sessions() async throws(RoostError) -> [SessionDetails] {
    let page: Page<SessionDetails> = try await answer(Call(.sessions))
    return page.items
  }

  /// Ends one of one's own sessions, by its id.
  public func endSession(_ id: String) async throws(RoostError) {
    try await perform(Call(.endSession, [id]))
  }

  /// Ends all of one's own sessions but this one.
  public func endOtherSessions() async throws(RoostError) {
    try await perform(Call(.endOtherSessions))
  }
}
