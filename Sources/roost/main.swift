#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

let program = Program(surroundings: .current(), console: .standard)
exit(program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
