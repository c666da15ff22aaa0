import CPostgres

extension ConnectionTarget {
  /// How many hosts it names; 1 also when they stand in a service file, which only libpq reads.
  var hostCount: Int { hostLists?.values.map(\.count).max() ?? 1 }

  /// The same hosts in the same circle, the one at `index` of those written first.
  func startingAtHost(_ index: Int) -> ConnectionTarget {
    guard index > 0, let lists = hostLists else { return self }
    return lists.reduce(self) { target, list in
      let (keyword, places) = list
      // One port stands for all hosts.
      guard places.count > index else { return target }
      return target.with(Keyword(keyword, (places[index...] + places[..<index]).joined(separator: ",")))
    }
  }

  /// Which of the written hosts a connection leads to.
  func placeOfHost(of link: OpaquePointer) -> Int? {
    guard let lists = hostLists, let names = lists["host"] ?? lists["hostaddr"] else { return nil }
    let host = PQhost(link).map { String(cString: $0) }
    let port = PQport(link).map { String(cString: $0) }
    return names.indices.first { index in
      guard names[index] == host else { return false }
      guard let ports = lists["port"], ports.count > index, !ports[index].isEmpty else { return true }
      return ports[index] == port
    }
  }

  /// What stands in the lists that go together, by keyword.
  private var hostLists: [String: [String]]? {
    guard let settings = parsed, settings["service"] == nil else { return nil }
    var lists: [String: [String]] = [:]
    for keyword in ["host", "hostaddr", "port"] {
      guard let text = settings[keyword] else { continue }
      lists[keyword] = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    return lists
  }
}
