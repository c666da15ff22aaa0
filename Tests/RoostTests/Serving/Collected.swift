import Synchronization

/// What several threads bring together.
final class Collected<Element: Sendable>: Sendable {
  private let elements = Mutex<[(index: Int, element: Element)]>([])

  func append(_ element: Element, at index: Int = 0) { elements.withLock { $0.append((index, element)) } }

  var all: [Element] { elements.withLock { $0.map(\.element) } }

  var count: Int { elements.withLock { $0.count } }

  var inOrder: [Element] { elements.withLock { $0.sorted { $0.index < $1.index }.map(\.element) } }
}

extension Sequence where Element: Hashable {
  /// How often each element is there.
  var counted: [Element: Int] { reduce(into: [:]) { $0[$1, default: 0] += 1 } }
}
