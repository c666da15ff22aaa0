import Testing
import Values

/// The code of the fault that the body throws; nil when it throws none.
func code<Value>(of body: () throws(Fault) -> Value) -> Fault.Code? {
  do throws(Fault) {
    _ = try body()
    return nil
  } catch {
    return error.code
  }
}

struct FaultTests {
  @Test func `the codes on the wire never change`() {
    #expect(
      Fault.Code.allCases.map(\.rawValue) == [
        "missing", "malformed", "too_short", "too_long", "reserved", "common", "forbidden_character", "same_as_login",
      ])
  }

  @Test func `a fault does not hold what was refused`() {
    let refused = "grace hopper"
    do throws(Fault) {
      _ = try Username(refused)
      Issue.record("nothing was refused")
    } catch {
      #expect(!String(reflecting: error).contains(refused))
    }
  }
}
