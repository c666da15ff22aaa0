#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A Prometheus for one test, on a port of its own, killed with the object and gone with its folder.
public final class TestPrometheus: Sendable {
  /// The folder of `prometheus` and `promtool`, which `ROOST_TEST_PROMETHEUS` names; nil where there is none.
  public static var programs: String? {
    ProcessInfo.processInfo.environment["ROOST_TEST_PROMETHEUS"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Why tests that need it are skipped.
  public static let whatIsMissing = "there is no Prometheus (scripts/find-prometheus)"

  private let process: TestServerProcess
  private let output: TestServerOutput
  private let folder: URL
  private let client: HTTPClient

  /// Starts with this configuration; `programs` is the folder of its program.
  public init(_ programs: String, configuration: String) throws {
    folder = URL(filePath: ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp")
      .appending(path: "prometheus-\(UInt64.random(in: 0...UInt64.max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "prometheus.yml")
    try Data(configuration.utf8).write(to: file)
    output = try TestServerOutput()
    process = try TestServerProcess(
      "\(programs)/prometheus",
      [
        "--config.file=\(file.path)", "--storage.tsdb.path=\(folder.path)/data", "--web.listen-address=127.0.0.1:0",
        "--log.format=json",
      ],
      environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path, "GOMAXPROCS": "1"], output: output.descriptor)
    client = HTTPClient(try Self.waitUntilReady(process, output))
  }

  deinit {
    process.send(.kill)
    _ = process.waitForEnd(milliseconds: 10_000)
    try? FileManager.default.removeItem(at: folder)
  }

  /// What its HTTP API answers.
  public func get<Answer: Decodable>(_ path: String, as type: Answer.Type) throws -> Answer {
    let response = try client.send("GET", path)
    guard response.status == 200 else {
      throw TestServer.Trouble(description: "\(path): \(response.status) \(response.text)")
    }
    return try JSONDecoder().decode(type, from: Data(response.text.utf8))
  }

  private static func waitUntilReady(
    _ process: TestServerProcess, _ output: TestServerOutput
  ) throws -> HTTPClient.Address {
    let deadline = ContinuousClock.now + .seconds(30)
    while process.ending == nil, ContinuousClock.now < deadline {
      let lines = output.text.split(separator: "\n")
      if lines.contains(where: { $0.contains("Server is ready") }),
        let listening = lines.first(where: { $0.contains(#""Listening on""#) }),
        let match = listening.firstMatch(of: #/"address":"([^"]+)"/#),
        let address = HTTPClient.Address(String(match.1))
      {
        return address
      }
      usleep(5_000)
    }
    process.send(.kill)
    throw TestServer.Trouble(description: "Prometheus does not start\n\(output.text)")
  }
}
