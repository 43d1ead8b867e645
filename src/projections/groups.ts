import type { Projection } from '../event-store/projector.ts';
import { handleEvents } from './event-handlers.ts';
import { parseEntries, jsonPieces } from './json-pieces.ts';

export interface Group {
  /** Groups are numbered from 1 in the order of the log. */
  readonly id: number;
  readonly name: string;
}

export interface Groups extends Projection {
  /** At most `limit` groups with an id above `after`, in ascending order. */
  page(after: number, limit: number): readonly Group[];
  all(): readonly Group[];
}

export function createGroups(): Groups {
  const groups: Group[] = [];

  const handle = handleEvents<'groups'>({
    GroupCreated: ({ name }) => void groups.push({ id: groups.length + 1, name }),
  });

  return {
    name: 'groups',
    page: (after, limit) => groups.slice(after, after + limit),
    all: () => groups,
    contents: () => groups,
    freeze: () => jsonPieces([...groups]),
    restore: (piece) => void groups.push(...parseEntries<Group>(piece)),

    apply: handle,
  };
}
