// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

/// A C library of the system, found through pkg-config.
func library(_ name: String, pkgConfig: String?, apt: String, brew: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

/// One layer of the house. A test holds the imports of each file against these lists.
func layer(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
  .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// The web client, and the page of all calls.
let webFiles = [
  "index.html", "calls.html", "api.js", "dom.js", "frame.js", "icon.svg", "live.js", "main.js", "router.js",
  "session.js", "words.js", "parts/avatar.js", "parts/checks.js", "parts/composer.js", "parts/dialog.js",
  "parts/fields.js", "parts/form.js", "parts/language.js", "parts/list.js", "parts/notices.js", "parts/person.js",
  "parts/photo-choice.js", "parts/timeline.js", "parts/tweet.js", "screens/explore.js", "screens/home.js",
  "screens/login.js", "screens/mailed.js", "screens/onboarding.js", "screens/people.js", "screens/photo.js",
  "screens/privacy.js", "screens/profile.js", "screens/register.js", "screens/remind.js", "screens/reset.js",
  "screens/settings-forms.js", "screens/settings-sessions.js", "screens/settings.js", "screens/terms.js",
  "screens/verify.js", "style/feed.css", "style/forms.css", "style/frame.css", "style/screens.css",
  "style/theme.css", "words/english.js", "words/korean.js",
]

// libutf8proc.pc and vips.pc carry flags that SwiftPM refuses with a warning. Linux finds utf8proc without flags, and
// libvips with those of GObject, which its headers include.
#if os(Linux)
  let utf8proc: String? = nil
  let vips = "gobject-2.0"
#else
  let utf8proc: String? = "libutf8proc"
  let vips = "vips"
#endif

let package = Package(
  name: "Roost",
  // The server needs a Mac of its own time; the client's code, and what it stands on, needs no more than the others say.
  platforms: [.macOS(.v26), .iOS(.v17), .macCatalyst(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [
    .executable(name: "roost", targets: ["roost"]),
    .library(name: "RoostAPI", targets: ["RoostAPI"]),
    .library(name: "RoostClient", targets: ["RoostClient", "RoostAPI"]),
  ],
  targets: [
    library("CPostgres", pkgConfig: "libpq", apt: "libpq-dev", brew: "libpq"),
    library("CMicroHTTPD", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev", brew: "libmicrohttpd"),
    library("CUV", pkgConfig: "libuv", apt: "libuv1-dev", brew: "libuv"),
    library("CSodium", pkgConfig: "libsodium", apt: "libsodium-dev", brew: "libsodium"),
    library("CJansson", pkgConfig: "jansson", apt: "libjansson-dev", brew: "jansson"),
    library("CVips", pkgConfig: vips, apt: "libvips-dev", brew: "vips"),
    library("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),
    library("CUtf8proc", pkgConfig: utf8proc, apt: "libutf8proc-dev", brew: "utf8proc"),

    layer("Metrics", []),
    layer("EventLoop", ["CUV", "Metrics"]),
    layer("Log", []),
    layer("Values", ["CUtf8proc"]),
    .target(
      name: "Schema", path: "sql",
      resources: [
        .embedInCode("0001_accounts.sql"), .embedInCode("0002_tweets.sql"), .embedInCode("0003_audit.sql"),
        .embedInCode("0004_mail.sql"), .embedInCode("0005_avatars.sql"), .embedInCode("0006_sweeping.sql"),
        .embedInCode("0007_follows.sql"), .embedInCode("0008_views.sql"), .embedInCode("0009_export.sql"),
        .embedInCode("0010_counts.sql"), .embedInCode("0011_languages.sql"),
        .embedInCode("0012_deletions.sql"),
      ],
      swiftSettings: strict),
    layer("RoostAPI", []),
    layer("RoostClient", ["RoostAPI"]),
    layer("Secrets", ["EventLoop", "Values", "CSodium"]),
    layer("Pictures", ["EventLoop", "CVips"]),
    layer("Mail", ["EventLoop", "Log", "Values", "CCurl"]),
    layer("Postgres", ["EventLoop", "Log", "CPostgres", "Metrics"]),
    layer("HTTP", ["EventLoop", "Log", "CMicroHTTPD", "CJansson"]),
    layer("Store", ["Postgres", "Values", "Secrets"]),
    layer("Services", ["Store", "Postgres", "Secrets", "Pictures", "Mail", "Values", "Log", "EventLoop", "Metrics"]),
    layer(
      "Routes", ["HTTP", "Services", "Store", "RoostAPI", "Values", "Log", "Secrets", "Pictures", "Metrics"],
      resources: [.embedInCode("openapi.json")] + webFiles.map { .embedInCode("web/\($0)") }),
    .executableTarget(
      name: "roost",
      dependencies: [
        "Routes", "Services", "Store", "HTTP", "Postgres", "Schema", "Secrets", "Values", "Log", "EventLoop", "CUV",
        "CPostgres", "Pictures", "Mail", "Metrics",
      ],
      swiftSettings: strict),

    .target(
      name: "TestSupport", dependencies: ["RoostAPI", "Postgres", "Schema", "EventLoop", "Log", "CPostgres"],
      path: "Tests/TestSupport", swiftSettings: strict),
    tests("MetricsTests", ["Metrics"]),
    tests("ValuesTests", ["Values"]),
    tests("SecretsTests", ["Secrets", "Values", "EventLoop", "Metrics"]),
    tests("PicturesTests", ["Pictures", "CVips"]),
    tests("MailTests", ["Mail", "EventLoop", "Log", "Values", "TestSupport"]),
    tests("PostgresTests", ["Postgres", "Schema", "EventLoop", "Log", "Metrics", "TestSupport"]),
    tests("HTTPTests", ["HTTP", "RoostAPI", "EventLoop", "Log", "TestSupport"]),
    tests("StoreTests", ["Store", "Postgres", "Values", "Secrets", "EventLoop", "Log", "TestSupport"]),
    tests(
      "RoutesTests",
      [
        "Routes", "RoostAPI", "HTTP", "Services", "Store", "Postgres", "Secrets", "Mail", "Values", "EventLoop", "Log",
        "Metrics", "TestSupport",
      ]),
    tests("RoostTests", ["roost", "RoostAPI", "Routes", "Postgres", "EventLoop", "Log", "Values", "TestSupport"]),
    tests("RoostClientTests", ["RoostClient", "RoostAPI", "EventLoop", "TestSupport"]),
    tests("HouseTests", []),
  ]
)

// No part of the product: `scripts/fuzz` alone asks for it, and links the rest of libFuzzer.
if Context.environment["ROOST_FUZZ"] != nil {
  package.targets += [
    .systemLibrary(name: "CLibFuzzer", path: "Fuzz/CLibFuzzer"),
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "CLibFuzzer", "CPostgres", "RoostAPI", "RoostClient", "Routes", "Services", "Store", "HTTP", "Mail", "Pictures",
        "Postgres", "Secrets", "Log", "Values",
      ],
      path: "Fuzz/Sources", swiftSettings: strict),
  ]
}
