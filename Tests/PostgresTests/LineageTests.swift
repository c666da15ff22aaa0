import Testing

@testable import Postgres

struct LineageTests {
  private let start = ContinuousClock.now

  private func seconds(_ count: Int) -> ContinuousClock.Instant { start + .seconds(count) }

  @Test func `a primary is replaced by one on a later timeline of the same system, and by no other`() {
    let newest = Lineage.Newest()
    let first = Lineage(system: "a", timeline: 2)
    #expect(newest.admits(first, at: start))
    #expect(newest.admits(first, at: start))
    #expect(!newest.replaces(first))
    #expect(newest.admits(Lineage(system: "a", timeline: 3), at: start))
    #expect(newest.replaces(first))
    #expect(!newest.admits(first, at: start))
    #expect(newest.admits(Lineage(system: "b", timeline: 1), at: start), "another system, such as after an upgrade")
    #expect(!newest.replaces(first))
  }

  @Test func `an older primary that stays one for a minute, while there is no newer, is meant to be`() {
    let newest = Lineage.Newest()
    let older = Lineage(system: "a", timeline: 1)
    let newer = Lineage(system: "a", timeline: 2)
    #expect(newest.admits(newer, at: start))
    for second in stride(from: 10, to: 70, by: 10) { #expect(!newest.admits(older, at: seconds(second)), "\(second)") }
    #expect(newest.admits(older, at: seconds(70)))
    #expect(!newest.replaces(older))
    #expect(newest.admits(newer, at: seconds(71)))
    #expect(newest.replaces(older))
  }

  @Test func `that minute begins again when the newer one was there, or nobody asked for a while`() {
    let newest = Lineage.Newest()
    let older = Lineage(system: "a", timeline: 1)
    let newer = Lineage(system: "a", timeline: 2)
    #expect(newest.admits(newer, at: start))
    for second in stride(from: 0, to: 60, by: 10) { #expect(!newest.admits(older, at: seconds(second)), "\(second)") }
    #expect(newest.admits(newer, at: seconds(59)))
    #expect(!newest.admits(older, at: seconds(60)))
    #expect(!newest.admits(older, at: seconds(200)))
    #expect(!newest.admits(older, at: seconds(210)))
  }
}
