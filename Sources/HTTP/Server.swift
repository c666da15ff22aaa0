internal import CMicroHTTPD
public import EventLoop
public import Log

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An HTTP/1.1 server on one loop: libmicrohttpd reads and writes, the loop says when.
///
/// A request is answered by a task; its connection is suspended meanwhile, and resumed with the answer.
public actor Server {
  /// Why a server did not start.
  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  let loop: Loop
  let limits: ServerLimits
  let responder: any Responder
  private let socket: ListenSocket
  let log: Log
  private var daemon: OpaquePointer?
  private var watcher: Watcher?
  private var libraryTimer: LoopTimer?
  private var sweepTimer: LoopTimer?
  var roomTimer: LoopTimer?
  private var isRunDue = true
  private(set) var links: [Link] = []
  var idleStreamsDue: UInt64 = 0
  var streaming: [ObjectIdentifier: Streaming] = [:]
  var ended = 0
  var endedDue: UInt64 = 0
  private var exchanges = 0
  private var largeBodies = 0
  private var isDraining = false
  private var onIdle: CheckedContinuation<Void, Never>?

  /// How often time limits are looked at; they are exact to that.
  private static let sweepMilliseconds: UInt64 = 250

  public init(on loop: Loop, socket: ListenSocket, limits: ServerLimits, responder: any Responder, log: Log) {
    self.loop = loop
    self.socket = socket
    self.limits = limits
    self.responder = responder
    self.log = log
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  // MARK: Life

  /// Begins to accept connections.
  public func start() throws(Failure) {
    guard let daemon = Self.startDaemon(for: self, socket: socket, limits: limits) else {
      throw Failure(description: "libmicrohttpd did not start")
    }
    self.daemon = daemon
    libraryTimer = LoopTimer(on: loop) { [unowned self] in runSoon() }
    sweepTimer = LoopTimer(on: loop) { [unowned self] in sweep() }
    roomTimer = LoopTimer(on: loop) { [unowned self] in makeRoom() }
    sweepTimer?.start(afterMilliseconds: Self.sweepMilliseconds, everyMilliseconds: Self.sweepMilliseconds)
    loop.onTurnEnd { [weak self] in self?.assumeIsolated { $0.endTurn() } }
    #if os(Linux)
      watcher = Watcher(on: loop, descriptor: roost_mhd_epoll_descriptor(daemon), events: .readable) {
        [unowned self] _ in
        runSoon()
      }
      guard watcher != nil else { throw Failure(description: "libuv does not watch libmicrohttpd's epoll") }
    #endif
  }

  /// Stops accepting, lets the requests under way finish, and ends the connections.
  ///
  /// It answers when none is left, or after `milliseconds`: whether all were answered.
  public func drain(withinMilliseconds milliseconds: UInt64) async -> Bool {
    guard let daemon, !isDraining else { return true }
    isDraining = true
    MHD_quiesce_daemon(daemon)
    socket.shut()
    for link in links where link.phase == .idle || link.phase == .fresh { link.cut() }
    runSoon()
    if exchanges > 0 {
      let limit = LoopTimer(on: loop) { [unowned self] in becomeIdle() }
      limit.start(afterMilliseconds: milliseconds)
      await withCheckedContinuation { onIdle = $0 }
      limit.stop()
    }
    guard exchanges == 0 else { return false }
    sweepTimer = nil
    roomTimer = nil
    libraryTimer = nil
    watcher?.cancel()
    MHD_stop_daemon(daemon)
    self.daemon = nil
    return true
  }

  /// Adds work for the end of each turn of the loop.
  public func whenTurnsEnd(_ body: @escaping @Sendable () -> Void) {
    loop.onTurnEnd(body)
  }

  private func becomeIdle() {
    onIdle?.resume()
    onIdle = nil
  }

  // MARK: Turns

  func runSoon() {
    isRunDue = true
    loop.requestTurnEnd()
  }

  /// Lets libmicrohttpd work off what has happened in this turn.
  private func endTurn() {
    guard let daemon else { return }
    #if !os(Linux)
      isRunDue = true  // Without epoll nothing tells that a socket is ready: libmicrohttpd looks at each.
    #endif
    guard isRunDue else { return }
    isRunDue = false
    MHD_run(daemon)
    var milliseconds: UInt64 = 0
    if MHD_get_timeout(daemon, &milliseconds) == .YES {
      libraryTimer?.start(afterMilliseconds: milliseconds)
    }
    #if !os(Linux)
      libraryTimer?.start(afterMilliseconds: 2)
    #endif
  }

  /// Ends connections whose time is over, and those of idle streams whose client has gone.
  private func sweep() {
    let now = loop.nowMilliseconds
    cutIdleStreams(now: now)
    tellOfEnded(now: now)
    for link in links where link.deadlineMilliseconds <= now {
      switch link.phase {
      case .fresh, .head, .body:
        refuse(link, .tooSlow)
      case .idle, .answering, .sending:
        link.cut()
      }
      runSoon()
    }
  }

  // MARK: Connections

  /// How many are open.
  public var connections: Int { links.count }

  /// Answers on the bare socket, since the library cannot before it has read the whole head, and ends the connection.
  func refuse(_ link: Link, _ refusal: Refusal) {
    link.cut(saying: Self.wire(responder.refuse(refusal, of: nil)))
  }

  func opened(_ connection: OpaquePointer) -> Link {
    let link = Link(
      descriptor: roost_mhd_descriptor(connection), peer: Link.text(of: roost_mhd_peer(connection)),
      now: loop.nowMilliseconds, milliseconds: limits.headMilliseconds)
    link.index = links.count
    links.append(link)
    if links.count > limits.connectionsMax - limits.connectionsSpare { makeRoom() }
    return link
  }

  func closed(_ link: Link) {
    // At its limit libmicrohttpd does not listen, and only its next run listens again: nothing else would bring it on.
    if links.count >= limits.connectionsMax { runSoon() }
    let last = links.removeLast()
    guard last !== link else { return }
    links[link.index] = last
    last.index = link.index
  }

  // MARK: Requests

  func firstLine(_ target: String, on link: Link) -> Exchange {
    link.enter(.head, now: loop.nowMilliseconds, milliseconds: limits.headMilliseconds)
    exchanges += 1
    let exchange = Exchange(target: target, link: link)
    if exchange.hasTooManyParameters {
      // The library would run out of memory at it, and answer by itself or close.
      refuse(link, .malformed("more than \(Exchange.parametersMax) query parameters"))
    }
    return exchange
  }

  func head(_ exchange: Exchange, _ connection: OpaquePointer, method: Method) -> MHD_Result {
    guard !exchange.link.isCut else { return .NO }
    var request = Request(
      method: method, target: exchange.target, peer: exchange.link.peer, receivedMilliseconds: loop.nowMilliseconds)
    request.readFields(of: connection)
    let bytesMax = responder.bodyBytesMax(for: request)
    exchange.begin(request, bodyBytesMax: bytesMax)
    if let refusal = request.refusal(headBytes: roost_mhd_head_bytes(connection), limits, bodyBytesMax: bytesMax) {
      return answer(exchange, connection, responder.refuse(refusal, of: request))
    }
    if bytesMax > limits.largeBodyBytes, request.bodyBytesDeclared ?? .max > limits.largeBodyBytes {
      guard largeBodies < limits.largeBodiesMax else {
        return answer(exchange, connection, responder.refuse(.overloaded, of: request))
      }
      largeBodies += 1
      exchange.isLarge = true
    }
    exchange.link.enter(.body, now: loop.nowMilliseconds, milliseconds: limits.bodyMilliseconds)
    return .YES
  }

  func end(_ exchange: Exchange, _ connection: OpaquePointer) -> MHD_Result {
    guard !exchange.link.isCut, let request = exchange.request else { return .NO }
    if exchange.isTooLarge {
      let refusal = Refusal.bodyTooLarge(bytesMax: responder.bodyBytesMax(for: request))
      return answer(exchange, connection, responder.refuse(refusal, of: request))
    }
    exchange.link.enter(.answering, now: loop.nowMilliseconds)
    exchange.request?.body = []
    MHD_suspend_connection(connection)
    // Unlike `Task.init` it inherits this actor's isolation, also with a preference.
    Task.immediate(executorPreference: loop) {
      exchange.response = await self.responder.respond(to: request)
      MHD_resume_connection(connection)
      self.runSoon()
    }
    return .YES
  }

  func answer(_ exchange: Exchange, _ connection: OpaquePointer, _ response: Response) -> MHD_Result {
    exchange.link.enter(.sending, now: loop.nowMilliseconds, milliseconds: limits.sendMilliseconds)
    guard let reply = response.writer == nil ? Self.whole(response.body) : streamed(exchange, connection) else {
      return .NO
    }
    defer { MHD_destroy_response(reply) }
    for header in response.headers { MHD_add_response_header(reply, header.name, header.value) }
    if isDraining { MHD_add_response_header(reply, "Connection", "close") }
    let isQueued = MHD_queue_response(connection, UInt32(response.status), reply)
    if let writer = response.writer, let stream = exchange.stream, exchange.request?.method != .head {
      Task.immediate(executorPreference: loop) {
        do {
          try await writer(stream)
          await stream.finish(completely: true)
        } catch {
          await stream.finish(completely: false)
        }
      }
    }
    return isQueued
  }

  private static func whole(_ body: [UInt8]) -> OpaquePointer? {
    body.withUnsafeBytes { body in
      // The library only reads from it, and copies it.
      MHD_create_response_from_buffer(
        body.count, UnsafeMutableRawPointer(mutating: body.baseAddress), MHD_ResponseMemoryMode.RESPMEM_MUST_COPY)
    }
  }

  func completed(_ exchange: Exchange) {
    exchange.link.enter(.idle, now: loop.nowMilliseconds, milliseconds: limits.idleMilliseconds)
    exchanges -= 1
    if let stream = exchange.stream {
      streaming[ObjectIdentifier(stream)] = nil
      stream.assumeIsolated { $0.close() }
    }
    if exchange.isLarge { largeBodies -= 1 }
    guard isDraining else { return }
    exchange.link.cut()
    if exchanges == 0 { becomeIdle() }
  }

  /// A whole answer in the form of RFC 9112, for a connection that is cut after it.
  private static func wire(_ response: Response) -> [UInt8] {
    var text = "HTTP/1.1 \(response.status) \(String(cString: MHD_get_reason_phrase_for(UInt32(response.status))))\r\n"
    for header in response.headers { text += "\(header.name): \(header.value)\r\n" }
    text += "Connection: close\r\nContent-Length: \(response.body.count)\r\n\r\n"
    return Array(text.utf8) + response.body
  }
}
