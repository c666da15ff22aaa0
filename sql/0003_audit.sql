-- What happened to accounts, and the profile's remaining parts.

create table audit_event (
  id         uuid        not null,
  account_id uuid,
  kind       text        not null,
  ip         inet,
  detail     text,
  created_at timestamptz not null default now(),
  constraint audit_event_pkey primary key (id),
  constraint audit_event_kind_form check (kind ~ '^[a-z][a-z_]{2,49}$'),
  constraint audit_event_detail_size check (octet_length(detail) <= 1000)
);

create index audit_event_account_id_idx on audit_event (account_id, id desc) where account_id is not null;
create index audit_event_created_at_idx on audit_event (created_at);

create function audit_event_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'rows of audit_event are never changed' using errcode = 'restrict_violation';
end
$$;

create trigger audit_event_is_final before update on audit_event
for each row execute function audit_event_is_final();

comment on table audit_event is 'What happened to accounts: sign-ups, log-ins, failures, changes, deletions. Rows are added and, after their retention, removed; never changed.';
comment on column audit_event.id is 'UUIDv7; sorts by time.';
comment on column audit_event.account_id is 'Whose account; outlives it. Null when a log-in named nobody''s.';
comment on column audit_event.kind is 'signed_up, logged_in, log_in_failed, password_changed, email_changed, account_deleted ...';
comment on column audit_event.ip is 'The address it came from; null for the command line.';
comment on column audit_event.detail is 'What else there is to know. Never a password, a token or what was typed into a wrong field.';
comment on column audit_event.created_at is 'When.';
comment on function audit_event_is_final() is 'Refuses changes of audit_event.';

alter table account add column language text not null default 'en',
  add constraint account_language_known check (language in ('en', 'ko')) not valid;
comment on column account.language is 'The language of letters to its owner, from Accept-Language at sign-up.';
