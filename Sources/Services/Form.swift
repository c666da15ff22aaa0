import Store
import Values

/// Reads the fields of a form and gathers what is wrong with them, so that all of it is answered at once.
struct Form {
  private var faults: [FieldFault] = []

  /// A field that must be there. Nil when it is at fault.
  mutating func required<Value>(
    _ field: String, _ text: String?, _ read: (String) throws(Fault) -> Value
  ) -> Value? {
    guard let text else {
      faults.append(FieldFault(field: field, fault: .missing))
      return nil
    }
    do throws(Fault) {
      return try read(text)
    } catch {
      faults.append(FieldFault(field: field, fault: error))
      return nil
    }
  }

  /// A field that may be absent or null. Nil then, and also when it is at fault.
  mutating func optional<Value>(
    _ field: String, _ text: String?, _ read: (String) throws(Fault) -> Value?
  ) -> Value? {
    guard let text else { return nil }
    return required(field, text, read) ?? nil
  }

  /// What is wanted of a field that may stay as it is. A nil text clears it.
  mutating func change<Value>(
    _ field: String, _ text: Edit, _ read: (String) throws(Fault) -> Value?
  ) -> ChangeProfile.Change<Value> {
    guard case .becomes(let text) = text else { return .stays }
    return .becomes(optional(field, text, read))
  }

  /// The faults that were found.
  var failure: Failure { .invalidFields(faults) }

  /// What `values` hold, or the faults that kept one from being read.
  func complete<each Value>(_ values: repeat (each Value)?) throws(Failure) -> (repeat each Value) {
    guard faults.isEmpty else { throw failure }
    func present<V>(_ value: V?) throws(Failure) -> V {
      guard let value else { throw .internalError("a field is missing without a fault") }
      return value
    }
    return (repeat try present(each values))
  }
}
