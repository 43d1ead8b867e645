import type { Attestation } from '../../../audit/proofs/attestation.ts';
import type { EventLog, Position, RecordedEvent } from '../../../event-store/event-log.ts';
import type { Explanations } from '../../../oauth/refusals/explanations.ts';
import { refusalPath } from '../refusals/refusal-locals.ts';
import { readEventAt } from '../../../audit/queries/read-event-at.ts';
import { grantsEndedBy } from '../../../audit/queries/grants-ended-by.ts';
import { redactFor } from '../../../audit/queries/redaction.ts';
import { createNameLookup } from '../../../audit/queries/sentence-parts.ts';
import { leafHash } from '../../../audit/merkle/hashing.ts';
import { dataFacts, endedFacts, envelopeFacts, type Fact } from './event-facts.ts';
import { createPartyLookup, formatEventRows, type EventRow, type EventRowsDeps } from './event-rows.ts';

export interface EventDetailDeps extends EventRowsDeps {
  readonly explanations: Pick<Explanations, 'find'>;
  readonly log: Pick<EventLog, 'head' | 'readBackwards' | 'readStream' | 'readStreamBackwards'>;
  readonly attestation: Pick<Attestation, 'prove' | 'verifierKey'>;
}

export interface EventDetail {
  readonly row: EventRow;
  readonly envelope: readonly Fact[];
  /** The payload in the current schema, and the authorizations that ended with the event. */
  readonly data: readonly Fact[];
  /** The stored record byte for byte, unless it is redacted. */
  readonly record: string;
  /** Whether the hash of a user-chosen secret was removed, because the reader is not an administrator. */
  readonly isRedacted: boolean;
  /** The event and its neighbors in the stream, oldest first. `count` is the number of all events in the stream. */
  readonly stream: { readonly rows: readonly EventRow[]; readonly count: number };
  readonly proof: {
    readonly leafIndex: number;
    readonly leafHash: string;
    readonly hashes: readonly string[];
    readonly checkpoint: string;
    readonly verifierKey: string;
  };
  /** Whether this is the newest event in the log. */
  readonly isNewest: boolean;
}

/** The maximum number of neighbors on each side of the event. */
const MAX_NEIGHBORS = 20;

/** Reads the event at `position` as `reader` may see it. Resolves with undefined if no event has that position. */
export async function readEventDetail(
  position: Position,
  reader: { isAdministrator(): boolean },
  deps: EventDetailDeps,
): Promise<EventDetail | undefined> {
  const { log, attestation, explanations } = deps;
  const event = await readEventAt(position, log);
  if (event === undefined) return undefined;
  const visibleEvent = redactFor(reader, event);
  const names = createNameLookup(deps);
  const findParties = createPartyLookup(deps);
  const { stream } = event;
  const previousEvents = await takeUpTo(MAX_NEIGHBORS + 1, log.readStreamBackwards(stream, event));
  const nextEvents = await takeUpTo(MAX_NEIGHBORS + 1, log.readStream(stream, event));
  const [newestEvent = event] = await takeUpTo(1, log.readStreamBackwards(stream));
  const neighbors = [...previousEvents.toReversed(), ...nextEvents.slice(1)]; // both start with the event itself
  const rows = await formatEventRows(neighbors, findParties, names);
  const [row = (await formatEventRows([event], findParties, names))[0]] = rows.filter(
    (candidate) => candidate.position === position,
  );
  if (row === undefined) return undefined;
  const { proof, checkpoint } = await attestation.prove(position);
  return {
    row,
    envelope: envelopeFacts(event, {
      names,
      parties: await findParties(stream),
      refusalHref:
        reader.isAdministrator() && event.requestId !== null && explanations.find(event.requestId) !== undefined
          ? refusalPath(event.requestId)
          : null,
    }),
    data: [...dataFacts(visibleEvent, names), ...endedFacts(await grantsEndedBy(event, log), names)],
    record: visibleEvent.record,
    isRedacted: visibleEvent !== event,
    stream: { rows, count: newestEvent.revision }, // revisions start at 1 without gaps
    proof: {
      leafIndex: position - 1, // leaf indexes start at 0
      leafHash: leafHash(event.record).toString('base64'),
      hashes: proof.map((hash) => Buffer.from(hash).toString('base64')),
      checkpoint,
      verifierKey: attestation.verifierKey(),
    },
    isNewest: position === log.head(),
  };
}

/** Returns the first `count` events, without reading further pages. */
async function takeUpTo(
  count: number,
  pages: AsyncIterable<readonly RecordedEvent[]>,
): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const page of pages) {
    events.push(...page);
    if (events.length >= count) break;
  }
  return events.slice(0, count);
}
