/// Metrics in the text format of Prometheus, version 0.0.4.
public struct Exposition: Sendable {
  /// Names and values of labels, in the order in which they are written.
  public typealias Labels = KeyValuePairs<String, String>

  /// The page so far.
  public private(set) var text = ""

  /// What the page is served as.
  public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  public init() {}

  /// Numbers that only grow. `name` ends in `_total`.
  public mutating func counter(_ name: String, _ help: String, _ samples: [(labels: Labels, value: Int)]) {
    head(name, help, "counter")
    for sample in samples { line(name, sample.labels, "\(sample.value)") }
  }

  /// Time that only grows. `name` ends in `_seconds_total`.
  public mutating func counter(_ name: String, _ help: String, times samples: [(labels: Labels, microseconds: Int)]) {
    head(name, help, "counter")
    for sample in samples { line(name, sample.labels, Self.seconds(sample.microseconds)) }
  }

  /// Numbers that rise and fall.
  public mutating func gauge(_ name: String, _ help: String, _ samples: [(labels: Labels, value: Int)]) {
    head(name, help, "gauge")
    for sample in samples { line(name, sample.labels, "\(sample.value)") }
  }

  /// One number that rises and falls.
  public mutating func gauge(_ name: String, _ help: String, _ value: Int) {
    head(name, help, "gauge")
    line(name, [:], "\(value)")
  }

  /// One time. `name` ends in `_seconds`.
  public mutating func gauge(_ name: String, _ help: String, microseconds: Int) {
    head(name, help, "gauge")
    line(name, [:], Self.seconds(microseconds))
  }

  /// Times, or how many. The name of times ends in `_seconds`.
  public mutating func histogram(
    _ name: String, _ help: String, _ samples: [(labels: Labels, value: Histogram.Snapshot)]
  ) {
    head(name, help, "histogram")
    for (labels, value) in samples {
      let labels = labels.map { ($0.key, $0.value) }
      func written(_ number: Int) -> String { value.scale == .times ? Self.seconds(number) : "\(number)" }
      var count = 0
      for (index, bound) in value.scale.bounds.enumerated() {
        count += value.counts[index]
        line(name + "_bucket", labels + [("le", written(bound))], "\(count)")
      }
      count += value.counts.last ?? 0
      line(name + "_bucket", labels + [("le", "+Inf")], "\(count)")
      line(name + "_sum", labels, written(value.sum))
      line(name + "_count", labels, "\(count)")
    }
  }

  private mutating func head(_ name: String, _ help: String, _ type: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  private mutating func line(_ name: String, _ labels: Labels, _ value: String) {
    line(name, labels.map { ($0.key, $0.value) }, value)
  }

  private mutating func line(_ name: String, _ labels: [(String, String)], _ value: String) {
    let written = labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
    text += written.isEmpty ? "\(name) \(value)\n" : "\(name){\(written)} \(value)\n"
  }

  /// Backslashes, quotes and line feeds are escaped.
  private static func escaped(_ value: String) -> String {
    value.reduce(into: "") { text, character in
      switch character {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.append(character)
      }
    }
  }

  /// Microseconds as seconds, without an exponent or zeros at the end.
  static func seconds(_ microseconds: Int) -> String {
    let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    guard rest > 0 else { return "\(whole)" }
    var digits = "\(rest)"
    digits = String(repeating: "0", count: 6 - digits.count) + digits
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(whole).\(digits)"
  }
}
