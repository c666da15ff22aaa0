-- What others count of an account goes and comes back with it.

-- Counts do not fall below nothing, should somebody have added rows by hand: an account can be deleted in any case.
--
-- A statement that disables or deletes an account may have waited for one that follows or likes, which its own snapshot
-- does not show. A trigger's statements have snapshots of their own, taken once the account's row is locked.
create function settle_counts(id_of_account uuid, change integer) returns void language plpgsql as $$
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
  order by tweet.id
  for no key update;
  update tweet set like_count = greatest(like_count + change, 0)
  where tweet.id in (select tweet_id from tweet_like where account_id = id_of_account);
end
$$;

create function account_settles() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform settle_counts(old.id, -1);
    return old;
  end if;
  perform settle_counts(new.id, case when new.disabled_at is null then 1 else -1 end);
  return null;
end
$$;

create trigger account_settles_when_disabled after update of disabled_at on account
for each row when ((old.disabled_at is null) <> (new.disabled_at is null)) execute function account_settles();

-- Before the foreign keys take the account's likes and follows with it.
create trigger account_settles_when_deleted before delete on account
for each row when (old.disabled_at is null) execute function account_settles();

comment on function settle_counts(uuid, integer) is 'Adds to what others count of an account: followers, followed, likes.';
comment on function account_settles() is 'An account that is disabled or deleted counts nowhere; one that is enabled counts again.';
comment on column account.follower_count is 'How many enabled accounts follow this one; kept by the statements that change it.';
comment on column account.following_count is 'How many enabled accounts this one follows; kept by the statements that change it.';
comment on column tweet.like_count is 'How many enabled accounts like it; kept by the statements that change it.';
