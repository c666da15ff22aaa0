#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What a server writes, in a file without a name: nothing is lost when either side is killed, and nothing is left.
final class TestServerOutput: Sendable {
  let descriptor: Int32

  init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array((parent + "/server.XXXXXX").utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw TestServer.Trouble(description: "no file for its log in \(parent)") }
    unlink(template)
    // Two processes never write to one file, but one may write from two descriptors.
    _ = fcntl(descriptor, F_SETFL, O_APPEND)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit { close(descriptor) }

  var text: String {
    var status = stat()
    fstat(descriptor, &status)
    let size = Int(status.st_size)
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, size, 0))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Where the server says that it serves; nil until it does.
  var servingAddress: HTTPClient.Address? {
    for line in text.split(separator: "\n") {
      guard line.contains(#""event":"serving""#) || line.contains(" serving ") else { continue }
      for mark in [#""address":""#, "address="] {
        guard let start = line.firstRange(of: mark)?.upperBound else { continue }
        return HTTPClient.Address(String(line[start...].prefix { $0 != "\"" && $0 != " " }))
      }
    }
    return nil
  }
}
