import type { Connection } from '../../platform/postgres/connect.ts';

/** A node's keys differ from those of the node that started the log. */
export class DifferentKeys extends Error {
  override readonly name = 'DifferentKeys';
}

/**
 * Records the fingerprint of the keys if no node has recorded one, and otherwise compares them. If two nodes with
 * different keys start at the same time, at most one succeeds.
 * @param location where this node's keys are, for the message
 * @throws DifferentKeys if the log was started with different keys
 */
export async function assertKeyFingerprint(
  connection: Connection,
  fingerprint: string,
  location: string,
): Promise<void> {
  await connection.query({
    text: 'insert into grantlog.key_fingerprint (fingerprint) values ($1) on conflict do nothing',
    values: [fingerprint],
  });
  const [row] = await connection.query<{ fingerprint: string }>({
    text: 'select fingerprint from grantlog.key_fingerprint',
  });
  if (row?.fingerprint === fingerprint) return;
  throw new DifferentKeys(
    `the keys in ${location} are not the keys of the log in the database. All nodes of a log need the same keys: ` +
      'GRANTLOG_KEYS must name the location that they share',
  );
}
