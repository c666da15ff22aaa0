-- What the sweeper looks for: rows whose time is over.

create index session_expires_at_idx on session (expires_at);
create index throttle_resets_at_idx on throttle (resets_at);
create index outbox_done_at_idx on outbox (coalesce(sent_at, given_up_at)) where sent_at is not null or given_up_at is not null;
