import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests by `URLSession`, without cookies, caches, credentials and redirects.
///
/// All of them go through one delegate: that is the one way in which Apple's `URLSession` and the one of Linux (which
/// has no `bytes(for:)`) give an answer piece by piece. A request's `timeoutInterval` is how long nothing may come; it is
/// watched here, because the one of Linux does not look at it.
final class Wire: Transport {
  private let session: URLSession
  private let receiver = Receiver()
  /// Whether it is for one request.
  private let isAlone: Bool

  #if canImport(FoundationNetworking)
    /// When a kept connection is dead, the `URLSession` of Linux hangs instead of sending a body again.
    private static let bodiesNeedNewConnections = true
  #else
    private static let bodiesNeedNewConnections = false
  #endif

  init(isAlone: Bool = false) {
    self.isAlone = isAlone
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.httpCookieStorage = nil
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpShouldSetCookies = false
    configuration.timeoutIntervalForRequest = 3_600
    // A live feed holds one for as long as it is shown.
    configuration.httpMaximumConnectionsPerHost = 8
    session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
  }

  // The session holds on to its delegate, and itself, until it is told.
  deinit { session.finishTasksAndInvalidate() }

  func open(_ request: URLRequest, onNewConnection: Bool = false) async throws(RoostError) -> Incoming {
    // A session of its own knows no kept connections.
    if onNewConnection || Self.bodiesNeedNewConnections && request.httpBody != nil, !isAlone {
      return try await Wire(isAlone: true).open(request)
    }
    let idleMax = Duration.seconds(request.timeoutInterval)
    var request = request
    request.timeoutInterval = session.configuration.timeoutIntervalForRequest
    let task = session.dataTask(with: request)
    let receiver = receiver
    let outcome: Result<Incoming, RoostError> = await withTaskCancellationHandler {
      await withCheckedContinuation { head in
        receiver.expect(task, head, idleMax)
        if Task.isCancelled { receiver.cancel(task) } else { task.resume() }
      }
    } onCancel: {
      receiver.cancel(task)
    }
    return try outcome.get()
  }
}

/// Hands what comes in to those who wait for it.
private final class Receiver: NSObject, URLSessionDataDelegate, Sendable {
  private struct Reception: Sendable {
    var head: CheckedContinuation<Result<Incoming, RoostError>, Never>?
    /// Until the head is there: then its reader alone holds it, so that it ends with its reader.
    var stream: AsyncThrowingStream<Data, any Error>?
    let body: AsyncThrowingStream<Data, any Error>.Continuation
    let idleMax: Duration
    var heard = ContinuousClock.now
    var watch: Task<Void, Never>?
  }

  private let receptions = Guarded<[Int: Reception]>([:])

  func expect(
    _ task: URLSessionTask, _ head: CheckedContinuation<Result<Incoming, RoostError>, Never>, _ idleMax: Duration
  ) {
    let (stream, body) = AsyncThrowingStream<Data, any Error>.makeStream()
    receptions.withLock { receptions in
      receptions[task.taskIdentifier] = Reception(
        head: head, stream: stream, body: body, idleMax: idleMax, watch: Task { [weak self] in await self?.watch(task) }
      )
    }
    body.onTermination = { [weak self] reason in
      if case .cancelled = reason { self?.cancel(task) }
    }
  }

  /// Ends a transfer for whoever waits, whatever the system makes of it.
  func cancel(_ task: URLSessionTask) {
    finish(task, .cancelled)
    task.cancel()
  }

  /// Ends a transfer when nothing has come for too long.
  private func watch(_ task: URLSessionTask) async {
    while let reception = receptions.withLock({ $0[task.taskIdentifier] }) {
      let deadline = reception.heard + reception.idleMax
      if deadline <= .now {
        finish(task, .timedOut)
        task.cancel()
        return
      }
      do { try await Task.sleep(until: deadline) } catch { return }
    }
  }

  private func hear(_ task: URLSessionTask) {
    receptions.withLock { $0[task.taskIdentifier]?.heard = .now }
  }

  private func finish(_ task: URLSessionTask, _ error: RoostError?) {
    guard let reception = receptions.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
    reception.watch?.cancel()
    reception.head?.resume(returning: .failure(error ?? .unreachable("no answer")))
    reception.body.finish(throwing: error)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let waiting = receptions.withLock { receptions -> Reception? in
      let reception = receptions[dataTask.taskIdentifier]
      receptions[dataTask.taskIdentifier]?.heard = .now
      receptions[dataTask.taskIdentifier]?.head = nil
      receptions[dataTask.taskIdentifier]?.stream = nil
      return reception
    }
    if let waiting, let head = waiting.head, let stream = waiting.stream {
      let answer = response as? HTTPURLResponse
      var headers: [String: String] = [:]
      for (name, value) in answer?.allHeaderFields ?? [:] {
        headers["\(name)".lowercased()] = "\(value)"
      }
      let incoming = Incoming(status: answer?.statusCode ?? 0, headers: headers, body: stream)
      head.resume(returning: .success(incoming))
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    hear(dataTask)
    let body = receptions.withLock { $0[dataTask.taskIdentifier]?.body }
    body?.yield(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    hear(task)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    finish(task, error.map(Self.meaning))
  }

  /// The API redirects nobody, and a token must not follow somebody else's redirection: the answer is the 3xx itself.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  private static func meaning(_ error: any Error) -> RoostError {
    let code = (error as? URLError)?.code ?? URLError.Code(rawValue: (error as NSError).code)
    return switch code {
    case .cancelled: .cancelled
    case .timedOut: .timedOut
    default: .unreachable((error as NSError).localizedDescription)
    }
  }
}
