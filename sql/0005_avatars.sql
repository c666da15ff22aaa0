-- Profile photos.

create table avatar (
  account_id uuid        not null,
  sha256     bytea       not null,
  jpeg       bytea       not null,
  created_at timestamptz not null default now(),
  constraint avatar_pkey primary key (account_id),
  constraint avatar_account_id_fkey foreign key (account_id) references account (id) on delete cascade,
  constraint avatar_sha256_size check (octet_length(sha256) = 32),
  constraint avatar_jpeg_size check (octet_length(jpeg) between 1 and 1048576)
);

create index avatar_sha256_idx on avatar (sha256);
alter table avatar alter column jpeg set storage external;

comment on table avatar is 'Profile photos as they are served: at most one for each account, so that none is ever an orphan.';
comment on column avatar.account_id is 'Whose photo.';
comment on column avatar.sha256 is 'SHA-256 of jpeg: its name in URLs. Two accounts may have the same photo.';
comment on column avatar.jpeg is '512 × 512 at most, without any metadata.';
comment on column avatar.created_at is 'When it was uploaded.';

-- Within the statement that takes a photo away its own snapshot may be older than the photo; a trigger's is not.
create function avatar_goes() returns trigger language plpgsql as $$
begin
  delete from avatar where account_id = new.id;
  return null;
end
$$;

create trigger avatar_goes after update of avatar_sha256 on account
for each row when (new.avatar_sha256 is null and old.avatar_sha256 is not null) execute function avatar_goes();

comment on function avatar_goes() is 'Removes the photo of an account that has none any more.';
