import CPostgres
import Postgres

/// A connection target as variables of libpq, so that a program which is started sees the password in its environment
/// and nobody sees it in the list of processes.
enum LibpqEnvironment {
  /// `["PGHOST": "db.example", "PGPASSWORD": "..."]`.
  ///
  /// What has no variable (keep-alives, `sslpassword`) is left out. What libpq would take from the environment itself is
  /// not repeated.
  static func variables(for target: ConnectionTarget) -> [String: String] {
    let names = variableNames()
    var variables: [String: String] = [:]
    for (keyword, value) in settings(of: target) {
      if let name = names[keyword] { variables[name] = value }
    }
    return variables
  }

  private static func settings(of target: ConnectionTarget) -> [(String, String)] {
    target.withParameters { keywords, values in
      var settings: [(String, String)] = []
      var index = 0
      while let keyword = keywords[index], let value = values[index] {
        let (keyword, value) = (String(cString: keyword), String(cString: value))
        index += 1
        if value.isEmpty { continue }
        settings += keyword == "dbname" ? expanded(value) : [(keyword, value)]
      }
      return settings
    }
  }

  /// A `dbname` may be a whole connection string.
  private static func expanded(_ database: String) -> [(String, String)] {
    guard database.contains("=") || database.contains("://") else { return [("dbname", database)] }
    guard let options = PQconninfoParse(database, nil) else { return [] }
    defer { PQconninfoFree(options) }
    return list(options).compactMap { option in
      guard let value = option.val else { return nil }
      return (String(cString: option.keyword), String(cString: value))
    }
  }

  private static func variableNames() -> [String: String] {
    guard let options = PQconndefaults() else { return [:] }
    defer { PQconninfoFree(options) }
    var names: [String: String] = [:]
    for option in list(options) {
      if let name = option.envvar { names[String(cString: option.keyword)] = String(cString: name) }
    }
    return names
  }

  private static func list(_ options: UnsafeMutablePointer<PQconninfoOption>) -> [PQconninfoOption] {
    var list: [PQconninfoOption] = []
    var option = options
    while option.pointee.keyword != nil {
      list.append(option.pointee)
      option += 1
    }
    return list
  }
}
