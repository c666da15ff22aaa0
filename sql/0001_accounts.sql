-- Accounts, credentials, sessions and the counters behind the limits.

create table account (
  id              uuid        not null,
  username        text        not null,
  email           text        not null,
  email_folded    text        not null generated always as (lower(email collate "C")) stored,
  email_verified_at timestamptz,
  full_name       text,
  bio             text,
  avatar_sha256   bytea,
  follower_count  integer     not null default 0,
  following_count integer     not null default 0,
  tweet_count     integer     not null default 0,
  session_epoch   integer     not null default 1,
  disabled_at     timestamptz,
  created_at      timestamptz not null default now(),
  constraint account_pkey primary key (id),
  constraint account_username_key unique (username),
  constraint account_email_key unique (email_folded),
  constraint account_username_form check (
    username ~ '^[a-z0-9][a-z0-9_.]{2,29}$' and username !~ '\.\.' and username !~ '\.$'),
  constraint account_email_form check (email ~ '^[!-~]+@[!-~]+$' and octet_length(email) <= 254),
  constraint account_full_name_size check (octet_length(full_name) <= 200),
  constraint account_bio_size check (octet_length(bio) <= 640),
  constraint account_avatar_sha256_size check (octet_length(avatar_sha256) = 32),
  constraint account_count_positive check (follower_count >= 0 and following_count >= 0 and tweet_count >= 0)
) with (fillfactor = 90);

comment on table account is 'Who has signed up. One row each; the password is apart, in credential.';
comment on column account.id is 'UUIDv7 made by the node that served the sign-up; sorts by time.';
comment on column account.username is 'Folded to lower case; free again once changed or deleted.';
comment on column account.email is 'As it was typed; letters go to exactly these bytes.';
comment on column account.email_folded is 'ASCII lower case of email: what is unique, and what a log-in is compared with.';
comment on column account.email_verified_at is 'When the owner proved to read mail at email; null until then.';
comment on column account.full_name is 'Up to 50 characters as a person counts them; null when not given.';
comment on column account.bio is 'Up to 160 characters as a person counts them; null when not given.';
comment on column account.avatar_sha256 is 'SHA-256 of the profile photo; null without one.';
comment on column account.follower_count is 'How many follow this account; kept by the statements that change it.';
comment on column account.following_count is 'How many this account follows; kept by the statements that change it.';
comment on column account.tweet_count is 'How many tweets stand; kept by the statements that write and delete them.';
comment on column account.session_epoch is 'Sessions of another epoch are dead: adding 1 ends them all, also one that is just being opened.';
comment on column account.disabled_at is 'When an operator disabled the account; null while it may log in.';
comment on column account.created_at is 'When it signed up.';

create table credential (
  account_id    uuid        not null,
  password_hash text        not null,
  changed_at    timestamptz not null default now(),
  constraint credential_pkey primary key (account_id),
  constraint credential_account_id_fkey foreign key (account_id) references account (id) on delete cascade,
  constraint credential_password_hash_form check (password_hash like '$argon2%')
);

comment on table credential is 'Password hashes, apart from account so that no view or role needs to see them.';
comment on column credential.account_id is 'Whose password it is.';
comment on column credential.password_hash is 'Argon2id as a PHC string: algorithm, parameters, salt and hash.';
comment on column credential.changed_at is 'When the owner last chose a password; a new hash of the same one does not count.';

create table session (
  id           uuid        not null,
  account_id   uuid        not null,
  token_digest bytea       not null,
  epoch        integer     not null,
  created_at   timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at   timestamptz not null,
  ip           inet        not null,
  user_agent   text,
  constraint session_pkey primary key (id),
  constraint session_token_digest_key unique (token_digest),
  constraint session_account_id_fkey foreign key (account_id) references account (id) on delete cascade,
  constraint session_token_digest_size check (octet_length(token_digest) = 32),
  constraint session_user_agent_size check (octet_length(user_agent) <= 256)
) with (fillfactor = 90);

create index session_account_id_idx on session (account_id);

comment on table session is 'Who is logged in. A row is a session; deleting the row signs it out everywhere at once.';
comment on column session.id is 'UUIDv7; names the session in the API, and is no secret.';
comment on column session.account_id is 'Whose session it is.';
comment on column session.token_digest is 'SHA-256 of the 256 random bits in the token. The token itself is stored nowhere.';
comment on column session.epoch is 'The epoch of the account when the session was opened.';
comment on column session.created_at is 'When it was opened.';
comment on column session.last_seen_at is 'When it was last used, written at most once an hour.';
comment on column session.expires_at is 'When it ends: 30 days after last_seen_at and a year after created_at, whichever comes first, unless configured.';
comment on column session.ip is 'The address that opened it.';
comment on column session.user_agent is 'The device that opened it, as it called itself, cut to 256 bytes.';

-- Unlogged: counting an attempt costs no flush of the write-ahead log. After a crash of PostgreSQL or a fail-over the
-- counters start afresh, which only gives attempts back.
create unlogged table throttle (
  rule         text        not null,
  subject      text        not null,
  used         integer     not null,
  resets_at    timestamptz not null,
  last_used_at timestamptz not null default now(),
  constraint throttle_pkey primary key (rule, subject)
) with (fillfactor = 70);

comment on table throttle is 'Attempts counted against the limits, exact over all nodes. Deleting a row forgives them.';
comment on column throttle.rule is 'Which limit: login_address, login_account, login_account_address, register_address ...';
comment on column throttle.subject is 'Whom it counts: an address (IPv6: its /64), an account, or both. A login that is nobody''s stands here as a digest.';
comment on column throttle.used is 'Attempts since the count began.';
comment on column throttle.resets_at is 'When the count begins anew.';
comment on column throttle.last_used_at is 'When the last attempt was counted.';

create view account_overview as
select account.id, account.username, account.email, account.email_verified_at is not null as email_verified,
       account.full_name, account.tweet_count as tweets, account.follower_count as followers,
       account.following_count as following, coalesce(live.sessions, 0) as sessions, live.last_seen_at,
       account.disabled_at is not null as disabled, account.created_at
from account
left join lateral (
  select count(*) as sessions, max(session.last_seen_at) as last_seen_at
  from session
  where session.account_id = account.id and session.epoch = account.session_epoch and session.expires_at > now()
) as live on true;

comment on view account_overview is 'The accounts, for people: who they are, when they were last seen. Holds no secret.';

create view active_session as
select session.id, account.username, session.user_agent, session.ip, session.created_at, session.last_seen_at,
       session.expires_at
from session
join account on account.id = session.account_id and account.session_epoch = session.epoch
where session.expires_at > now() and account.disabled_at is null;

comment on view active_session is 'The sessions that are good right now, for people. Holds no secret.';
