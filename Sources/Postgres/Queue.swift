/// First in, first out, in one growing array.
struct Queue<Element> {
  private var elements: [Element] = []
  private var head = 0

  /// Elements that have left are cut off once there are so many.
  private static var compactionThreshold: Int { 256 }

  var isEmpty: Bool { head == elements.count }
  var count: Int { elements.count - head }
  var first: Element? { isEmpty ? nil : elements[head] }
  subscript(index: Int) -> Element { elements[head + index] }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func removeFirst() {
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: true)
      head = 0
    } else if head > Self.compactionThreshold {
      elements.removeFirst(head)
      head = 0
    }
  }
}
