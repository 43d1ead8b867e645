import { APPEND_LOCK } from './001-events.ts';

/**
 * The archive: `archive_segments` lists the sealed files that contain the oldest events, without gaps. Once a segment
 * is listed, its events may be removed from the table. Events are removed in order, and the transaction that removes
 * them also stores the revisions of their streams. A stream is identified by a hash, which is shorter than its name.
 *
 * A segment is listed under the lock of `append`, so every later `append` knows that there are archived streams.
 */
export const ARCHIVE = `
create table grantlog.archive_segments (
  first bigint primary key,
  last bigint not null,
  tag text not null,
  seal text not null,
  sealed_at timestamptz not null default clock_timestamp()
);

create table grantlog.archived_streams (
  stream_hash uuid primary key,
  revision bigint not null
);

create function grantlog.stream_hash(stream text) returns uuid language sql immutable as $$
  select encode(substring(sha256(convert_to(stream, 'UTF8')) for 16), 'hex')::uuid
$$;

create function grantlog.archive_end() returns bigint language sql stable as $$
  select coalesce((select s.last from grantlog.archive_segments s order by s.first desc limit 1), 0)
$$;

create function grantlog.list_segment(new_first bigint, new_last bigint, new_tag text, new_seal text)
returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(${APPEND_LOCK});
  if new_first <> grantlog.archive_end() + 1 or new_last >= (select h.position from grantlog.head h) then
    raise exception 'the segment from % to % does not follow the archive', new_first, new_last;
  end if;
  insert into grantlog.archive_segments (first, last, tag, seal) values (new_first, new_last, new_tag, new_seal);
end
$$;

create function grantlog.remove_archived(up_to bigint) returns void language plpgsql as $$
begin
  if up_to > grantlog.archive_end() then
    raise exception 'position % is not archived', up_to;
  end if;
  with removed as (
    delete from grantlog.events where position <= up_to returning stream, revision
  )
  insert into grantlog.archived_streams (stream_hash, revision)
    select grantlog.stream_hash(stream), max(revision) from removed group by stream
    on conflict (stream_hash) do update set revision = greatest(archived_streams.revision, excluded.revision);
end
$$;

create or replace function grantlog.append(
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
  has_archive boolean;
  current bigint;
  changed int;
  event int := 0;
  dependency int := 0;
  start int := 1;
begin
  perform pg_advisory_xact_lock(${APPEND_LOCK});
  select h.position into strict before from grantlog.head h;
  has_archive := exists (select from grantlog.archive_segments);
  last := before;
  for i in 1 .. cardinality(append_ids) loop
    current := ${revisionExpression('streams[i]')};
    changed := null;
    if current = expected[i] then
      for d in 1 .. dependency_counts[i] loop
        if ${revisionExpression('dependency_streams[dependency + d]')} <> dependency_revisions[dependency + d] then
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

alter table grantlog.nodes add host text, add process_id int, add archived bigint;

create function grantlog.report_node(
  node uuid, node_release text, node_position bigint, node_host text, node_process_id int, node_archived bigint
) returns table (head bigint, epoch_milliseconds double precision, archive_end bigint) language plpgsql as $$
begin
  insert into grantlog.nodes (id, release, position, host, process_id, archived)
    values (node, node_release, node_position, node_host, node_process_id, node_archived)
    on conflict (id) do update
      set seen_at = clock_timestamp(), position = excluded.position, archived = excluded.archived;
  delete from grantlog.nodes where seen_at < clock_timestamp() - interval '1 day';
  return query select h.position, extract(epoch from clock_timestamp())::double precision * 1000,
    grantlog.archive_end() from grantlog.head h;
end
$$;
`;

/**
 * Returns an SQL expression for the latest revision of a stream, or 0 if it is empty. It is part of one statement, so
 * that it sees the events of an archived stream either in the table or as archived.
 */
function revisionExpression(stream: string): string {
  return `coalesce(
      (select e.revision from grantlog.events e where e.stream = ${stream} order by e.revision desc limit 1),
      case when has_archive then
        (select a.revision from grantlog.archived_streams a where a.stream_hash = grantlog.stream_hash(${stream}))
      end, 0)`;
}
