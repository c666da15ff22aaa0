import Postgres
import Secrets
import Values

extension Parameters {
  /// `uuid`
  mutating func append<Tag>(_ id: ID<Tag>) {
    id.withBytes { append(raw: $0) }
  }

  /// `uuid`, or null
  mutating func append<Tag>(_ id: ID<Tag>?) {
    guard let id else { return appendNull() }
    append(id)
  }

  /// `uuid[]`
  mutating func append<Tag>(_ ids: [ID<Tag>]) {
    append(uuids: ids.map { ($0.high, $0.low) })
  }

  /// `bytea[]`, each of 32 bytes
  mutating func append(_ digests: [TokenDigest]) {
    append(byteStrings: digests.map(\.bytes))
  }

  /// Two parameters: the id of the event, and the address as `text`, or null.
  mutating func append(_ stamp: AuditStamp) {
    append(stamp.id)
    append(stamp.address?.description)
  }

  /// `bytea` of 32 bytes
  mutating func append(_ digest: TokenDigest) {
    digest.withBytes { append(raw: $0) }
  }

  /// `bytea` of 32 bytes, or null
  mutating func append(_ digest: TokenDigest?) {
    guard let digest else { return appendNull() }
    append(digest)
  }
}

extension Parameters {
  /// Three parameters: the letter's id, the digest of the link's token, and the token.
  mutating func append(_ link: MailedLink) {
    append(link.letter)
    append(link.token.digest)
    append(link.token.text)
  }
}

extension Row {
  /// `uuid`
  mutating func id<Tag>() -> ID<Tag> {
    let (high, low) = uuid()
    return ID(high: high, low: low)
  }

  /// `uuid` that may be null
  mutating func optionalID<Tag>() -> ID<Tag>? {
    optionalUUID().map { ID(high: $0.high, low: $0.low) }
  }
}
