import { decodeEvent } from '../../domain/events.ts';
import type { ClientId, GrantId, UserId } from '../../domain/values.ts';
import type { EventLog, Position, RecordedEvent } from '../../event-store/event-log.ts';
import { isAccountEvent } from './exchange-search.ts';
import { createGrantEnds } from './grant-end.ts';

/** The authorizations of a user that ended with a session, all sessions or the account, newest first. */
export interface EndedGrants {
  readonly grants: readonly { readonly grantId: GrantId; readonly clientId: ClientId }[];
  /** The position of the oldest examined event. */
  readonly since: Position;
  /** Whether every earlier authorization of the user was examined. */
  readonly isComplete: boolean;
}

export interface EndedGrantsLimits {
  /** The maximum number of events to examine. */
  readonly maxEvents: number;
  /** The maximum number of authorizations to examine. Each costs several reads of the log. */
  readonly maxGrants: number;
}

const LIMITS: EndedGrantsLimits = { maxEvents: 20_000, maxGrants: 200 };

/**
 * Finds the authorizations that the event ended. No event records their end, because it follows from this event and
 * their scopes.
 * @returns undefined if events of this type end neither sessions nor accounts
 */
export async function grantsEndedBy(
  event: RecordedEvent,
  log: Pick<EventLog, 'readBackwards' | 'readStream' | 'readStreamBackwards'>,
  limits: EndedGrantsLimits = LIMITS,
): Promise<EndedGrants | undefined> {
  if (event.type !== 'SessionEnded' && !isAccountEvent(event)) return undefined;
  const { consents, accountEvents, since, isComplete } = await searchConsents(event, log, limits);
  const ends = createGrantEnds({ log, upTo: event.position, accountEvents: () => Promise.resolve(accountEvents) });
  const grants: EndedGrants['grants'][number][] = [];
  for (const consent of consents) {
    const end = await ends.findEnd(consent);
    if (end?.event?.position !== event.position) continue;
    const { expiresAt } = await ends.readTerms(consent);
    if (expiresAt !== null && expiresAt * 1000 <= event.recordedAt) continue;
    const { grantId, clientId } = decodeEvent(consent).data as { grantId: GrantId; clientId: ClientId };
    grants.push({ grantId, clientId });
  }
  return { grants, since, isComplete };
}

interface ConsentSearchResult {
  readonly consents: readonly RecordedEvent[];
  /** The examined events that may end the user's grants, oldest first. */
  readonly accountEvents: readonly RecordedEvent[];
  readonly since: Position;
  readonly isComplete: boolean;
}

/** Finds the consents of the user up to the event, newest first. */
async function searchConsents(
  event: RecordedEvent,
  log: Pick<EventLog, 'readBackwards'>,
  limits: EndedGrantsLimits,
): Promise<ConsentSearchResult> {
  const { userId } = event.data as { readonly userId: UserId };
  const consents: RecordedEvent[] = [];
  const accountEvents: RecordedEvent[] = [];
  let [since, examinedCount, isComplete] = [event.position, 0, true];
  search: for await (const batch of log.readBackwards(event.position)) {
    for (const candidate of batch) {
      if (examinedCount === limits.maxEvents || consents.length === limits.maxGrants) {
        isComplete = false;
        break search;
      }
      examinedCount += 1;
      since = candidate.position;
      if ((candidate.data as { readonly userId?: unknown }).userId !== userId) continue;
      if (candidate.type === 'UserRegistered') break search;
      if (candidate.type === 'ConsentGiven') consents.push(candidate);
      else if (isAccountEvent(candidate)) accountEvents.push(candidate);
    }
  }
  return { consents, accountEvents: accountEvents.toReversed(), since, isComplete };
}
