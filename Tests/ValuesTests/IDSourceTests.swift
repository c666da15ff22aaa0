import Synchronization
import Testing
import Values

struct IDSourceTests {
  /// 1,645,557,742,000 milliseconds and half of the next one.
  let instant: UInt64 = 1_645_557_742_000_500_000

  @Test func `an id has the time, the version and the variant of RFC 9562`() {
    let id: AccountID = IDSource(clock: { [instant] in instant }).next()
    #expect(id.millisecondsSinceEpoch == 1_645_557_742_000)
    // Half a millisecond is 2048 of 4096 parts.
    #expect(id.description.hasPrefix("017f22e2-79b0-7800-"))
    #expect([8, 9, 0xA, 0xB].contains(id.bytes[8] >> 4))
  }

  @Test func `the last nanosecond of a millisecond stays in it`() {
    let id: AccountID = IDSource(clock: { [instant] in instant + 499_999 }).next()
    #expect(id.description.hasPrefix("017f22e2-79b0-7fff-"))
  }

  @Test func `ids grow while the clock stands still`() {
    let source = IDSource(clock: { [instant] in instant })
    let ids: [TweetID] = (0..<5000).map { _ in source.next() }
    #expect(zip(ids, ids.dropFirst()).allSatisfy(<))
    // 2048 parts of the millisecond were left, then the count goes on in the next ones.
    #expect(ids[5000 - 1].millisecondsSinceEpoch == ids[0].millisecondsSinceEpoch + 1)
    #expect(ids.allSatisfy { $0.bytes[6] >> 4 == 7 })
  }

  @Test func `ids grow when the clock goes back`() {
    let clock = Mutex<[UInt64]>([1_000_000_000, 2_000_000_000, 3_000_000_000])
    let source = IDSource(clock: { clock.withLock { $0.removeLast() } })
    let ids: [TweetID] = (0..<3).map { _ in source.next() }
    #expect(ids == ids.sorted())
    #expect(ids.map(\.millisecondsSinceEpoch) == [3000, 3000, 3000])
  }

  @Test func `each id has its own random bits`() {
    let source = IDSource(clock: { [instant] in instant })
    let tails = (0..<1000).map { _ in
      let id: TweetID = source.next()
      return Array(id.bytes[8...])
    }
    #expect(Set(tails).count == 1000)
    let seen = tails.reduce(into: [UInt8](repeating: 0, count: 8)) { seen, tail in
      for place in 0..<8 { seen[place] |= tail[place] }
    }
    #expect(seen == [0xBF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
  }

  @Test func `eight threads never get one id twice and each sees them grow`() async {
    let source = IDSource()
    let perThread = 10_000
    let all = await withTaskGroup(of: [AccountID].self, returning: [[AccountID]].self) { group in
      for _ in 0..<8 { group.addTask { (0..<perThread).map { _ in source.next() } } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(all.allSatisfy { ids in zip(ids, ids.dropFirst()).allSatisfy(<) })
    // The time parts alone differ, so the order within the process is strict and owes nothing to chance.
    let steps = Set(all.joined().map { Array($0.bytes.prefix(8)) })
    #expect(steps.count == 8 * perThread)
  }

  @Test func `the wall clock answers nanoseconds of this century`() {
    #expect((1_700_000_000_000_000_000..<4_100_000_000_000_000_000).contains(IDSource.wallClock()))
  }
}
