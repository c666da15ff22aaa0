import CLibFuzzer
import Glibc

/// `TARGET=… Fuzz [OPTION OF LIBFUZZER]... [FOLDER]...`: gives one target bytes without end. `Fuzz` alone names them all.
///
/// The name stands in the environment, since libFuzzer starts the program again for some of what it does.
@main enum Fuzz {
  static let target = getenv("TARGET").map { String(cString: $0) }.flatMap { name in
    FuzzTarget.all.first { $0.name == name }
  }

  static func main() {
    guard target != nil else {
      for target in FuzzTarget.all { print(target.name) }
      exit(getenv("TARGET") == nil ? 0 : 1)
    }
    var count = CommandLine.argc
    var words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
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
