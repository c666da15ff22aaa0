import Foundation
import RoostAPI
import TestSupport
import Testing

@testable import RoostClient

/// What docs/swift-client.md shows is compiled here, and does what it is shown for.
@Suite struct SnippetTests {
  private static let tests = URL(filePath: #filePath).deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: tests.appending(path: path)), as: UTF8.self)
  }

  /// The Swift blocks of a document, each with the line above it.
  private static func blocks(_ text: String) -> [(above: Substring, code: String)] {
    var blocks: [(above: Substring, code: String)] = []
    var (above, code): (Substring, [Substring]?) = ("", nil)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "```", let lines = code {
        blocks.append((above, lines.joined(separator: "\n")))
        code = nil
      } else if code != nil {
        code?.append(line)
      } else if line == "```swift" {
        code = []
      } else if !line.isEmpty {
        above = line
      }
    }
    return blocks
  }

  @Test func `every block of Swift is part of a file that is compiled, or Firebase's`() throws {
    let names = ["TwitterLike", "InstagramLike", "Blog", "Basics"]
    let files = try names.map { try Self.text("Snippets/\($0).swift") }
    let blocks = Self.blocks(try Self.text("../../docs/swift-client.md"))
    let shown = blocks.filter { $0.above != "<!-- Firebase -->" }
    #expect(shown.count >= 8 && blocks.count - shown.count >= 3)
    for block in shown {
      let isCompiled = files.contains { file in
        // In a function of the tests a piece is indented.
        ["", "  "].contains { indentation in
          let lines = block.code.split(separator: "\n", omittingEmptySubsequences: false)
          return file.contains(lines.map { $0.isEmpty ? "" : indentation + $0 }.joined(separator: "\n") + "\n")
        }
      }
      #expect(isCompiled, "\(block.code)")
    }
  }

  @Test @MainActor func `an app like Twitter, from the onboarding to the feed`() async throws {
    let roost = try await Stage.device()
    let root = RootModel(roost: roost)
    let running = Task { await root.run() }
    defer { running.cancel() }
    #expect(await eventually { root.screen == .onboarding })

    let (ada, form) = (Newcomer(), RegistrationModel(roost: roost))
    (form.email, form.username, form.fullName, form.password) = (ada.email, ada.username, "Ada L.", "short")
    #expect(await form.register() == false)
    #expect(form.errors.keys.sorted() == ["password"] && form.alert == nil && root.user == nil)
    form.password = ada.password
    #expect(await form.register())
    #expect(await eventually { root.screen == .home && root.user?.fullName == "Ada L." })
    await form.choosePhoto(Data(SamplePicture.png))
    #expect(await eventually { root.user?.profileImageURL != nil })

    let other = RegistrationModel(roost: roost)
    other.username = ada.username
    await other.checkUsername()
    #expect(other.usernameNote == "\(ada.username) is taken.")

    let home = HomeModel(roost: roost)
    await home.write("Hello.")
    #expect(home.timeline.tweets.map(\.text) == ["Hello."])
    root.signOut()
    #expect(await eventually { root.screen == .onboarding && root.user == nil })
  }

  @Test @MainActor func `an app like Instagram: username or email`() async throws {
    let roost = try await Stage.device()
    let ada = Newcomer()
    try await roost.signUp(ada)
    _ = await roost.signOut().value
    let form = LoginModel(roost: roost)
    for login in [ada.username, ada.email] {
      (form.usernameOrEmail, form.password) = (login, "wrong horse")
      await form.logIn()
      #expect(form.alert != nil && roost.user == nil)
      form.password = ada.password
      await form.logIn()
      #expect(form.alert == nil && roost.user?.username == ada.username)
      _ = await roost.signOut().value
    }
  }

  @Test @MainActor func `a blog shows its posts once the newcomer has a photo`() async throws {
    let roost = try await Stage.device()
    let blog = BlogModel(roost: roost)
    let running = Task { await blog.run() }
    defer { running.cancel() }
    #expect(await eventually { blog.screen == .welcome })
    let ada = Newcomer()
    await blog.join(email: ada.email, username: ada.username, password: ada.password)
    #expect(await eventually { blog.screen == .photo })
    await blog.finish(photo: Data("no picture".utf8))
    #expect(blog.screen == .photo && blog.alert != nil)
    await blog.finish(photo: Data(SamplePicture.png))
    #expect(blog.screen == .posts)
    #expect(await eventually { blog.user?.profileImageURL != nil })
  }
}
