-- Tweets and their likes.

create table tweet (
  id              uuid        not null,
  author_id       uuid        not null,
  text            text        not null,
  like_count      integer     not null default 0,
  idempotency_key text,
  created_at      timestamptz not null,
  constraint tweet_pkey primary key (id),
  constraint tweet_author_id_fkey foreign key (author_id) references account (id) on delete cascade,
  constraint tweet_text_size check (octet_length(text) between 1 and 1120),
  constraint tweet_idempotency_key_size check (octet_length(idempotency_key) between 1 and 255),
  constraint tweet_like_count_positive check (like_count >= 0)
) with (fillfactor = 90);

create index tweet_author_id_id_idx on tweet (author_id, id desc);
create unique index tweet_idempotency_key_idx on tweet (author_id, idempotency_key) where idempotency_key is not null;

comment on table tweet is 'What accounts have posted.';
comment on column tweet.id is 'UUIDv7; lists are ordered and paged by it, newest first.';
comment on column tweet.author_id is 'Who posted it.';
comment on column tweet.text is 'Up to 280 characters as a person counts them, kept as sent.';
comment on column tweet.like_count is 'How many like it; kept by the statements that change it.';
comment on column tweet.idempotency_key is 'The Idempotency-Key it was sent with: a repeat with the same key finds this row.';
comment on column tweet.created_at is 'When it was posted, on the clock of the node that served it; the time within id.';

create table tweet_like (
  tweet_id   uuid        not null,
  account_id uuid        not null,
  created_at timestamptz not null default now(),
  constraint tweet_like_pkey primary key (tweet_id, account_id),
  constraint tweet_like_tweet_id_fkey foreign key (tweet_id) references tweet (id) on delete cascade,
  constraint tweet_like_account_id_fkey foreign key (account_id) references account (id) on delete cascade
);

create index tweet_like_account_id_idx on tweet_like (account_id);

comment on table tweet_like is 'Which account likes which tweet.';
comment on column tweet_like.tweet_id is 'The tweet that is liked.';
comment on column tweet_like.account_id is 'Who likes it.';
comment on column tweet_like.created_at is 'Since when.';
