public import Foundation
public import RoostAPI

extension Roost {
  /// Whether the server's process serves.
  public func health() async throws(RoostError) -> Health {
    try await decoded(Call(.health))
  }

  /// Whether the server's database answers too. Failures: code `notReady`, `databaseUnavailable`.
  public func ready() async throws(RoostError) -> Health {
    try await decoded(Call(.ready))
  }

  /// The OpenAPI document of the server, JSON.
  public func openAPI() async throws(RoostError) -> Data {
    try await send(Call(.openAPI))
  }
}
