/**
 * The nodes that use the log, and the release that first used each version of an event type, so that an older node can
 * name the release that it needs. `beat` is a write, so that its commit also proves that this is still the primary.
 */
export const NODES = `
create table grantlog.nodes (
  id uuid primary key,
  release text not null,
  started_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  position bigint not null
);

create table grantlog.event_types (
  type text not null,
  version int not null,
  release text not null,
  primary key (type, version)
);

create function grantlog.beat(node uuid, node_release text, node_position bigint)
returns table (head bigint, epoch_milliseconds double precision) language plpgsql as $$
begin
  insert into grantlog.nodes (id, release, position) values (node, node_release, node_position)
    on conflict (id) do update set seen_at = clock_timestamp(), position = excluded.position;
  delete from grantlog.nodes where seen_at < clock_timestamp() - interval '1 day';
  return query select h.position, extract(epoch from clock_timestamp())::double precision * 1000 from grantlog.head h;
end
$$;
`;
