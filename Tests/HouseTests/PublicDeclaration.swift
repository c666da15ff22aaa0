/// A public declaration as a line of a file shows it; enough of Swift's grammar to find those without a doc comment.
struct PublicDeclaration {
  /// `func`, `var`, `struct`, `init` and so on.
  let kind: String
  /// `init` and `subscript` are named like their kind.
  let name: String
  let isDocumented: Bool
  private let line: Substring
  private let body: [Substring]

  /// The declarations of a file, in order.
  static func all(in lines: [Substring]) -> [PublicDeclaration] {
    lines.indices.compactMap { PublicDeclaration(lines, at: $0) }
  }

  private init?(_ lines: [Substring], at index: Int) {
    let modifiers =
      #/^\s*(?:@\w+(?:\([^)]*\))?\s+)*public\s+(?:(?:static|mutating|nonisolated|final|indirect|class(?=\s+(?:func|var))|(?:private|internal)\(set\))\s+)*/#
    let line = lines[index]
    guard line.contains("public "), let start = line.firstMatch(of: modifiers) else { return nil }
    let rest = line[start.range.upperBound...]
    if let match = rest.firstMatch(of: #/^(init|subscript)\b/#) {
      kind = String(match.1)
      name = kind
    } else if let match = rest.firstMatch(of: #/^(\w+)\s+([\w=<]+)/#), match.1 != "import" {
      kind = String(match.1)
      name = String(match.2)
    } else {
      return nil
    }
    let above = lines[..<index].last { !$0.contains(#/^\s*@\w+/#) }
    isDocumented = above?.contains(#/^\s*\/\/\//#) ?? false
    self.line = line
    let indentation = line.prefix { $0 == " " }
    body = line.hasSuffix("}") ? [line] : Array(lines[index...].prefix { $0 != "\(indentation)}" })
  }

  /// What a protocol of the library or of this package demands; its documentation stands there.
  private static let witnesses: Set<String> = [
    "description", "debugDescription", "customMirror", "rawValue", "hash", "==", "<", "unownedExecutor", "enqueue",
    "checkIsolated", "isIsolatingCurrentContext", "sql", "effect", "bind", "bindRest", "decode", "found", "respond",
    "refuse", "bodyBytesMax", "load", "save", "clear", "makeAsyncIterator", "errorDescription",
  ]

  /// Whether nothing is left to say about it: a protocol has said it; it is a plain property of a type that is
  /// documented, or the initialiser that fills such properties; or one like it, of the same name, is documented above.
  func isExempt(after documented: Set<String>) -> Bool {
    if Self.witnesses.contains(name) { return true }
    switch kind {
    case "let": return true
    case "var": return !line.contains("{")
    case "func": return documented.contains(name)
    case "init": return documented.contains(name) || isMemberwise
    default: return false
    }
  }

  private var isMemberwise: Bool {
    let text = body.joined(separator: "\n")
    guard let brace = text.lastIndex(of: "{") else { return false }
    let statements = text[text.index(after: brace)...].split { $0 == "\n" || $0 == "}" }
    return statements.allSatisfy { statement in
      let words = statement.split(separator: " ")
      let isAssignment = words.count == 3 && words[1] == "=" && words[2].allSatisfy { $0.isLetter || $0 == "." }
      return words.isEmpty || isAssignment || statement.contains(#/^ *self = \.\w+\(value\) *$/#)
    }
  }
}
