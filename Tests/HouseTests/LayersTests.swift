import Testing

/// Imports point down the layers, never up and never sideways; SwiftPM by itself would only refuse a circle.
@Suite struct LayersTests {
  /// From the lowest to the highest; those in one row know nothing of each other.
  static let layers: [[String]] = [
    ["CPostgres", "CMicroHTTPD", "CUV", "CSodium", "CJansson", "CUtf8proc", "CVips", "CCurl"],
    ["Metrics"],
    ["EventLoop", "Log", "Values", "Schema", "RoostAPI"],
    ["Secrets", "Postgres", "HTTP", "Pictures", "Mail", "RoostClient"],
    ["Store"],
    ["Services"],
    ["Routes"],
    ["roost"],
  ]

  /// Who may speak to which C library.
  static let speakers: [String: Set<String>] = [
    "CPostgres": ["Postgres", "roost"], "CMicroHTTPD": ["HTTP"], "CUV": ["EventLoop", "roost"], "CSodium": ["Secrets"],
    "CJansson": ["HTTP"], "CUtf8proc": ["Values"], "CVips": ["Pictures"], "CCurl": ["Mail"],
  ]

  /// What comes with the system and the toolchain, for every layer.
  static let system: Set<String> = [
    "Glibc", "Musl", "Darwin", "Synchronization", "Dispatch", "os", "Security", "Combine",
  ]

  static func height(_ module: String) -> Int? { layers.firstIndex { $0.contains(module) } }

  /// The modules that a file imports.
  static func imports(of file: House.File) -> [String] {
    file.lines.filter { $0.contains("import ") }.compactMap { line in
      line.firstMatch(
        of: #/^\s*(?:@\w+\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:\w+\s+)?(\w+)/#
      ).map { String($0.1) }
    }
  }

  /// Why a module may not import another; nil when it may.
  static func objection(to imported: String, in module: String) -> String? {
    if system.contains(imported) || imported.hasPrefix("Foundation") { return nil }
    guard let from = height(module) else { return "\(module) is no layer" }
    guard let to = height(imported) else { return "\(module) imports \(imported), which is no layer" }
    if to > from { return "\(module) imports \(imported), which lies above it" }
    if to == from { return "\(module) imports \(imported), which lies beside it" }
    if let speakers = speakers[imported], !speakers.contains(module) {
      return "\(module) is not to speak to \(imported)"
    }
    return nil
  }

  @Test func `every folder of sources is a layer, and every layer is one`() {
    let folders = Set(House.sources.map(\.target))
    let libraries = Set(House.files(in: "Sources", "module.modulemap").map(\.target))
    #expect(folders.union(libraries) == Set(Self.layers.joined()))
    #expect(libraries == Set(Self.layers[0]))
  }

  @Test func `no file imports what lies above or beside it`() {
    var count = 0
    for file in House.sources {
      for imported in Self.imports(of: file) {
        count += 1
        let objection = Self.objection(to: imported, in: file.target)
        #expect(objection == nil, "\(file.path): \(objection ?? "")")
      }
    }
    #expect(count > 200, "the imports were found")
  }

  @Test func `the package allows no more`() throws {
    let text = House.package.text
    var declared: [String: [String]] = [:]
    let list =
      #/(?:layer\(\s*|executableTarget\(\s*name:\s*)"(?<name>\w+)",\s*(?:dependencies:\s*)?\[(?<list>[^\]]*)\]/#
    // Fuzz stands above all layers and is no part of the product.
    for match in text.matches(of: list) where match.name != "Fuzz" {
      declared[String(match.name)] = match.list.matches(of: #/"(\w+)"/#).map { String($0.1) }
    }
    #expect(Set(declared.keys) == Set(Self.layers[1...].joined()).subtracting(["Schema"]))
    for (module, dependencies) in declared {
      for dependency in dependencies {
        let objection = Self.objection(to: dependency, in: module)
        #expect(objection == nil, "Package.swift: \(objection ?? "")")
      }
    }
    for file in House.sources where file.target != "Schema" {
      let allowed = Set(declared[file.target] ?? []).union(Self.system)
      let more = Self.imports(of: file).filter { !allowed.contains($0) && !$0.hasPrefix("Foundation") }
      #expect(more == [], "\(file.path): not in the list of Package.swift")
    }
  }

  @Test func `Foundation is nowhere but where JSON is decoded, and there in its small part`() {
    // An app has all of Foundation anyhow, and the client needs its networking.
    for file in House.sources where file.target != "RoostClient" {
      let lines = file.lines
      for (index, line) in lines.enumerated() where line.contains("import Foundation") {
        #expect(
          file.target == "RoostAPI" || file.path == "Sources/HTTP/JSONBody.swift",
          "\(file.path): the server has no Foundation")
        if line.contains(#/\bimport Foundation\b/#) {
          #expect(
            index > 2 && lines[index - 1] == "#else" && lines[index - 3] == "#if canImport(FoundationEssentials)",
            "\(file.path): only where there are no FoundationEssentials")
        }
      }
    }
  }

  @Test func `an import that points up or sideways is objected to`() {
    #expect(Self.objection(to: "Services", in: "Store") != nil)
    #expect(Self.objection(to: "HTTP", in: "Postgres") != nil)
    #expect(Self.objection(to: "Routes", in: "HTTP") != nil)
    #expect(Self.objection(to: "CPostgres", in: "Store") != nil)
    #expect(Self.objection(to: "NIOCore", in: "HTTP") != nil)
    #expect(Self.objection(to: "Store", in: "Store") != nil)
    #expect(Self.objection(to: "Values", in: "Store") == nil)
    #expect(Self.objection(to: "CPostgres", in: "Postgres") == nil)
    let text = """
      import A
      public import B  // why
      @preconcurrency import C
      @testable import struct D.E
        internal import F
      // import G
      let text = "import H"
      """
    #expect(Self.imports(of: House.File(path: "Sources/X/Y.swift", text: text)) == ["A", "B", "C", "D", "F"])
  }
}
