internal import CJansson

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The JSON of request bodies, read strictly.
///
/// Jansson judges the document: UTF-8 without a byte order mark, one object and nothing behind it, no key twice
/// (RFC 8259, section 4, leaves that open), no U+0000, no lone surrogate, no number beyond 64 bits or a double.
/// What passes is decoded by Foundation, which alone would let most of that through.
public enum JSONBody {
  /// How deep objects and arrays may lie in one another. It bounds the stack that both parsers need, and is far more
  /// than any of the calls has.
  public static let nestingMax = 32

  /// Why a document is refused, for people: where, and what, but never the data itself.
  public struct Malformed: Error, Hashable, CustomStringConvertible {
    /// As in `line 1, column 12: duplicate key` or `email: expected a string`.
    public let reason: String
    public var description: String { reason }
  }

  /// Answers the value that the document describes; unknown keys are ignored.
  public static func decode<T: Decodable>(_ type: T.Type, from bytes: [UInt8]) throws(Malformed) -> T {
    guard !bytes.isEmpty else { throw Malformed(reason: "the body is empty") }
    try checkNesting(bytes)
    try checkStrictness(bytes)
    do {
      return try decoder.decode(type, from: Data(bytes))
    } catch let error as DecodingError {
      throw Malformed(error)
    } catch {
      throw Malformed(reason: "not a document of this call")
    }
  }

  private static let decoder = JSONDecoder()

  /// Goes by brackets alone: up to the first mistake, which Jansson finds, it agrees with a parser about what is text.
  private static func checkNesting(_ bytes: [UInt8]) throws(Malformed) {
    var depth = 0
    var inText = false
    var isEscaped = false
    for byte in bytes {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\"): isEscaped = inText
      case UInt8(ascii: "\""): inText.toggle()
      case _ where inText: continue
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        if depth > nestingMax { throw Malformed(reason: "nested deeper than \(nestingMax) levels") }
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: continue
      }
    }
  }

  private static func checkStrictness(_ bytes: [UInt8]) throws(Malformed) {
    _ = hashSeed
    var error = json_error_t()
    let document = bytes.withUnsafeBytes { buffer in
      json_loadb(buffer.baseAddress, buffer.count, Int(JSON_REJECT_DUPLICATES), &error)
    }
    defer { json_decref(document) }
    guard let document else { throw Malformed(error) }
    guard document.pointee.type == JSON_OBJECT else { throw Malformed(reason: "expected an object") }
  }

  /// Seeds Jansson's hash table from the system's randomness, once and before any thread has a table: by itself Jansson
  /// does it with the first object, which is safe between threads only where it was built with atomics.
  private static let hashSeed: Void = json_object_seed(0)
}

extension JSONBody.Malformed {
  /// Jansson's own text quotes the document, so only its code and position are taken.
  fileprivate init(_ error: json_error_t) {
    let code = withUnsafeBytes(of: error.text) { UInt32($0.last ?? 0) }
    let fault =
      switch json_error_code(rawValue: code) {
      case json_error_invalid_utf8: "not UTF-8"
      case json_error_premature_end_of_input: "the document ends too early"
      case json_error_end_of_input_expected: "something follows the document"
      case json_error_null_character, json_error_null_byte_in_key: "U+0000 is not allowed"
      case json_error_duplicate_key: "duplicate key"
      case json_error_numeric_overflow: "number out of range"
      default: "not valid JSON"
      }
    self.init(reason: "line \(error.line), column \(error.column): \(fault)")
  }

  fileprivate init(_ error: DecodingError) {
    switch error {
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      self.init(reason: "\(Self.place(context.codingPath)): expected \(Self.name(of: type))")
    case .keyNotFound(let key, let context):
      self.init(reason: "\(Self.place(context.codingPath + [key])): missing")
    case .dataCorrupted(let context):
      self.init(reason: "\(Self.place(context.codingPath)): not a value of its kind")
    @unknown default:
      self.init(reason: "not a document of this call")
    }
  }

  private static func place(_ path: [any CodingKey]) -> String {
    let place = path.reduce(into: "") { place, key in
      if let index = key.intValue {
        place += "[\(index)]"
      } else {
        place += place.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
    return place.isEmpty ? "the document" : place
  }

  private static func name(of type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a string"
    case is Bool.Type: "true or false"
    case is any BinaryInteger.Type: "a whole number"
    case is any BinaryFloatingPoint.Type: "a number"
    case is [Any].Type: "an array"
    default: "an object"
    }
  }
}
