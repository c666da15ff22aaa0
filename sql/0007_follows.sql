-- Who follows whom.

create table follow (
  id          uuid        not null,
  follower_id uuid        not null,
  followee_id uuid        not null,
  created_at  timestamptz not null default now(),
  constraint follow_pkey primary key (follower_id, followee_id),
  constraint follow_follower_id_fkey foreign key (follower_id) references account (id) on delete cascade,
  constraint follow_followee_id_fkey foreign key (followee_id) references account (id) on delete cascade,
  constraint follow_not_self check (follower_id <> followee_id)
);

create index follow_follower_id_id_idx on follow (follower_id, id desc);
create index follow_followee_id_id_idx on follow (followee_id, id desc);

comment on table follow is 'Who follows whom: the follower reads the tweets of the followee in the home feed.';
comment on column follow.id is 'UUIDv7; the lists of followers and followed are ordered and paged by it, newest first.';
comment on column follow.follower_id is 'Who follows.';
comment on column follow.followee_id is 'Who is followed.';
comment on column follow.created_at is 'Since when.';
