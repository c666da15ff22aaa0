import CLibFuzzer

/// `Fuzz TARGET [OPTION OF LIBFUZZER]... [FOLDER]...`: gives one target bytes without end. `Fuzz` alone names them all.
@main enum Fuzz {
  static let target = CommandLine.arguments.dropFirst().first.flatMap { name in
    FuzzTarget.all.first { $0.name == name }
  }

  static func main() {
    guard target != nil else {
      for target in FuzzTarget.all { print(target.name) }
      return
    }
    // libFuzzer takes a word that is no option for a folder, so it does not see the target's name.
    var count = CommandLine.argc - 1
    var words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
    CommandLine.unsafeArgv[1] = CommandLine.unsafeArgv[0]
    _ = LLVMFuzzerRunDriver(&count, &words) { bytes, count in
      Fuzz.target?.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
      return 0
    }
  }
}

/// Code that reads what others send, and what must hold of its answer whatever the bytes are.
struct FuzzTarget: Sendable {
  let name: String
  /// Ends the program when something does not hold.
  let run: @Sendable ([UInt8]) -> Void

  init(_ name: String, _ run: @escaping @Sendable ([UInt8]) -> Void) {
    self.name = name
    self.run = run
  }

  /// For code that takes text: the bytes as the server reads those of a header field.
  static func ofText(_ name: String, _ run: @escaping @Sendable (String) -> Void) -> FuzzTarget {
    FuzzTarget(name) { run(String(decoding: $0, as: UTF8.self)) }
  }

  static let all = headers + names + files + database + letters
}

/// Ends the program unless it holds.
func holds(_ condition: Bool, _ what: String, line: Int = #line, file: StaticString = #file) {
  precondition(condition, "\(file):\(line): \(what)")
}
