import Testing

@Suite struct DocCommentTests {
  /// The declarations of a text that should be documented and are not.
  func undocumented(_ text: String) -> [String] {
    var documented: Set<String> = []
    var missing: [String] = []
    for declaration in PublicDeclaration.all(in: text.split(separator: "\n", omittingEmptySubsequences: false)) {
      if declaration.isDocumented {
        documented.insert(declaration.name)
      } else if !declaration.isExempt(after: documented) {
        missing.append("\(declaration.kind) \(declaration.name)")
      }
    }
    return missing
  }

  @Test(arguments: House.sources)
  func `every public declaration says what it is`(file: House.File) {
    #expect(undocumented(file.text) == [])
  }

  @Test func `the declarations are found`() {
    let count = House.sources.reduce(0) { $0 + PublicDeclaration.all(in: $1.lines).count }
    #expect(count > 500)
  }

  @Test func `what is not documented is noticed, and what needs no words is passed over`() {
    let text = """
      /// A bird.
      public struct Bird: Sendable {
        public let name: String
        public var age = 3
        public static let legs = 2
        public init(name: String) {
          self.name = name
        }
        public init() {}
        public init(egg: Egg) { name = egg.hatch() }
        public var isOld: Bool { age > 9 }
        /// Sings.
        public mutating func sing(_ song: String) {}
        public mutating func sing() {}
        @discardableResult
        public func fly() -> Bool { true }
        /// Answers the nest.
        @discardableResult
        public static func nest() -> Nest { Nest() }
        public static func == (left: Bird, right: Bird) -> Bool { true }
        public private(set) var feathers: Int
        public nonisolated var description: String { name }
      }
      public enum Nest { case empty }
      public typealias Flock = [Bird]
      public import Store
      """
    #expect(undocumented(text) == ["init init", "var isOld", "func fly", "enum Nest", "typealias Flock"])
  }
}
