import type { Statement } from '../postgres/connect.ts';
import type { KeyEncryption } from './key-encryption.ts';
import type { KeyringKind } from './keyring.ts';

/**
 * Runs one statement in the database that stores the keys. The statement is repeated if its outcome is unknown, which
 * is safe for all statements in this file.
 */
export type KeyQuery = <Row extends object>(statement: Statement) => Promise<readonly Row[]>;

/** Identifies a key in the database. */
export interface KeyAddress {
  readonly kind: 'server' | KeyringKind['name'];
  readonly name: string;
}

/** A key in the database, as this node has loaded it. */
export interface TableEntry {
  /** Undefined if the key was destroyed, or if no secret decrypts it. */
  readonly key: Buffer | undefined;
  readonly isDamaged: boolean;
  /** The number of the last change to the key. */
  readonly change: number;
}

/** The keys in the database, as far as this node has loaded them. Loaded keys stay in memory. */
export interface KeyTable {
  find(address: KeyAddress): TableEntry | undefined;
  names(kind: KeyAddress['kind']): readonly string[];
  /** Durably stores a key unless one exists, and returns the stored key. */
  add(address: KeyAddress, key: Buffer): Promise<Buffer>;
  /** Durably stores keys, and overwrites existing ones. */
  replace(keys: readonly (KeyAddress & { readonly key: Buffer })[]): Promise<void>;
  /** Durably destroys a key. `find` stops returning it immediately, even if this rejects. Idempotent. */
  destroy(address: KeyAddress): Promise<void>;
  /** Loads every change that was durable when this was called. Concurrent calls share a query. */
  refresh(): Promise<void>;
  /** Re-encrypts the loaded keys that are not encrypted under the first secret. */
  reencrypt(): Promise<void>;
}

interface Row extends KeyAddress {
  readonly value: Buffer | null;
  readonly change: number;
}

const PAGE_ROWS = 5_000;

export function createKeyTable(query: KeyQuery, encryption: KeyEncryption): KeyTable {
  const kinds = new Map<KeyAddress['kind'], Map<string, TableEntry>>();
  /** The labels of keys that must be destroyed but may still be in the database. */
  const labelsToDestroy = new Set<string>();
  const outdatedRows = new Map<string, Row>();
  let lastChange = 0;
  let pendingLoad: Promise<void> = Promise.resolve();
  let nextLoad: Promise<void> | undefined;

  function entriesByName(kind: KeyAddress['kind']): Map<string, TableEntry> {
    const entries = kinds.get(kind) ?? new Map<string, TableEntry>();
    kinds.set(kind, entries);
    return entries;
  }

  /** Applies a row, unless it is older than the loaded one. */
  function applyRow(row: Row): Buffer | undefined {
    const { kind, name, value, change } = row;
    const entries = entriesByName(kind);
    const existing = entries.get(name);
    if (existing !== undefined && existing.change >= change) return existing.key;
    const result = value === null ? undefined : encryption.decrypt(value, keyLabel(row));
    if (result === undefined) existing?.key?.fill(0);
    entries.set(name, { key: result?.key, isDamaged: value !== null && result === undefined, change });
    if (result?.isCurrent === false) outdatedRows.set(keyLabel(row), row);
    else outdatedRows.delete(keyLabel(row));
    return result?.key;
  }

  async function load(): Promise<void> {
    for (;;) {
      const rows = await query<Row>({ name: 'key changes', text: CHANGES, values: [lastChange, PAGE_ROWS] });
      for (const row of rows) applyRow(row);
      lastChange = rows.at(-1)?.change ?? lastChange;
      if (rows.length < PAGE_ROWS) return;
    }
  }

  function refresh(): Promise<void> {
    nextLoad ??= pendingLoad.then(() => {
      nextLoad = undefined;
      const newLoad = load();
      pendingLoad = newLoad.catch(() => {});
      return newLoad;
    });
    return nextLoad;
  }

  return {
    find: (address) =>
      labelsToDestroy.has(keyLabel(address)) ? undefined : entriesByName(address.kind).get(address.name),
    names: (kind) => [...entriesByName(kind).keys()],
    async add(address, key) {
      const { kind, name } = address;
      const values = [kind, name, encryption.encrypt(key, keyLabel(address))];
      const [row] = await query<Row>({ text: ADD, values });
      labelsToDestroy.delete(keyLabel(address));
      const storedKey = row === undefined ? undefined : applyRow(row);
      if (storedKey === undefined) {
        throw new Error(
          `the key "${keyLabel(address)}" in the database cannot be decrypted: check that GRANTLOG_KEYS_SECRET still ` +
            'lists the secret that encrypted it, or restore the database',
        );
      }
      return storedKey;
    },
    async replace(keys) {
      for (let offset = 0; offset < keys.length; offset += PAGE_ROWS) {
        const page = keys.slice(offset, offset + PAGE_ROWS);
        const encryptedKeys = page.map((entry) => encryption.encrypt(entry.key, keyLabel(entry)));
        const values = [page.map(({ kind }) => kind), page.map(({ name }) => name), encryptedKeys];
        await query({ text: REPLACE, values });
      }
      await refresh();
    },
    async destroy(address) {
      const { kind, name } = address;
      const label = keyLabel(address);
      labelsToDestroy.add(label);
      const [row] = await query<Row>({ text: DESTROY, values: [kind, name] });
      if (row !== undefined) applyRow(row);
      const existing = entriesByName(kind).get(name);
      existing?.key?.fill(0);
      if (existing !== undefined) entriesByName(kind).set(name, { ...existing, key: undefined });
      labelsToDestroy.delete(label);
    },
    refresh,
    async reencrypt() {
      const rows = [...outdatedRows.values()];
      for (let offset = 0; offset < rows.length; offset += PAGE_ROWS) {
        const page = rows.slice(offset, offset + PAGE_ROWS).flatMap((row) => {
          const key = entriesByName(row.kind).get(row.name)?.key;
          return key === undefined ? [] : [{ ...row, newValue: encryption.encrypt(key, keyLabel(row)) }];
        });
        const column = <Name extends keyof (typeof page)[number]>(name: Name) => page.map((row) => row[name]);
        const values = [column('kind'), column('name'), column('value'), column('newValue')];
        await query({ text: REENCRYPT, values });
      }
      outdatedRows.clear();
    },
  };
}

/** Returns the label that identifies a key in messages, and that its encryption authenticates. */
function keyLabel({ kind, name }: KeyAddress): string {
  return `${kind} ${name}`;
}

const CHANGES = `
  select kind, name, value, change from grantlog.keys where change > $1 order by change limit $2`;

/** Locks the counter until the commit, so that changes become visible in order. */
const NEXT_NUMBER = 'with counter as (update grantlog.key_changes set last = last + 1 returning last)';

const NEXT_NUMBERS = `
  with counter as (
    update grantlog.key_changes set last = last + cardinality($1::text[])
    returning last - cardinality($1::text[]) as before)`;

const ADD = `${NEXT_NUMBER}
  insert into grantlog.keys as k (kind, name, value, change) select $1, $2, $3, last from counter
  on conflict (kind, name) do update set value = coalesce(k.value, excluded.value), change = excluded.change
  returning kind, name, value, change`;

const REPLACE = `${NEXT_NUMBERS}
  insert into grantlog.keys (kind, name, value, change)
  select n.kind, n.name, n.value, counter.before + n.at
  from counter, unnest($1::text[], $2::text[], $3::bytea[]) with ordinality as n(kind, name, value, at)
  on conflict (kind, name) do update set value = excluded.value, change = excluded.change`;

const DESTROY = `${NEXT_NUMBER}
  update grantlog.keys k set value = null, change = counter.last from counter
  where k.kind = $1 and k.name = $2 and k.value is not null
  returning k.kind, k.name, k.value, k.change`;

/** Updates only rows that have not changed since they were read, so that a destroyed key does not reappear. */
const REENCRYPT = `${NEXT_NUMBERS}
  update grantlog.keys k set value = n.new_value, change = counter.before + n.at
  from counter,
    unnest($1::text[], $2::text[], $3::bytea[], $4::bytea[]) with ordinality as n(kind, name, old_value, new_value, at)
  where k.kind = n.kind and k.name = n.name and k.value = n.old_value`;
