@testable import roost

/// Reads settings as a process would that has this environment, these flags and these files.
func reading(
  _ environment: [String: String] = [:], flags: [String: String] = [:], files: [String: String] = [:],
  settings: [Setting] = Setting.all, surround: (inout Surroundings) -> Void = { _ in }
) -> ConfigReader.Reading {
  var surroundings = Surroundings(environment: environment) { path in
    files[path].map { .success($0) } ?? .failure(Surroundings.FileTrouble(text: "No such file or directory"))
  }
  surround(&surroundings)
  return ConfigReader(settings: settings, flags: flags, surroundings: surroundings).read()
}
