-- What nodes do all the time, with what every schema since version 2 has.
\set a random(1, :n)
\set b random(1, :n)
\set c random(1, 1000000000)

select account.id, account.username, account.email, account.full_name, account.follower_count, session.last_seen_at
from session join account on account.id = session.account_id
where session.token_digest = sha256(('token' || :a)::bytea) and session.epoch = account.session_epoch
  and session.expires_at > now() and account.disabled_at is null;

update session set last_seen_at = now() where token_digest = sha256(('token' || :a)::bytea);

select tweet.id, tweet.text, author.username, tweet.like_count
from tweet join account as author on author.id = tweet.author_id
where tweet.author_id = (select id from account where username = 'name' || :b) order by tweet.id desc limit 20;

insert into throttle (rule, subject, used, resets_at)
values ('login_address', 'address' || :b, 1, now() + interval '1 hour')
on conflict (rule, subject) do update set used = throttle.used + 1, last_used_at = now();

with made as (
  insert into account (id, username, email)
  values (gen_random_uuid(), 'new' || :c || 'x' || :a, 'new' || :c || 'x' || :a || '@example.com')
  on conflict do nothing returning id
), secret as (
  insert into credential (account_id, password_hash) select id, '$argon2id$x' from made
), opened as (
  insert into session (id, account_id, token_digest, epoch, ip, expires_at)
  select gen_random_uuid(), id, sha256(id::text::bytea), 1, '192.0.2.1', now() + interval '1 day' from made
)
select count(*) from made;

with author as (
  update account set tweet_count = tweet_count + 1 where username = 'name' || :a returning id
)
insert into tweet (id, author_id, text, created_at) select gen_random_uuid(), id, 'Hello', now() from author;

with liked as (
  insert into tweet_like (tweet_id, account_id)
  select tweet.id, account.id from tweet, account
  where account.username = 'name' || :a
    and tweet.id = (lpad(to_hex(1700000000000 + :b), 12, '0') || '70008000000000000003')::uuid
  on conflict do nothing returning tweet_id
)
update tweet set like_count = like_count + 1 from liked where tweet.id = liked.tweet_id;

delete from session where token_digest = sha256(('token' || :b || 'x')::bytea);
