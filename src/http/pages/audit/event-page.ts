import type { Attestation } from '../../../audit/proofs/attestation.ts';
import { decodeEvent } from '../../../domain/events.ts';
import type { ClientId, UserId } from '../../../domain/values.ts';
import type { EventLog, Position, RecordedEvent } from '../../../event-store/event-log.ts';
import { ERASED } from '../../../audit/queries/held.ts';
import { shownTo } from '../../../audit/queries/redaction.ts';
import { typeInWords, type Names } from '../../../audit/queries/sentence.ts';
import { leafHash } from '../../../audit/merkle/hashing.ts';
import { eventRows, namesFrom, partiesFor, type EventRow, type EventRowsParts } from './event-rows.ts';
import { momentOf } from './moments.ts';

export interface EventPageParts extends EventRowsParts {
  readonly log: Pick<EventLog, 'head' | 'readBack' | 'readStream' | 'readStreamBack'>;
  readonly attestation: Pick<Attestation, 'prove' | 'verifierKey'>;
}

/** A line of an event as views/partials/facts.ejs shows it. */
export interface Fact {
  readonly title: string;
  readonly cells: readonly {
    readonly text: string;
    readonly href?: string;
    readonly code?: boolean;
    readonly none?: boolean;
  }[];
}

export interface EventDetail {
  readonly row: EventRow;
  readonly envelope: readonly Fact[];
  /** What it says, in today's schema. */
  readonly data: readonly Fact[];
  /** Byte for byte, unless it is redacted. */
  readonly record: string;
  /** Whether the hash of a chosen client secret is left out: the reader is no administrator. */
  readonly isRedacted: boolean;
  /** Other events of its stream that are next to it, oldest first, this one among them. */
  readonly stream: { readonly rows: readonly EventRow[]; readonly count: number };
  readonly proof: {
    readonly leafIndex: number;
    readonly leafHash: string;
    readonly hashes: readonly string[];
    readonly checkpoint: string;
    readonly verifierKey: string;
  };
  /** Whether the log has an event after it. */
  readonly isNewest: boolean;
}

/** Of a stream, on either side of the event. */
const NEIGHBOURS = 20;

/** The event at `position` as a reader sees it; undefined when there is none. */
export async function eventDetail(
  position: Position,
  reader: { isAdministrator(): boolean },
  parts: EventPageParts,
): Promise<EventDetail | undefined> {
  const { log, attestation } = parts;
  const event = await eventAt(position, log);
  if (event === undefined) return undefined;
  const shown = shownTo(reader, event);
  const names = namesFrom(parts);
  const partiesOf = partiesFor(parts);
  const { stream } = event;
  const before = await atMost(NEIGHBOURS + 1, log.readStreamBack(stream, event));
  const after = await atMost(NEIGHBOURS + 1, log.readStream(stream, event));
  const [newest = event] = await atMost(1, log.readStreamBack(stream));
  const near = [...before.toReversed(), ...after.slice(1)]; // the event itself begins both
  const rows = await eventRows(near, partiesOf, names);
  const [row = (await eventRows([event], partiesOf, names))[0]] = rows.filter((one) => one.position === position);
  if (row === undefined) return undefined;
  const { proof, checkpoint } = await attestation.prove(position);
  return {
    row,
    envelope: envelopeOf(event, names),
    data: factsOf(decodeEvent(shown).data, names),
    record: shown.record,
    isRedacted: shown !== event,
    stream: { rows, count: newest.revision }, // revisions begin at 1 and have no gap
    proof: {
      leafIndex: position - 1, // leaves are counted from 0
      leafHash: leafHash(event.record).toString('base64'),
      hashes: proof.map((hash) => Buffer.from(hash).toString('base64')),
      checkpoint,
      verifierKey: attestation.verifierKey(),
    },
    isNewest: position === log.head(),
  };
}

/** The first events of a stream that is read in pages, however long it is. */
async function atMost(
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

async function eventAt(position: Position, log: Pick<EventLog, 'readBack'>): Promise<RecordedEvent | undefined> {
  for await (const [first] of log.readBack(position)) return first?.position === position ? first : undefined;
  return undefined;
}

function envelopeOf(
  { stream, revision, type, version, actor, requestId }: RecordedEvent,
  names: Names,
): readonly Fact[] {
  const by =
    actor.kind === 'user'
      ? userFact('Caused by', actor.id, names)
      : actor.kind === 'client'
        ? clientFact('Caused by', actor.id, names)
        : undefined;
  return [
    { title: 'Type', cells: [{ text: type, code: true }, { text: `version ${version} of its schema` }] },
    { title: 'Stream', cells: [{ text: stream, code: true }, { text: `event ${revision} of it` }] },
    by ?? {
      title: 'Caused by',
      cells: [{ text: actor.kind === 'operator' ? 'The operator, by a command' : 'The server itself' }],
    },
    { title: 'Request', cells: [requestId === null ? { text: 'none', none: true } : { text: requestId, code: true }] },
  ];
}

/** A line for each member, and for each member of a member. */
function factsOf(data: object, names: Names): readonly Fact[] {
  return Object.entries(data).flatMap(([name, value]: [string, unknown]): readonly Fact[] => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [factOf(name, value, names)];
    return factsOf(value, names).map((fact) => ({ ...fact, title: `${titleOf(name)}: ${fact.title.toLowerCase()}` }));
  });
}

function titleOf(name: string): string {
  return typeInWords(name.charAt(0).toUpperCase() + name.slice(1));
}

function factOf(name: string, value: unknown, names: Names): Fact {
  const title = titleOf(name);
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0))
    return { title, cells: [{ text: 'none', none: true }] };
  if (name === 'userId' || name === 'ownerId') return userFact(title.replace(/ id$/, ''), textOf(value), names);
  if (name === 'clientId') return clientFact('Application', textOf(value), names);
  if (name === 'secret') return secretFact(title, value);
  if (name === 'sealed')
    return { title, cells: [{ text: 'Personal data, readable with this user’s own key and nothing else.' }] };
  if (typeof value === 'number' && /(?:At|Until)$/.test(name))
    return { title, cells: [{ text: momentOf(value * 1000).text }] };
  if (typeof value === 'boolean') return { title, cells: [{ text: value ? 'yes' : 'no' }] };
  if (Array.isArray(value)) return { title, cells: value.map((each) => ({ text: textOf(each), code: true })) };
  return { title, cells: [{ text: textOf(value), code: true }] };
}

function secretFact(title: string, value: object): Fact {
  if ('sealed' in value) return { title, cells: [{ text: SEALED_SECRET }] };
  if ('redacted' in value) return { title, cells: [{ text: REDACTED_SECRET }] };
  return { title, cells: [{ text: textOf(value), code: true }] };
}

const SEALED_SECRET = 'The hash of a secret from elsewhere, readable with this application’s own key and nothing else.';
const REDACTED_SECRET = 'The hash of a secret from elsewhere, shown to administrators only.';

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function userFact(title: string, id: string, names: Names): Fact {
  const name = names.person(id as UserId);
  const known =
    name === undefined || name === ''
      ? { text: ERASED, none: true }
      : { text: name, href: `/audit/?${new URLSearchParams({ user: name }).toString()}` };
  return { title, cells: [known, { text: id, code: true }] };
}

function clientFact(title: string, id: string, names: Names): Fact {
  const name = names.application(id as ClientId);
  const known = { text: name ?? 'removed since', href: `/audit/?${new URLSearchParams({ client: id }).toString()}` };
  return { title, cells: [known, { text: id, code: true }] };
}
