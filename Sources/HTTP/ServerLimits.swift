/// What a server puts up with from its clients. All times are bounds from the first byte awaited to the last.
public struct ServerLimits: Sendable {
  /// Open connections for each loop. Towards the end, those that keep the server waiting are ended to make room; where
  /// there is none, further ones wait in the kernel's backlog.
  public var connectionsMax = 10_000
  /// Places that are kept free, and how many connections make room at once.
  var connectionsSpare: Int { min(64, connectionsMax / 8) }
  var connectionsAtOnce: Int { max(1, connectionsMax / 32) }
  /// The head of a request: request line and header fields together. More is 431.
  public var headBytesMax = 16 * 1_024
  /// A request's head on a new connection, and the rest of a head once its first line has come. Later is 408.
  public var headMilliseconds: UInt64 = 10_000
  /// How long a connection may idle between two requests before it is closed.
  public var idleMilliseconds: UInt64 = 75_000
  /// A request's body. Later is 408.
  public var bodyMilliseconds: UInt64 = 30_000
  /// A body of more bytes is a large one, and of those only so many are under way at once: each lies in memory, whole,
  /// until it has been answered. One more is 503.
  public var largeBodyBytes = 64 * 1_024
  public var largeBodiesMax = 16
  /// The client's reading of the answer. Later the connection is cut.
  public var sendMilliseconds: UInt64 = 30_000

  /// Memory that libmicrohttpd may use for one connection: the head of a request, and its body in pieces.
  static let connectionBytesMax = 32 * 1_024

  public init() {}
}
