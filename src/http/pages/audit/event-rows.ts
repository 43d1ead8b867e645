import type { EventType } from '../../../domain/events.ts';
import type { EventLog, RecordedEvent } from '../../../event-store/event-log.ts';
import { createPartiesCache, type FindParties } from '../../../audit/queries/parties.ts';
import { describeEvent, describeType } from '../../../audit/queries/sentence.ts';
import { actorText, type Names } from '../../../audit/queries/sentence-parts.ts';
import type { Message, Text } from '../../../language/message.ts';
import type { Clients } from '../../../projections/clients.ts';
import type { Grants } from '../../../projections/grants.ts';
import type { Groups } from '../../../projections/groups.ts';
import type { Users } from '../../../projections/users.ts';
import type { Moment } from '../times.ts';
import { toMoment } from './moments.ts';

/** A row in a list of events. */
export interface EventRow {
  readonly position: number;
  readonly at: Moment;
  readonly type: Text;
  readonly sentence: Message;
  readonly actor: Text;
  /** Whether the same request caused the event in the row above. */
  readonly isFromSameRequest: boolean;
}

export interface EventRowsDeps {
  readonly log: Pick<EventLog, 'readStream'>;
  readonly users: Pick<Users, 'find'>;
  readonly clients: Pick<Clients, 'find'>;
  readonly groups: Pick<Groups, 'nameOf'>;
  readonly grants: Pick<Grants, 'find'>;
}

export function createPartyLookup({ log, grants }: EventRowsDeps): FindParties {
  return createPartiesCache(log, grants);
}

/** Returns a row for each event. Formats one row at a time, because neighboring rows often share cached lookups. */
export async function formatEventRows(
  events: readonly RecordedEvent[],
  findParties: FindParties,
  names: Names,
): Promise<readonly EventRow[]> {
  const rows: EventRow[] = [];
  for (const [index, event] of events.entries()) {
    rows.push({
      position: event.position,
      at: toMoment(event.recordedAt),
      type: describeType(event.type as EventType),
      sentence: describeEvent(event, await findParties(event.stream), names),
      actor: actorText(event.actor, names),
      isFromSameRequest: event.requestId !== null && event.requestId === events[index - 1]?.requestId,
    });
  }
  return rows;
}
