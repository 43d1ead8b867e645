import type { RecordedDetail } from '../../domain/authorization-details.ts';
import { decodeEvent, type EventOf, type RevocationReason, type SessionEndReason } from '../../domain/events.ts';
import { recordedSecond } from '../../domain/recorded-second.ts';
import { unreachable, type ClientId, type EpochSeconds, type GrantId, type UserId } from '../../domain/values.ts';
import type { EventLog, RecordedEvent, StreamName } from '../../event-store/event-log.ts';
import type { MessageKey } from '../../language/catalog.ts';
import { message, type Message, type MessageValues, type Text } from '../../language/message.ts';
import type { Grants } from '../../projections/grants.ts';
import type { Sessions } from '../../projections/sessions.ts';
import { listPassedOn, type PassedOnAccess, type PassedOnDeps } from './passed-on.ts';

/** Texts for users, as shown on the consent page. */
export interface ActivityTexts {
  readonly describeScope: (name: string) => { readonly description: Text };
  /** Returns one sentence for each authorization detail whose text can still be read. */
  readonly describeDetails: (
    owner: { readonly clientId: ClientId; readonly userId: UserId },
    details: readonly RecordedDetail[],
  ) => readonly string[];
}

export interface AftermathDeps extends ActivityTexts, Pick<PassedOnDeps, 'clients' | 'exchanges'> {
  readonly log: Pick<EventLog, 'readStream' | 'readStreamBackwards'>;
  readonly grants: Pick<Grants, 'find'>;
  readonly sessions: Pick<Sessions, 'find'>;
}

export interface ActivityDetail {
  readonly text: Message;
  /** The value `when` of the message, which the page formats, or null if the message has no time. */
  readonly at: EpochSeconds | null;
}

/** A grant that has been refreshed for years has more events. Only the newest are read. */
const MAX_EVENTS = 100;

/** Returns how and when a user's session ended, or that it has not ended. */
export async function sessionAftermath(
  { stream }: RecordedEvent,
  now: EpochSeconds,
  { log, sessions }: Pick<AftermathDeps, 'log' | 'sessions'>,
): Promise<readonly ActivityDetail[]> {
  if (sessions.find(stream.slice('session-'.length), now) !== undefined) return [detail('activity.still-logged-in')];
  const { events } = await readNewestEvents(stream, log);
  for (const event of events) {
    const { type, data } = decodeEvent(event);
    if (type === 'SessionEnded') return [{ text: sessionEndMessage(data.reason, event), at: recordedSecond(event) }];
  }
  return [detail('activity.session-ended')];
}

function sessionEndMessage(reason: SessionEndReason | undefined, event: RecordedEvent): Message {
  switch (reason) {
    case undefined: // earlier releases did not record the reason
    case 'logged-out':
      return message('activity.logged-out');
    case 'logged-out-through-client':
      return message('activity.logged-out-through-app');
    case 'ended-by-user':
      return message('activity.session-ended-by-you');
    case 'ended-by-administrator':
      return message('activity.session-ended-by', { actor: administratorOrOperator(event) });
    case 'logged-in-again':
      return message('activity.logged-in-again');
    case 'another-login':
      return message('activity.another-login');
    case 'two-step-turned-on':
      return message('activity.two-step-on');
    case 'account-unlinked':
      return message('activity.session-unlinked');
    default:
      return unreachable(reason);
  }
}

/**
 * Returns the permissions of an application, the tokens that it got, the access that it passed on, and the end of its
 * access.
 */
export async function grantAftermath(
  first: RecordedEvent,
  now: EpochSeconds,
  deps: Omit<AftermathDeps, 'sessions'>,
): Promise<readonly ActivityDetail[]> {
  const { log, grants, describeScope, describeDetails } = deps;
  const { events, isComplete } = await readNewestEvents(first.stream, log);
  // Access that began with a JWT from another issuer has no details.
  const { scope, details = [], ...owner } = decodeEvent(first).data as EventOf<'ConsentGiven'>['data'];
  const permissions = scope.map((name) => describeScope(name).description);
  const revocations = events.map(revocationDetail).filter((revocation) => revocation !== undefined);
  const grantId = first.stream.slice('grant-'.length) as GrantId;
  const isLive = grants.find(grantId) !== undefined;
  const { newest, others } = await listPassedOn(grantId, { ...deps, now: () => now });
  return [
    ...(permissions.length === 0 ? [] : [detail('activity.permissions', { permissions: joinSentences(permissions) })]),
    ...describeDetails(owner, details).map((text) => detail('activity.may', { text })),
    ...tokenDetails(events, isComplete),
    ...newest.map(passedOnDetail),
    ...(others === 0 ? [] : [detail('sessions.passed-on-more', { count: others })]),
    ...(revocations.length > 0 || isLive ? revocations : [detail('activity.access-ended')]),
  ];
}

function tokenDetails(events: readonly RecordedEvent[], isComplete: boolean): readonly ActivityDetail[] {
  const tokenEvents = events.filter(({ type }) => type === 'AccessTokenIssued');
  const [newestEvent] = tokenEvents;
  if (newestEvent === undefined) return [];
  const key = isComplete ? 'activity.tokens' : 'activity.many-tokens';
  return [{ text: message(key, { count: tokenEvents.length }), at: recordedSecond(newestEvent) }];
}

/** Describes valid access that was passed on. */
function passedOnDetail({ from, to, scope, until }: PassedOnAccess): ActivityDetail {
  return { text: message('activity.passed-on', { from, to, scope: scope.join(' ') }), at: until };
}

function revocationDetail(event: RecordedEvent): ActivityDetail | undefined {
  const { type, data } = decodeEvent(event);
  return type === 'GrantRevoked'
    ? { text: revocationMessage(data.reason, event), at: recordedSecond(event) }
    : undefined;
}

function revocationMessage(reason: RevocationReason, event: RecordedEvent): Message {
  switch (reason) {
    case 'code-replayed':
      return message('activity.code-replayed');
    case 'device-code-replayed':
      return message('activity.device-code-replayed');
    case 'refresh-token-reused':
      return message('activity.refresh-token-reused');
    case 'revoked-by-client':
      return message('activity.given-up');
    case 'revoked-by-resource-owner':
      return message('activity.revoked');
    case 'revoked-by-operator':
      return message('activity.revoked-by', { actor: administratorOrOperator(event) });
    case 'updated':
      return message('activity.updated');
    default:
      return unreachable(reason);
  }
}

function administratorOrOperator({ actor }: RecordedEvent): string {
  return actor.kind === 'user' || actor.kind === 'client' ? 'administrator' : 'operator';
}

function detail(key: MessageKey, values?: MessageValues): ActivityDetail {
  return { text: message(key, values), at: null };
}

/** Joins the texts without “and”, because each of them is a sentence that may contain that word. */
function joinSentences(sentences: readonly Text[]): Text {
  return sentences.reduce((one, other) => message('activity.both', { one, other }));
}

/** Returns the latest events, newest first. */
async function readNewestEvents(
  stream: StreamName,
  log: Pick<EventLog, 'readStreamBackwards'>,
): Promise<{ readonly events: readonly RecordedEvent[]; readonly isComplete: boolean }> {
  const events: RecordedEvent[] = [];
  for await (const page of log.readStreamBackwards(stream)) {
    for (const event of page) {
      if (events.length === MAX_EVENTS) return { events, isComplete: false };
      events.push(event);
    }
  }
  return { events, isComplete: true };
}
