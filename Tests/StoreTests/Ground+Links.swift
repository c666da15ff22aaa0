extension Ground {
  /// Gives everybody a link of each other purpose beside the one that verifies the address.
  func addLinks() throws {
    try change(
      """
      insert into link (token_digest, account_id, purpose, email, epoch, expires_at)
      select sha256(token_digest || purpose.name::bytea), account_id, purpose.name, email, epoch, expires_at
      from link, (values ('password_reset'), ('email_change')) as purpose (name)
      where link.purpose = 'email_verification'
      """)
  }

  /// What the links are good for that are out with somebody, in alphabetical order.
  func links(of person: Person) throws -> [String] {
    try rows("select purpose from link where account_id = $1 order by purpose", [String(person.id)]).map { $0[0] ?? "" }
  }
}
