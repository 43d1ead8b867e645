import type { Connection, Statement } from '../../platform/postgres/connect.ts';

export interface EventType {
  readonly type: string;
  readonly version: number;
}

/**
 * Records the release of the first node that can write these types, so that a node with an earlier release can name the
 * release that it needs.
 */
export async function declareEventTypes(
  connection: Connection,
  release: string,
  eventTypes: readonly EventType[],
): Promise<void> {
  await connection.query({
    text: `insert into grantlog.event_types (type, version, release)
      select type, version, $3 from unnest($1::text[], $2::int[]) as declared (type, version) on conflict do nothing`,
    values: [eventTypes.map(({ type }) => type), eventTypes.map(({ version }) => version), release],
  });
}

/** Returns the query for the release that first declared an event type. */
export function releaseQuery({ type, version }: EventType): Statement {
  const text = 'select release from grantlog.event_types where type = $1 and version = $2';
  return { name: 'release-of', text, values: [type, version] };
}
