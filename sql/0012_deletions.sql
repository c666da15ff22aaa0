-- One statement may delete several accounts, also those that follow each other or like each other's tweets.

-- A trigger that runs before a row goes must not change another one that the same statement deletes; one that runs
-- afterwards may. Triggers run in the order of their names, and those of the foreign keys, which take likes and follows
-- away, begin with RI_. This one needs to see them.
drop trigger account_settles_when_deleted on account;

create trigger "Account_settles_when_deleted" after delete on account
for each row when (old.disabled_at is null) execute function account_settles();

-- As before, but for tweets whose author goes with the account: the foreign keys are about to take those away.
create or replace function settle_counts(id_of_account uuid, change integer) returns void language plpgsql as $$
begin
  perform from account
  where account.id in (
    select followee_id from follow where follower_id = id_of_account
    union
    select follower_id from follow where followee_id = id_of_account)
  order by account.id
  for no key update;
  update account set follower_count = greatest(follower_count + change, 0)
  where account.id in (select followee_id from follow where follower_id = id_of_account);
  update account set following_count = greatest(following_count + change, 0)
  where account.id in (select follower_id from follow where followee_id = id_of_account);
  perform from tweet
  where tweet.id in (select tweet_id from tweet_like where account_id = id_of_account)
    and exists (select from account where account.id = tweet.author_id)
  order by tweet.id
  for no key update;
  update tweet set like_count = greatest(like_count + change, 0)
  where tweet.id in (select tweet_id from tweet_like where account_id = id_of_account)
    and exists (select from account where account.id = tweet.author_id);
end
$$;
