-- What the sweeper looks for: rows whose time is over.
-- runs: one by one

drop index concurrently if exists session_expires_at_idx;
create index concurrently session_expires_at_idx on session (expires_at);
drop index concurrently if exists throttle_resets_at_idx;
create index concurrently throttle_resets_at_idx on throttle (resets_at);
drop index concurrently if exists outbox_done_at_idx;
create index concurrently outbox_done_at_idx on outbox (coalesce(sent_at, given_up_at)) where sent_at is not null or given_up_at is not null;
