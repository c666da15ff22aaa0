-- Tweets and home feeds for people at psql.

create view tweet_overview as
select tweet.id, author.username, tweet.text, tweet.like_count as likes, author.disabled_at is not null as hidden,
       tweet.created_at
from tweet
join account as author on author.id = tweet.author_id;

comment on view tweet_overview is 'The tweets, for people; the newest come first when ordered by id desc. Those of disabled accounts are hidden from everybody else.';

-- The number in it bounds what one author adds: no feed shows more, and the newest are found by an index.
create view home_feed as
select viewer.username as viewer, tweet.id, author.username, tweet.text, tweet.like_count as likes, tweet.created_at
from account as viewer
cross join lateral (
  select viewer.id
  union all
  select follow.followee_id from follow where follow.follower_id = viewer.id
) as source
join account as author on author.id = source.id and author.disabled_at is null
cross join lateral (
  select * from tweet where tweet.author_id = source.id order by tweet.id desc limit 50
) as tweet;

comment on view home_feed is 'Home feeds of everybody, with the 50 latest tweets of each author, for people: ask for one viewer. timeline() puts one in order.';

create function timeline(username text) returns setof home_feed language sql stable as $$
  select * from home_feed where home_feed.viewer = lower(timeline.username) order by home_feed.id desc limit 50
$$;

comment on function timeline(text) is 'The first 50 tweets of the home feed of the account with this username, for people: select * from timeline(''ada'').';
