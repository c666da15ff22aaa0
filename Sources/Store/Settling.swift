/// The shared part of statements with which an account comes or goes.
///
/// A trigger then changes what others count of it: of accounts that it follows or that follow it, and of tweets that it
/// likes. The statement locks those rows first, accounts before tweets and each in the order of their ids, as all
/// statements do, so that no two wait for each other. The trigger finds what came in while it waited, and what nearly
/// never happens, a circle because of that, PostgreSQL resolves.
enum Settling {
  /// `settling_accounts`: the account of `relation` itself and those whose counts change with it, locked.
  static func accounts(of relation: String) -> String {
    """
    settling_accounts as materialized (
      select account.id from account
      where account.id = any (array(
        select \(relation).id from \(relation)
        union
        select follow.followee_id from follow join \(relation) on follow.follower_id = \(relation).id
        union
        select follow.follower_id from follow join \(relation) on follow.followee_id = \(relation).id
      ))
      order by account.id
      for no key update
    )
    """
  }

  /// `settling_tweets`: what is deleted with the account and what it likes, locked after the accounts.
  static func tweets(of relation: String) -> String {
    """
    settling_tweets as materialized (
      select tweet.id from tweet
      where \(accountsAreLocked) and tweet.id = any (array(
        select tweet_like.tweet_id from tweet_like join \(relation) on tweet_like.account_id = \(relation).id
        union
        select own.id from tweet as own join \(relation) on own.author_id = \(relation).id
      ))
      order by tweet.id
      for no key update
    )
    """
  }

  /// True as soon as all of them are; a mere `exists` would lock the first.
  static let accountsAreLocked = "(select count(*) from settling_accounts) > 0"
  /// True as soon as all of them are, also if there are none.
  static let tweetsAreLocked = "(select count(*) from settling_tweets) >= 0"
}
