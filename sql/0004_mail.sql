-- Letters that wait to be sent, and the single-use links in them.

create table link (
  token_digest bytea       not null,
  account_id   uuid        not null,
  purpose      text        not null,
  email        text        not null,
  epoch        integer     not null,
  created_at   timestamptz not null default now(),
  expires_at   timestamptz not null,
  constraint link_pkey primary key (token_digest),
  constraint link_account_id_fkey foreign key (account_id) references account (id) on delete cascade,
  constraint link_one_for_each_purpose unique (account_id, purpose),
  constraint link_token_digest_size check (octet_length(token_digest) = 32),
  constraint link_purpose_known check (purpose in ('password_reset', 'email_verification', 'email_change')),
  constraint link_email_form check (email ~ '^[!-~]+@[!-~]+$' and octet_length(email) <= 254)
);

create index link_expires_at_idx on link (expires_at);

comment on table link is 'Single-use links that are out with their owners. A newer one of the same purpose replaces the older.';
comment on column link.token_digest is 'SHA-256 of the 256 random bits in the link.';
comment on column link.account_id is 'Whose link.';
comment on column link.purpose is 'What it is good for, and nothing else.';
comment on column link.email is 'The address it was sent to: for a change of address the new one.';
comment on column link.epoch is 'The account''s session_epoch when it was made; a link of another epoch is dead.';
comment on column link.created_at is 'When it was made.';
comment on column link.expires_at is 'When it ends.';

create table outbox (
  id              uuid        not null,
  account_id      uuid,
  recipient       text        not null,
  kind            text        not null,
  language        text        not null,
  username        text        not null,
  secret          text,
  attempts        integer     not null default 0,
  next_attempt_at timestamptz not null default now(),
  sent_at         timestamptz,
  given_up_at     timestamptz,
  last_error      text,
  created_at      timestamptz not null default now(),
  constraint outbox_pkey primary key (id),
  constraint outbox_account_id_fkey foreign key (account_id) references account (id) on delete cascade,
  constraint outbox_recipient_form check (recipient ~ '^[!-~]+@[!-~]+$' and octet_length(recipient) <= 254),
  constraint outbox_secret_gone_when_done check (secret is null or (sent_at is null and given_up_at is null))
);

create index outbox_due_idx on outbox (next_attempt_at) where sent_at is null and given_up_at is null;
create index outbox_account_id_idx on outbox (account_id);

comment on table outbox is 'Letters to be sent, written by the statement that needs them, sent by any node.';
comment on column outbox.id is 'UUIDv7; also the letter''s Message-ID.';
comment on column outbox.account_id is 'Whom it concerns; null when that account may be gone by then.';
comment on column outbox.recipient is 'Where it goes: the account''s stored address.';
comment on column outbox.kind is 'Which letter: password_reset, password_changed, email_verification, email_change, email_change_notice, username_reminder ...';
comment on column outbox.language is 'Which language it is written in.';
comment on column outbox.username is 'Whom it addresses.';
comment on column outbox.secret is 'The token of its link, until it is sent.';
comment on column outbox.attempts is 'How often sending was tried.';
comment on column outbox.next_attempt_at is 'When it may be tried; while a node is sending it, when another may take over.';
comment on column outbox.sent_at is 'When the mail server took it.';
comment on column outbox.given_up_at is 'When it was given up, a day after it was written.';
comment on column outbox.last_error is 'What the mail server said last.';
comment on column outbox.created_at is 'When it was written.';
