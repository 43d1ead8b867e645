/** The lock that an append holds until it is durable. Positions are assigned under it, so they have no gaps. */
export const APPEND_LOCK = 7_526_014_301;

/** Takes the append lock until the end of the transaction. */
export const lockAppends = `select pg_advisory_xact_lock(${APPEND_LOCK})`;

/**
 * The log. `append` stores a batch of appends in one transaction, each of them only if its stream is at the expected
 * revision. It returns one row for each append, and a last one with the head:
 *
 *   stored    the position of the first event, even if an earlier call with the same id stored the append
 *   conflict  the current revision of the stream
 *   outdated  the number of the first dependency that has changed, counted from 1
 *   head      the position of the last event
 *
 * The head is always written, so even if a call finds that an append is already stored, its commit waits until that
 * append is replicated.
 */
export const EVENTS = `
create table grantlog.head (
  is_single boolean primary key default true check (is_single),
  position bigint not null
);
insert into grantlog.head (position) values (0);

create table grantlog.events (
  position bigint primary key,
  stream text collate "C" not null,
  revision bigint not null,
  append_id uuid not null,
  record text not null,
  unique (stream, revision)
);


create function grantlog.append(
  append_ids uuid[],
  streams text[],
  expected bigint[],
  event_counts int[],
  record_bytes int[],
  records bytea,
  dependency_counts int[],
  dependency_streams text[],
  dependency_revisions bigint[]
) returns table (outcome text, value bigint) language plpgsql as $$
declare
  before bigint;
  last bigint;
  current bigint;
  changed int;
  event int := 0;
  dependency int := 0;
  start int := 1;
begin
  perform pg_advisory_xact_lock(${APPEND_LOCK});
  select h.position into strict before from grantlog.head h;
  last := before;
  for i in 1 .. cardinality(append_ids) loop
    current := coalesce(
      (select e.revision from grantlog.events e where e.stream = streams[i] order by e.revision desc limit 1), 0);
    changed := null;
    if current = expected[i] then
      for d in 1 .. dependency_counts[i] loop
        if coalesce(
          (select e.revision from grantlog.events e where e.stream = dependency_streams[dependency + d]
            order by e.revision desc limit 1), 0) <> dependency_revisions[dependency + d] then
          changed := d;
          exit;
        end if;
      end loop;
    end if;
    if current <> expected[i] then
      select e.position into value from grantlog.events e
        where e.stream = streams[i] and e.revision = expected[i] + 1 and e.append_id = append_ids[i];
      if found then
        outcome := 'stored';
      else
        outcome := 'conflict';
        value := current;
      end if;
    elsif changed is not null then
      outcome := 'outdated';
      value := changed;
    else
      outcome := 'stored';
      value := last + 1;
      for n in 1 .. event_counts[i] loop
        insert into grantlog.events values (
          last + n, streams[i], expected[i] + n, append_ids[i],
          convert_from(substring(records from start for record_bytes[event + n]), 'UTF8'));
        start := start + record_bytes[event + n];
      end loop;
      last := last + event_counts[i];
    end if;
    if outcome <> 'stored' or value <= before then
      for n in 1 .. event_counts[i] loop
        start := start + record_bytes[event + n];
      end loop;
    end if;
    event := event + event_counts[i];
    dependency := dependency + dependency_counts[i];
    return next;
  end loop;
  update grantlog.head set position = last;
  if last > before then
    perform pg_notify('grantlog', last::text);
  end if;
  outcome := 'head';
  value := last;
  return next;
end
$$;
`;
