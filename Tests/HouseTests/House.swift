import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The files of the package, for the tests that read them.
enum House {
  struct File: Sendable, CustomTestStringConvertible {
    /// Relative to the package, `Sources/Store/SignUp.swift`.
    let path: String
    let text: String

    var testDescription: String { path }
    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
    var name: String { String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]) }
    /// The folder below `Sources` or `Tests`: the target.
    var target: String { path.hasPrefix("sql/") ? "Schema" : String(path.split(separator: "/")[1]) }
  }

  static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The Swift files of the program itself, in a certain order.
  static let sources = files(in: "Sources", ".swift") + files(in: "sql", ".swift")

  /// All Swift files, those of tests among them.
  static let all =
    sources + files(in: "Tests", ".swift") + files(in: "Fuzz/Sources", ".swift")
    + files(in: "Benchmarks/Sources", ".swift")

  static let package = file("Package.swift")!

  /// Nil when there is no such file.
  static func file(_ path: String) -> File? {
    guard let data = try? Data(contentsOf: root.appending(path: path)) else { return nil }
    return File(path: path, text: String(decoding: data, as: UTF8.self))
  }

  /// Every file below a folder whose name has this ending; none when there is no such folder.
  static func files(in folder: String, _ ending: String) -> [File] {
    let top = root.appending(path: folder).path
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: top)) ?? []
    return paths.filter { $0.hasSuffix(ending) && !$0.contains(".build/") }.sorted().compactMap {
      file("\(folder)/\($0)")
    }
  }

  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appending(path: path).path)
  }
}
