import type { Attestation } from '../../../audit/proofs/attestation.ts';
import { decodeEvent } from '../../../domain/events.ts';
import type { ClientId, GroupId, UserId } from '../../../domain/values.ts';
import type { EventLog, Position, RecordedEvent, StreamName } from '../../../event-store/event-log.ts';
import { ERASED_USER } from '../../../audit/queries/access-report.ts';
import { isGrantStream } from '../../../audit/queries/parties.ts';
import { readEventAt } from '../../../audit/queries/read-event-at.ts';
import { recordedLogin } from '../../../audit/queries/recorded-login.ts';
import { redactFor } from '../../../audit/queries/redaction.ts';
import { describeType } from '../../../audit/queries/sentence.ts';
import { createNameLookup, type Names } from '../../../audit/queries/sentence-parts.ts';
import { leafHash } from '../../../audit/merkle/hashing.ts';
import { eventRows, createPartyLookup, type EventRow, type EventRowsParts } from './event-rows.ts';
import { toMoment } from './moments.ts';

export interface EventDetailParts extends EventRowsParts {
  readonly log: Pick<EventLog, 'head' | 'readBackwards' | 'readStream' | 'readStreamBackwards'>;
  readonly attestation: Pick<Attestation, 'prove' | 'verifierKey'>;
}

/** A line of `views/partials/facts.ejs`. */
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
  /** The payload in the current schema. */
  readonly data: readonly Fact[];
  /** The stored record byte for byte, unless it is redacted. */
  readonly record: string;
  /** Whether the hash of a user-chosen secret was removed, because the reader is not an administrator. */
  readonly isRedacted: boolean;
  /** The neighbouring events of the stream and this one, oldest first. */
  readonly stream: { readonly rows: readonly EventRow[]; readonly count: number };
  readonly proof: {
    readonly leafIndex: number;
    readonly leafHash: string;
    readonly hashes: readonly string[];
    readonly checkpoint: string;
    readonly verifierKey: string;
  };
  /** Whether this is the newest event of the log. */
  readonly isNewest: boolean;
}

/** The number of events shown before and after this one. */
const MAX_NEIGHBOURS = 20;

/** The event at `position` as this reader may see it, or undefined. */
export async function eventDetail(
  position: Position,
  reader: { isAdministrator(): boolean },
  parts: EventDetailParts,
): Promise<EventDetail | undefined> {
  const { log, attestation } = parts;
  const event = await readEventAt(position, log);
  if (event === undefined) return undefined;
  const shown = redactFor(reader, event);
  const names = createNameLookup(parts);
  const partiesOf = createPartyLookup(parts);
  const { stream } = event;
  const before = await takeUpTo(MAX_NEIGHBOURS + 1, log.readStreamBackwards(stream, event));
  const after = await takeUpTo(MAX_NEIGHBOURS + 1, log.readStream(stream, event));
  const [newest = event] = await takeUpTo(1, log.readStreamBackwards(stream));
  const near = [...before.toReversed(), ...after.slice(1)]; // both start with the event itself
  const rows = await eventRows(near, partiesOf, names);
  const [row = (await eventRows([event], partiesOf, names))[0]] = rows.filter((one) => one.position === position);
  if (row === undefined) return undefined;
  const { proof, checkpoint } = await attestation.prove(position);
  return {
    row,
    envelope: envelopeFacts(event, names),
    data: [...dataFacts(decodeEvent(shown).data, names), ...missingLogin(event)],
    record: shown.record,
    isRedacted: shown !== event,
    stream: { rows, count: newest.revision }, // revisions start at 1 without gaps
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

/** The first `count` events, without reading further pages. */
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

function envelopeFacts(
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
    { title: 'Type', cells: [{ text: type, code: true }, { text: `schema version ${version}` }] },
    { title: 'Stream', cells: [{ text: stream, code: true }, { text: `event ${revision} of the stream` }] },
    ...grantFact(stream, type),
    by ?? {
      title: 'Caused by',
      cells: [{ text: actor.kind === 'operator' ? 'The operator, with a command' : 'The server' }],
    },
    { title: 'Request', cells: [requestId === null ? { text: 'none', none: true } : { text: requestId, code: true }] },
  ];
}

function grantFact(stream: StreamName, type: string): readonly Fact[] {
  if (!isGrantStream(stream) || type === 'DeviceDenied') return [];
  const grantId = stream.slice('grant-'.length);
  return [{ title: 'Grant', cells: [{ text: 'Exchanges around this grant', href: `/audit/grants/${grantId}/` }] }];
}

/** Earlier releases did not record the login behind an authorization. */
function missingLogin(event: RecordedEvent): readonly Fact[] {
  return recordedLogin(event) === 'not recorded'
    ? [{ title: 'Login', cells: [{ text: 'not recorded', none: true }] }]
    : [];
}

/** One line per member, nested members included. */
function dataFacts(data: object, names: Names): readonly Fact[] {
  return Object.entries(data).flatMap(([name, value]: [string, unknown]): readonly Fact[] => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [toFact(name, value, names)];
    return dataFacts(value, names).map((fact) => ({
      ...fact,
      title: `${titleFromName(name)}: ${fact.title.toLowerCase()}`,
    }));
  });
}

function titleFromName(name: string): string {
  return describeType(name.charAt(0).toUpperCase() + name.slice(1));
}

function toFact(name: string, value: unknown, names: Names): Fact {
  const title = titleFromName(name);
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0))
    return { title, cells: [{ text: 'none', none: true }] };
  if (name === 'userId' || name === 'ownerId') return userFact(title.replace(/ id$/, ''), toText(value), names);
  if (name === 'clientId') return clientFact('Application', toText(value), names);
  if (name === 'groupId') return groupFact(toText(value), names);
  if (name === 'secret') return secretFact(title, value);
  if (name === 'base64')
    return { title: 'Bytes', cells: [{ text: `${Buffer.from(toText(value), 'base64').length}; see the record` }] };
  if (name === 'sealed') return { title, cells: [{ text: 'Personal data, encrypted with this user’s key.' }] };
  if (typeof value === 'number' && /(?:At|Until|authTime)$/.test(name))
    return { title, cells: [{ text: toMoment(value * 1000).text }] };
  if (typeof value === 'boolean') return { title, cells: [{ text: value ? 'yes' : 'no' }] };
  if (Array.isArray(value)) return { title, cells: value.map((each) => ({ text: toText(each), code: true })) };
  return { title, cells: [{ text: toText(value), code: true }] };
}

function secretFact(title: string, value: object): Fact {
  if ('sealed' in value) return { title, cells: [{ text: SEALED_SECRET }] };
  if ('redacted' in value) return { title, cells: [{ text: REDACTED_SECRET }] };
  return { title, cells: [{ text: toText(value), code: true }] };
}

const SEALED_SECRET = 'Hash of a user-chosen secret, encrypted with this application’s key.';
const REDACTED_SECRET = 'Hash of a user-chosen secret, shown only to administrators.';

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function userFact(title: string, id: string, names: Names): Fact {
  const name = names.user(id as UserId);
  const known =
    name === undefined || name === ''
      ? { text: ERASED_USER, none: true }
      : { text: name, href: `/audit/?${new URLSearchParams({ user: name }).toString()}` };
  return { title, cells: [known, { text: id, code: true }] };
}

function groupFact(id: string, names: Names): Fact {
  return { title: 'Group', cells: [{ text: names.group(id as GroupId) ?? 'unknown' }, { text: id, code: true }] };
}

function clientFact(title: string, id: string, names: Names): Fact {
  const name = names.application(id as ClientId);
  const known = { text: name ?? 'removed', href: `/audit/?${new URLSearchParams({ client: id }).toString()}` };
  return { title, cells: [known, { text: id, code: true }] };
}
