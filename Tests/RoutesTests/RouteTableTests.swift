import HTTP
import RoostAPI
import Testing

@testable import Routes

@Suite struct RouteTableTests {
  let table = RouteTable(Endpoint.all.map { endpoint in Route(endpoint) { _ in Response(status: 200) } })

  /// `name`, `name(segment)`, `405 Allow` or `404`.
  func match(_ method: HTTP.Method, _ path: String) -> String {
    switch table.match(method, path) {
    case .route(let route, let segments):
      segments.isEmpty ? route.endpoint.name : "\(route.endpoint.name)(\(segments.joined(separator: ",")))"
    case .otherMethods(let allow): "405 \(allow)"
    case .nothing: "404"
    case .undecodable: "400"
    }
  }

  @Test(arguments: Endpoint.all)
  func `every call is found by its own method and path`(endpoint: Endpoint) {
    let path = endpoint.path.replacing("{username}", with: "ada").replacing("{id}", with: "x")
    let method = HTTP.Method(rawValue: endpoint.method.rawValue)
    #expect(match(method ?? .other, path).prefix { $0 != "(" } == endpoint.name)
  }

  @Test(arguments: [
    ("/v1/usernames/ada", "usernameAvailability(ada)"), ("/v1/usernames/%41da", "usernameAvailability(Ada)"),
    ("/v1/usernames/a%2Fb", "usernameAvailability(a/b)"), ("/v1/usernames/a%2fb", "usernameAvailability(a/b)"),
    ("/v1/usernames/%25", "usernameAvailability(%)"), ("/v1/usernames/a+b", "usernameAvailability(a+b)"),
    ("/v1/usernames/%C3%A9", "usernameAvailability(é)"), ("/v1/usernames/..", "usernameAvailability(..)"),
    ("/v1/usernames/%2e%2e", "usernameAvailability(..)"),
    ("/v1/usernames/{username}", "usernameAvailability({username})"),
    ("/v1/users/ada", "profile(ada)"), ("/v1/users/Ada/tweets", "profileTweets(Ada)"),
    ("/v1/users/ada/followers", "followers(ada)"), ("/v1/users/tweets/following", "following(tweets)"),
    ("/v1/users/", "404"), ("/v1/users//tweets", "404"), ("/v1/users/ada/", "404"), ("/v1/users/ada/likes", "404"),
    ("/v1/usernames/", "404"), ("/v1/usernames", "404"), ("/v1/usernames//", "404"), ("/v1/usernames/a/b", "404"),
    ("/v1/usernames/a/", "404"), ("/v1//usernames/a", "404"), ("//v1/usernames/a", "404"),
    ("/v1/usernames/%", "400"), ("/v1/usernames/%4", "400"), ("/v1/usernames/%4g", "400"),
    ("/v1/usernames/%FF", "400"), ("/v1/usernames/%C3", "400"), ("/v1/usernames/%ED%A0%80", "400"),
    ("/v1/usernames/a%00b", "400"),
  ])
  func `a variable segment is decoded, and is one segment whatever it holds`(path: String, expected: String) {
    #expect(match(.get, path) == expected)
  }

  @Test(arguments: [
    ("/v1/me", "me"), ("/v1/me/", "404"), ("/v1/ME", "404"), ("/V1/me", "404"), ("/v1//me", "404"), ("//v1/me", "404"),
    ("/v1/%6De", "404"), ("/v1", "404"), ("/v1/", "404"), ("", "404"), ("/", "404"), ("//", "404"),
    ("/v1/me;x", "404"),
    ("/v1/tweets/", "404"), ("/v1/tweets/a/b", "404"), ("/openapi.json", "openAPI"), ("/openapi.json/", "404"),
    ("/healthz", "health"), ("/.env", "404"),
  ])
  func `a fixed path is matched to the letter`(path: String, expected: String) {
    #expect(match(.get, path) == expected)
  }

  @Test(arguments: [
    (HTTP.Method.head, "/v1/me", "me"), (.head, "/v1/usernames/ada", "usernameAvailability(ada)"),
    (.head, "/healthz", "health"),
    (.head, "/v1/register", "405 POST"), (.get, "/v1/register", "405 POST"),
    (.post, "/v1/me", "405 DELETE, GET, HEAD, PATCH"),
    (.options, "/v1/me", "405 DELETE, GET, HEAD, PATCH"), (.other, "/v1/login", "405 POST"),
    (.put, "/v1/signout", "405 POST"),
    (.get, "/v1/tweets", "405 POST"), (.delete, "/v1/tweets/x", "deleteTweet(x)"), (.get, "/v1/tweets/x", "tweet(x)"),
    (.post, "/v1/tweets/x", "405 DELETE, GET, HEAD"), (.patch, "/v1/tweets/x", "405 DELETE, GET, HEAD"),
    (.post, "/nothing", "404"), (.options, "/nothing", "404"),
  ])
  func `another method is told which ones there are, and HEAD goes wherever GET does`(
    method: HTTP.Method, path: String, expected: String
  ) {
    #expect(match(method, path) == expected)
  }
}
