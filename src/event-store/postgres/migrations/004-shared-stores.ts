/** The lock that a node holds while it stores a checkpoint, so that the stored sizes only grow. */
const CHECKPOINT_LOCK = 7_526_014_303;

/**
 * Data that the nodes share in addition to the log. `issue_checkpoint` stores a checkpoint if it is larger than every
 * stored one, and returns the largest.
 *
 * Snapshots are unlogged, because they can be created again. They add nothing to the write-ahead log and are not
 * replicated, but are lost after a database crash and on a promoted standby. A level-0 tile can be computed from 256
 * records, so only the tiles above level 0 are stored: 8 kilobytes for 65,536 events.
 */
export const SHARED_STORES = `
create table grantlog.checkpoints (
  size bigint primary key,
  root bytea not null,
  code text not null,
  issued_at timestamptz not null default clock_timestamp()
);

create function grantlog.issue_checkpoint(new_size bigint, new_root bytea, new_code text)
returns table (size bigint, root bytea, code text) language plpgsql as $$
begin
  perform pg_advisory_xact_lock(${CHECKPOINT_LOCK});
  if new_size > coalesce((select max(c.size) from grantlog.checkpoints c), 0) then
    insert into grantlog.checkpoints (size, root, code) values (new_size, new_root, new_code) on conflict do nothing;
    perform pg_notify('grantlog_checkpoints', new_size::text);
  end if;
  return query select c.size, c.root, c.code from grantlog.checkpoints c order by c.size desc limit 1;
end
$$;

create table grantlog.tiles (
  level int not null,
  index bigint not null,
  hashes bytea not null,
  primary key (level, index)
);
alter table grantlog.tiles alter column hashes set storage external;

create unlogged table grantlog.snapshots (
  position bigint primary key,
  written_at timestamptz not null default clock_timestamp()
);

create unlogged table grantlog.snapshot_pieces (
  position bigint not null references grantlog.snapshots on delete cascade,
  number int not null,
  bytes bytea not null,
  primary key (position, number)
);
alter table grantlog.snapshot_pieces alter column bytes set storage external;
`;
