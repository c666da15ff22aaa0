import Foundation
import RoostAPI
import RoostClient

// The first pieces of docs/swift-client.md: a test compares the two.

#if canImport(Security)
  let roost = Roost(url: URL(string: "https://roost.example.com")!, store: .keychain)
#endif

func startOnLinux() -> Roost {
  let roost = Roost(url: URL(string: "https://roost.example.com")!, store: .file(app: "my-app"))
  return roost
}

func deletingOldSessions(_ roost: Roost) async {
  do {
    try await roost.endOtherSessions()
  } catch {
    switch error {
    case .signedOut: break  // `roost.users` has said so
    case .tooManyRequests(_, let seconds): print("again in \(seconds) s")
    default: print(error.message, error.code ?? "not the server")
    }
  }
}

func tellingOfExplore(_ roost: Roost) async throws {
  for try await page in roost.explore() {
    for tweet in page.items { print(tweet.author.username, tweet.text) }
  }
}

func leaving(_ roost: Roost) async {
  let serverEnd = roost.signOut()  // `roost.user` is nil from here on
  _ = await serverEnd.value
}
