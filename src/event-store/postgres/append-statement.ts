import type { ObservedRevision, StreamName } from '../event-log.ts';
import type { Statement } from '../../platform/postgres/connect.ts';

/** One append of a batch. */
export interface Append {
  readonly id: string;
  readonly stream: StreamName;
  /** The revision that the stream must have, or 0 if it must be empty. */
  readonly expected: number;
  /** The records as UTF-8. */
  readonly records: readonly Buffer[];
  readonly dependencies: readonly ObservedRevision[];
}

/** A row that `grantlog.append` returns (see migrations/001-events.ts), or `missing` in place of an expected row. */
export interface AppendOutcome {
  readonly outcome: 'stored' | 'conflict' | 'outdated' | 'head' | 'missing';
  readonly value: number;
}

/**
 * Returns a statement that stores the whole batch in one round trip. The records are one binary parameter, because an
 * array would have to be quoted and parsed.
 */
export function appendStatement(batch: readonly Append[]): Statement {
  const records = batch.flatMap((append) => append.records);
  const dependencies = batch.flatMap((append) => append.dependencies);
  return {
    name: 'append',
    text: 'select outcome, value from grantlog.append($1, $2, $3, $4, $5, $6, $7, $8, $9)',
    values: [
      batch.map(({ id }) => id),
      batch.map(({ stream }) => storedName(stream)),
      batch.map(({ expected }) => expected),
      batch.map((append) => append.records.length),
      records.map(({ length }) => length),
      Buffer.concat(records),
      batch.map((append) => append.dependencies.length),
      dependencies.map(({ stream }) => storedName(stream)),
      dependencies.map(({ revision }) => revision),
    ],
  };
}

export function readOutcomes(rows: readonly object[]): readonly AppendOutcome[] {
  return rows as readonly AppendOutcome[];
}

/**
 * Returns the name of a stream in the database: escaped as in JSON, because PostgreSQL cannot store every string. This
 * does not change the names of this server's own streams.
 */
export function storedName(stream: StreamName): string {
  return JSON.stringify(stream).slice(1, -1);
}
