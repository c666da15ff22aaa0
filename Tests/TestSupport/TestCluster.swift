public import Postgres

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The throwaway cluster of a test run.
public enum TestCluster {
  /// Where it is, as its superuser: what `ROOST_TEST_DATABASE` says.
  public static func target() throws(PostgresError) -> ConnectionTarget {
    guard let value = getenv("ROOST_TEST_DATABASE"), value.pointee != 0 else {
      throw .unavailable("ROOST_TEST_DATABASE names no cluster to test on. Run `make test`, which starts one")
    }
    return ConnectionTarget(String(cString: value))
  }
}
