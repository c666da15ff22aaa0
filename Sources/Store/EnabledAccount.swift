/// The shared part of lists that leave disabled accounts out.
enum EnabledAccount {
  /// A lateral relation: the account with this id unless it is disabled, then no row.
  ///
  /// `offset 0` keeps PostgreSQL from turning it into a join of another kind. A list is walked in its order and each of
  /// its rows looks its account up, so that it ends as soon as the page is full; a hash of all accounts, or a sort of
  /// the whole list, may seem cheaper to a planner that knows neither the limit nor whose list it is.
  static func relation(_ name: String, id: String) -> String {
    "(select * from account where account.id = \(id) and account.disabled_at is null offset 0) as \(name)"
  }
}
