-- What an export walks through: somebody's likes in the order of the tweets.
-- runs: one by one

drop index concurrently if exists tweet_like_account_id_tweet_id_idx;
create index concurrently tweet_like_account_id_tweet_id_idx on tweet_like (account_id, tweet_id desc);
drop index concurrently if exists tweet_like_account_id_idx;
