import Testing
import Values

@testable import Services

@Suite struct LiveJournalTests {
  private let ids = IDSource()

  private func ids(_ count: Int) -> [TweetID] { (0..<count).map { _ in ids.next() } }

  @Test func `what was noted is seen, in either way, and what was not is not`() {
    var journal = LiveJournal()
    let all = ids(4)
    #expect(journal.unseen(all) == all)
    journal.noteOlder([all[0]])
    journal.note([all[2]])
    #expect(journal.unseen(all) == [all[1], all[3]])
    #expect(all.map(journal.isSeen) == [true, false, true, false])
  }

  @Test func `what came first is known to who has the later one, whatever the ids say`() {
    var journal = LiveJournal()
    let all = ids(4)
    journal.note([all[2]])
    journal.note([all[0], all[1]])
    // What is noted again keeps its place.
    journal.note([all[1], all[2]])
    for (known, place) in [(2, 0), (2, 1), (0, 1)] {
      #expect(journal.isKnown(all[known], before: all[place]))
      #expect(!journal.isKnown(all[place], before: all[known]))
    }
    for one in all { #expect(!journal.isKnown(one, before: one)) }
    #expect(!journal.isKnown(all[3], before: all[0]) && !journal.isKnown(all[0], before: all[3]))
  }

  @Test func `of what was there before, nobody knows who has it`() {
    var journal = LiveJournal()
    let all = ids(3)
    journal.noteOlder([all[0], all[1]])
    journal.note([all[0], all[2]])
    #expect(!journal.isKnown(all[0], before: all[1]))
    #expect(!journal.isKnown(all[2], before: all[0]))
    #expect(!journal.isKnown(all[0], before: all[2]))
  }

  @Test func `of a long list the oldest half is forgotten, and the rest keeps its order`() {
    var journal = LiveJournal()
    let max = LiveJournal.tweetsMax
    let all = ids(2 * max)
    journal.noteOlder(Array(all[..<10]))
    journal.note(Array(all[..<(2 * max - 1)]))
    #expect(journal.unseen(all) == [all[2 * max - 1]])
    journal.note([all[2 * max - 1]])
    #expect(journal.unseen(all) == Array(all[..<max]))
    #expect(journal.isKnown(all[max], before: all[2 * max - 1]))
    #expect(!journal.isKnown(all[max - 1], before: all[max]))
  }
}
