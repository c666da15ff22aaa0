internal import CMicroHTTPD

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What libmicrohttpd hands to a call-back: good during the call, on the loop's thread.
///
/// All call-backs come from `MHD_run`, which only the loop's thread calls, hence in the server's isolation.
private struct Callback: @unchecked Sendable {  // C pointers, used where they came from
  let server: UnsafeMutableRawPointer?
  var connection: OpaquePointer?
  var text: UnsafePointer<CChar>?
  var upload: UnsafePointer<CChar>?
  var uploadSize: UnsafeMutablePointer<Int>?
  /// Where the library keeps our object: a link for each connection, an exchange for each request.
  var context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?

  func isolated<R: Sendable>(_ body: (isolated Server) -> R) -> R {
    Unmanaged<Server>.fromOpaque(server!).takeUnretainedValue().assumeIsolated(body)
  }

  /// The object in the library's keeping; it stays there.
  func kept<Kept: AnyObject>(_ type: Kept.Type) -> Kept? {
    context?.pointee.map { Unmanaged<Kept>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Takes the object out of the library's keeping.
  func taken<Kept: AnyObject>(_ type: Kept.Type) -> Kept? {
    defer { context?.pointee = nil }
    return context?.pointee.map { Unmanaged<Kept>.fromOpaque($0).takeRetainedValue() }
  }
}

/// Where the library wants the next piece of a body.
private struct Space: @unchecked Sendable {  // a C buffer, used where it came from
  let bytes: UnsafeMutableRawBufferPointer
}

/// A pointer to an object that the library keeps for us.
private struct Keeping: @unchecked Sendable {  // leaves the isolation only to be stored by the library
  let pointer: UnsafeMutableRawPointer?

  init(_ object: AnyObject?) { pointer = object.map { Unmanaged.passRetained($0).toOpaque() } }
}

extension Server {
  /// Starts libmicrohttpd for `server`; nil when it refuses.
  static func startDaemon(for server: Server, socket: ListenSocket, limits: ServerLimits) -> OpaquePointer? {
    let me = Unmanaged.passUnretained(server).toOpaque()
    func option(_ option: MHD_OPTION, _ value: Int = 0, _ pointer: UnsafeMutableRawPointer? = nil) -> MHD_OptionItem {
      MHD_OptionItem(option: option, value: value, ptr_value: pointer)
    }
    var options = [
      option(.LISTEN_SOCKET, Int(socket.descriptor)),
      option(.CONNECTION_LIMIT, limits.connectionsMax),
      option(.CONNECTION_MEMORY_LIMIT, ServerLimits.connectionBytesMax),
      option(.CONNECTION_TIMEOUT, 0),
      option(.STRICT_FOR_CLIENT, 1),
      option(.URI_LOG_CALLBACK, unsafeBitCast(onFirstLine, to: Int.self), me),
      option(.NOTIFY_CONNECTION, unsafeBitCast(onConnection, to: Int.self), me),
      option(.NOTIFY_COMPLETED, unsafeBitCast(onCompleted, to: Int.self), me),
      option(.UNESCAPE_CALLBACK, unsafeBitCast(unescape, to: Int.self), me),
      option(.END),
    ]
    return options.withUnsafeMutableBufferPointer { items in
      withVaList([
        Int32(bitPattern: MHD_OPTION.ARRAY.rawValue), items.baseAddress!, Int32(bitPattern: MHD_OPTION.END.rawValue),
      ]) {
        MHD_start_daemon_va(flags, 0, nil, nil, onAccess, me, $0)
      }
    }
  }

  private static var flags: UInt32 {
    #if os(Linux)
      UInt32(MHD_USE_EPOLL.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_USE_TURBO.rawValue)
    #else
      UInt32(MHD_ALLOW_SUSPEND_RESUME.rawValue)
    #endif
  }

  private typealias OnFirstLine =
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer?
  private typealias OnConnection =
    @convention(c) (
      UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
      MHD_ConnectionNotificationCode
    ) -> Void
  private typealias OnCompleted =
    @convention(c) (
      UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
      MHD_RequestTerminationCode
    ) -> Void
  private typealias Unescape =
    @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?) -> Int

  private static let onFirstLine: OnFirstLine = { server, target, connection in
    let callback = Callback(server: server, connection: connection, text: target)
    return callback.isolated { server in
      guard let target = callback.text, let link = Link.of(callback.connection) else { return Keeping(nil) }
      return Keeping(server.firstLine(String(cString: target), on: link))
    }.pointer
  }

  private static let onConnection: OnConnection = { server, connection, context, code in
    let callback = Callback(server: server, connection: connection, context: context)
    callback.isolated { server in
      if code == .CONNECTION_NOTIFY_STARTED, let connection = callback.connection {
        callback.context?.pointee = Keeping(server.opened(connection)).pointer
      } else if let link = callback.taken(Link.self) {
        server.closed(link)
      }
    }
  }

  private static let onCompleted: OnCompleted = { server, _, context, _ in
    let callback = Callback(server: server, context: context)
    callback.isolated { server in
      if let exchange = callback.taken(Exchange.self) { server.completed(exchange) }
    }
  }

  /// Paths reach the router as they were sent: it decodes them itself, part by part.
  private static let unescape: Unescape = { _, _, text in text.map { strlen($0) } ?? 0 }

  /// A reply that asks `stream` for its body, and keeps it until the reply is done with.
  static func reply(of stream: ResponseStream) -> OpaquePointer? {
    MHD_create_response_from_callback(
      UInt64.max, pieceBytes, read, Unmanaged.passRetained(stream).toOpaque(),
      { Unmanaged<ResponseStream>.fromOpaque($0!).release() })
  }

  /// What the library keeps for each reply of unknown length; used for clients that do not know chunks.
  private static let pieceBytes = 1_024

  private static let read: MHD_ContentReaderCallback = { stream, _, buffer, size in
    let space = Space(bytes: UnsafeMutableRawBufferPointer(start: buffer, count: size))
    let next = Unmanaged<ResponseStream>.fromOpaque(stream!).takeUnretainedValue().assumeIsolated {
      $0.take(into: space.bytes)
    }
    return switch next {
    case .bytes(let count): count
    case .later: 0
    case .end: -1
    case .failure: -2
    }
  }

  /// Called once with the head, once for each piece of the body, once at its end, and once more after a resumption.
  private static let onAccess: MHD_AccessHandlerCallback = {
    server, connection, _, method, _, upload, uploadSize, context in
    let callback = Callback(
      server: server, connection: connection, text: method, upload: upload, uploadSize: uploadSize, context: context)
    return callback.isolated { server in
      guard let exchange = callback.kept(Exchange.self), let connection = callback.connection,
        let size = callback.uploadSize, let method = callback.text
      else { return .NO }
      if let response = exchange.response { return server.answer(exchange, connection, response) }
      guard exchange.request != nil else {
        return server.head(exchange, connection, method: Method(rawValue: String(cString: method)) ?? .other)
      }
      guard size.pointee > 0 else { return server.end(exchange, connection) }
      exchange.take(UnsafeRawBufferPointer(start: callback.upload, count: size.pointee))
      size.pointee = 0
      return .YES
    }
  }
}

extension Link {
  fileprivate static func of(_ connection: OpaquePointer?) -> Link? {
    guard let connection, let context = roost_mhd_socket_context(connection) else { return nil }
    return Unmanaged<Link>.fromOpaque(context).takeUnretainedValue()
  }
}
