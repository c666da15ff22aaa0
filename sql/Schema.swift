/// The migrations, compiled into the binary from the files beside this one.
///
/// A new file is added here and in Package.swift, under the next number. A file that was released is never changed. What
/// a file may do, since nodes of the release before serve beside it, docs/operations.md says below Migrations and Upgrades.
public enum Schema {
  /// One file: `version` and `name` are those of its file name.
  public struct File: Sendable {
    public let version: Int
    public let name: String
    public let sql: String
    /// SHA-256 of what it was before the first release, when it kept others from a table for as long as it ran.
    public let formerly: [String]

    init(_ version: Int, _ name: String, _ bytes: [UInt8], formerly: [String] = []) {
      self.version = version
      self.name = name
      self.formerly = formerly
      sql = String(decoding: bytes, as: UTF8.self)
    }
  }

  /// All of them, in the order in which they apply.
  public static let files = [
    // SwiftPM puts an underscore in place of a leading digit.
    File(1, "accounts", PackageResources._001_accounts_sql),
    File(2, "tweets", PackageResources._002_tweets_sql),
    File(
      3, "audit", PackageResources._003_audit_sql,
      formerly: ["5c6dd99785b67ad199bebc6798837df425cc01c28683fbbcf0ac4534b85292dd"]),
    File(4, "mail", PackageResources._004_mail_sql),
    File(5, "avatars", PackageResources._005_avatars_sql),
    File(
      6, "sweeping", PackageResources._006_sweeping_sql,
      formerly: ["586149f6fb78ff18d52fb92456e3d64e64e9aa9595c646f5fe5533c54e33cc94"]),
    File(7, "follows", PackageResources._007_follows_sql),
    File(8, "views", PackageResources._008_views_sql),
    File(
      9, "export", PackageResources._009_export_sql,
      formerly: ["29739f91c6b95a847707ae534a134d4d1314367f6999e3fd76db1532f6d48afd"]),
    File(10, "counts", PackageResources._010_counts_sql),
    File(11, "languages", PackageResources._011_languages_sql),
    File(12, "deletions", PackageResources._012_deletions_sql),
  ]
}
