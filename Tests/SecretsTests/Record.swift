import Synchronization

/// What threads noted, in the order they noted it.
final class Record: Sendable {
  private let notes = Mutex<[Int]>([])

  func note(_ number: Int) { notes.withLock { $0.append(number) } }

  var all: [Int] { notes.withLock { $0 } }
}
