import type { EndedGrants } from '../../../audit/queries/grants-ended-by.ts';
import { isGrantStream, type Parties } from '../../../audit/queries/parties.ts';
import { recordedLogin } from '../../../audit/queries/recorded-login.ts';
import type { Names } from '../../../audit/queries/sentence-parts.ts';
import { decodeEvent, type DomainEvent } from '../../../domain/events.ts';
import type { ClientId, GroupId, UserId } from '../../../domain/values.ts';
import type { RecordedEvent, StreamName } from '../../../event-store/event-log.ts';
import { isMessageKey } from '../../../language/catalog.ts';
import { message, type Text } from '../../../language/message.ts';
import type { Moment } from '../times.ts';
import { toMoment } from './moments.ts';

/** A title with its values, as in `views/partials/facts.ejs`. */
export interface Fact {
  readonly title: Text;
  readonly cells: readonly (FactText | { readonly moment: Moment })[];
}

interface FactText {
  readonly text: Text;
  readonly href?: string;
  readonly code?: boolean;
  /** Whether the text stands for an empty value. */
  readonly none?: boolean;
}

export interface EnvelopeContext {
  readonly names: Names;
  readonly parties: Parties;
  /** The path of the explanation of the request's refusal; null if none exists, or if the reader may not see it. */
  readonly refusalHref: string | null;
}

/** Returns the event's type and stream, the user and the application of its grant, and its actor and request. */
export function envelopeFacts(event: RecordedEvent, { names, parties, refusalHref }: EnvelopeContext): readonly Fact[] {
  const { stream, revision, type, version, actor, requestId } = event;
  const actorTitle = message('event.caused-by');
  const actorFact =
    actor.kind === 'user'
      ? userFact(actorTitle, actor.id, names)
      : actor.kind === 'client'
        ? clientFact(actorTitle, actor.id, names)
        : undefined;
  return [
    { title: message('event.type'), cells: [codeCell(type), { text: message('event.version', { version }) }] },
    { title: message('event.stream'), cells: [codeCell(stream), { text: message('event.revision', { revision }) }] },
    ...grantFacts(stream, type),
    ...partyFacts(event, parties, names),
    actorFact ?? {
      title: actorTitle,
      cells: [{ text: message(actor.kind === 'operator' ? 'event.by-operator' : 'event.by-server') }],
    },
    {
      title: message('event.request'),
      cells: [
        requestId === null ? NONE : codeCell(requestId),
        ...(refusalHref === null ? [] : [{ text: message('event.refused'), href: refusalHref }]),
      ],
    },
  ];
}

/** Returns the user and the application of a grant if the event's payload lacks them, as in a revocation. */
function partyFacts(event: RecordedEvent, { userId, clientId }: Parties, names: Names): readonly Fact[] {
  if (!isGrantStream(event.stream)) return [];
  const { data } = decodeEvent(event);
  return [
    ...(userId === null || 'userId' in data ? [] : [userFact(fieldTitle('userId'), userId, names)]),
    ...(clientId === null || 'clientId' in data ? [] : [clientFact(fieldTitle('clientId'), clientId, names)]),
  ];
}

/** Returns a link to the grant of a grant event. A denied device request leads to no grant. */
function grantFacts(stream: StreamName, type: string): readonly Fact[] {
  if (!isGrantStream(stream) || type === 'DeviceDenied') return [];
  const href = `/audit/grants/${stream.slice('grant-'.length)}/`;
  return [{ title: message('event.grant'), cells: [{ text: message('event.exchanges'), href }] }];
}

/** Returns one fact for each member of the payload in the current schema, including nested members. */
export function dataFacts(event: RecordedEvent, names: Names): readonly Fact[] {
  return [...memberFacts(decodeEvent(event).data, fieldTitle, names), ...missingLoginFacts(event)];
}

/** Returns a fact that lists the authorizations that ended with the event, or nothing if the event cannot end any. */
export function endedFacts(endedGrants: EndedGrants | undefined, names: Names): readonly Fact[] {
  if (endedGrants === undefined) return [];
  const { grants, since, isComplete } = endedGrants;
  const cells: Fact['cells'] = grants.map(({ grantId, clientId }) => ({
    text: names.application(clientId) ?? clientId,
    href: `/audit/grants/${grantId}/`,
  }));
  const searchNote = { text: message('event.ended-since', { since: String(since) }), none: true };
  const grantCells = cells.length === 0 && isComplete ? [NONE] : cells;
  return [{ title: message('event.ended'), cells: isComplete ? grantCells : [...grantCells, searchNote] }];
}

/** Returns a note if an earlier release recorded the event without the grant's login. */
function missingLoginFacts(event: RecordedEvent): readonly Fact[] {
  return recordedLogin(event) === 'not recorded'
    ? [{ title: fieldTitle('login'), cells: [{ text: message('event.not-recorded'), none: true }] }]
    : [];
}

function memberFacts(data: object, toTitle: (name: string) => Text, names: Names): readonly Fact[] {
  return Object.entries(data).flatMap(([name, value]: [string, unknown]): readonly Fact[] => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return [toFact(name, toTitle(name), value, names)];
    const placeholder = name === 'secret' ? secretPlaceholder(value) : undefined;
    if (placeholder !== undefined) return [{ title: toTitle(name), cells: [{ text: placeholder }] }];
    // The value of a setting can have arbitrary members, such as scopes. Their names are shown untranslated.
    const nestedFacts = memberFacts(value, name === 'value' ? (inner) => inner : toTitle, names);
    const outer = toTitle(name);
    return nestedFacts.map((fact) => ({ ...fact, title: message('event.member', { outer, inner: fact.title }) }));
  });
}

/** Returns the placeholder for a sealed or redacted hash of a secret, or undefined if the hash is shown. */
function secretPlaceholder(secret: object): Text | undefined {
  if ('sealed' in secret) return message('event.secret-sealed');
  return 'redacted' in secret ? message('event.secret-redacted') : undefined;
}

/** The names of an object's members at every depth, except in lists, whose entries are shown as JSON. */
type MemberName<Data> = Data extends string | number | boolean | null | undefined | readonly unknown[]
  ? never
  : string extends keyof Data
    ? never
    : (keyof Data & string) | MemberName<Data[keyof Data]>;

/** Returns the title of a member. The compiler checks that every member of an event has a title. */
function fieldTitle(name: string): Text {
  const member = name as MemberName<DomainEvent['data']>;
  const key = `event-field.${member}` as const;
  return isMessageKey(key) ? message(key) : name;
}

function toFact(name: string, title: Text, value: unknown, names: Names): Fact {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0))
    return { title, cells: [NONE] };
  if (name === 'userId' || name === 'ownerId') return userFact(title, toText(value), names);
  if (name === 'clientId') return clientFact(title, toText(value), names);
  if (name === 'groupId') return groupFact(title, toText(value), names);
  if (name === 'base64')
    return { title, cells: [{ text: message('event.bytes', { count: Buffer.from(toText(value), 'base64').length }) }] };
  if (name === 'sealed') return { title, cells: [{ text: message('event.sealed') }] };
  if (typeof value === 'number' && /(?:At|Until|authTime)$/.test(name))
    return { title, cells: [{ moment: toMoment(value * 1000) }] };
  if (typeof value === 'boolean') return { title, cells: [{ text: message(value ? 'value.yes' : 'value.no') }] };
  return {
    title,
    cells: Array.isArray(value) ? value.map((element) => codeCell(toText(element))) : [codeCell(toText(value))],
  };
}

const NONE = { text: message('list.none'), none: true } as const;

function codeCell(text: string): FactText {
  return { text, code: true };
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function userFact(title: Text, id: string, names: Names): Fact {
  const name = names.user(id as UserId);
  const nameCell =
    name === undefined || name === ''
      ? { text: message('party.erased-user'), none: true }
      : { text: name, href: `/audit/?${new URLSearchParams({ user: name }).toString()}` };
  return { title, cells: [nameCell, codeCell(id)] };
}

function groupFact(title: Text, id: string, names: Names): Fact {
  return { title, cells: [{ text: names.group(id as GroupId) ?? message('list.unknown') }, codeCell(id)] };
}

function clientFact(title: Text, id: string, names: Names): Fact {
  const text = names.application(id as ClientId) ?? message('as-of.removed');
  return { title, cells: [{ text, href: `/audit/?${new URLSearchParams({ client: id }).toString()}` }, codeCell(id)] };
}
