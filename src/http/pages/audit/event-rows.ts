import type { EventLog, RecordedEvent } from '../../../event-store/event-log.ts';
import { rememberedParties, type PartiesOf } from '../../../audit/queries/parties.ts';
import { actorPart, sentence, typeInWords, type Names, type Part } from '../../../audit/queries/sentence.ts';
import type { Clients } from '../../../projections/clients.ts';
import type { Grants } from '../../../projections/grants.ts';
import type { Users } from '../../../projections/users.ts';
import { momentOf, type Moment } from './moments.ts';

/** An event in a list. */
export interface EventRow {
  readonly position: number;
  readonly at: Moment;
  /** Its type in words. */
  readonly type: string;
  readonly sentence: readonly Part[];
  readonly actor: Part;
}

export interface EventRowsParts {
  readonly log: Pick<EventLog, 'readStream'>;
  readonly users: Pick<Users, 'find'>;
  readonly clients: Pick<Clients, 'find'>;
  readonly grants: Pick<Grants, 'find'>;
}

export function partiesFor({ log, grants }: EventRowsParts): PartiesOf {
  return rememberedParties(log, grants);
}

export function namesFrom({ users, clients }: Pick<EventRowsParts, 'users' | 'clients'>): Names {
  return { person: (userId) => users.find(userId)?.username, application: (clientId) => clients.find(clientId)?.name };
}

/** One after another: what a row has to look up, the next one often needs, too. */
export async function eventRows(
  events: readonly RecordedEvent[],
  partiesOf: PartiesOf,
  names: Names,
): Promise<readonly EventRow[]> {
  const rows: EventRow[] = [];
  for (const event of events) {
    rows.push({
      position: event.position,
      at: momentOf(event.recordedAt),
      type: typeInWords(event.type),
      sentence: sentence(event, await partiesOf(event.stream), names),
      actor: actorPart(event.actor, names),
    });
  }
  return rows;
}
