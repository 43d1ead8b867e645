/**
 * The keys, encrypted by the nodes. A destroyed key remains as a row without a value, so that every node learns of its
 * destruction. Changes are numbered while `key_changes` is locked, so they become visible in the order of their
 * numbers, and a node that has read up to a number has missed no earlier change. Dead rows contain values of destroyed
 * keys, so they are vacuumed promptly.
 */
export const KEYS = `
create table grantlog.key_changes (
  is_single boolean primary key default true check (is_single),
  last bigint not null
);
insert into grantlog.key_changes (last) values (0);

create table grantlog.keys (
  kind text collate "C" not null,
  name text collate "C" not null,
  value bytea,
  change bigint not null unique,
  primary key (kind, name)
) with (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0);
`;
