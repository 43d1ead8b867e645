import type { RecordedDetail } from '../../domain/authorization-details.ts';
import { decodeEvent, type EventOf, type RevocationReason, type SessionEndReason } from '../../domain/events.ts';
import { unreachable, type ClientId, type EpochSeconds, type GrantId, type UserId } from '../../domain/values.ts';
import type { EventLog, RecordedEvent, StreamName } from '../../event-store/event-log.ts';
import type { Grants } from '../../projections/grants.ts';
import type { Sessions } from '../../projections/sessions.ts';
import { passedOn, type PassedOn, type PassedOnParts } from './passed-on.ts';
import { say, type SentencePart } from './sentence-parts.ts';

/** The words for users, as on the consent page. */
export interface ActivityWords {
  readonly describeScope: (name: string) => { readonly description: string };
  /** One sentence for each authorization detail whose text can still be read. */
  readonly describeDetails: (
    owner: { readonly clientId: ClientId; readonly userId: UserId },
    details: readonly RecordedDetail[],
  ) => readonly string[];
}

export interface AftermathParts extends ActivityWords, Pick<PassedOnParts, 'clients' | 'exchanges'> {
  readonly log: Pick<EventLog, 'readStream' | 'readStreamBackwards'>;
  readonly grants: Pick<Grants, 'find'>;
  readonly sessions: Pick<Sessions, 'find'>;
}

export interface ActivityDetail {
  readonly parts: readonly SentencePart[];
  /** A time that completes the sentence; null if none does. */
  readonly at: EpochSeconds | null;
}

/** A grant that was refreshed for years has more events. Only its newest ones are read. */
const MAX_EVENTS = 100;

/** The end of a user's session, if it has ended. */
export async function sessionAftermath(
  { stream }: RecordedEvent,
  now: EpochSeconds,
  { log, sessions }: Pick<AftermathParts, 'log' | 'sessions'>,
): Promise<readonly ActivityDetail[]> {
  if (sessions.find(stream.slice('session-'.length), now) !== undefined) return [detail(say`Still logged in`)];
  const { events } = await newestOf(stream, log);
  for (const event of events) {
    const { type, data } = decodeEvent(event);
    if (type === 'SessionEnded') return [detail(sessionEnd(data.reason, event), event)];
  }
  return [detail(say`This session has ended`)];
}

function sessionEnd(reason: SessionEndReason | undefined, event: RecordedEvent): readonly SentencePart[] {
  switch (reason) {
    case undefined: // earlier releases did not record the reason
    case 'logged-out':
      return say`You logged out`;
    case 'logged-out-through-client':
      return say`You logged out through an application`;
    case 'ended-by-user':
      return say`You ended this session in your list of sessions`;
    case 'ended-by-administrator':
      return say`${administrator(event)} ended this session`;
    case 'logged-in-again':
      return say`You logged in again in the same browser`;
    case 'another-login':
      return say`Another user logged in with the same browser`;
    case 'two-step-turned-on':
      return say`You turned on two-step login, and this session had only the password`;
    case 'account-unlinked':
      return say`The account with which you had logged in was unlinked`;
    default:
      return unreachable(reason);
  }
}

/** The permissions of an application, the tokens that it got, what it passed on, and the end of its access. */
export async function grantAftermath(
  first: RecordedEvent,
  now: EpochSeconds,
  parts: Omit<AftermathParts, 'sessions'>,
): Promise<readonly ActivityDetail[]> {
  const { log, grants, describeScope, describeDetails } = parts;
  const { events, isComplete } = await newestOf(first.stream, log);
  // Access that began with a JWT of another issuer has no details.
  const { scope, details = [], ...owner } = decodeEvent(first).data as EventOf<'ConsentGiven'>['data'];
  const permissions = scope.map((name) => describeScope(name).description).join('; ');
  const revoked = events.map(revocation).filter((found) => found !== undefined);
  const grantId = first.stream.slice('grant-'.length) as GrantId;
  const isLive = grants.find(grantId) !== undefined;
  const { newest, others } = await passedOn(grantId, { ...parts, now: () => now });
  return [
    ...(permissions === '' ? [] : [detail(say`Permissions: ${permissions}`)]),
    ...describeDetails(owner, details).map((text) => detail(say`It may: ${text}`)),
    ...tokens(events, isComplete),
    ...newest.map(passedOnDetail),
    ...(others === 0 ? [] : [detail(say`Access was passed on ${String(others)} more times`)]),
    ...(revoked.length > 0 || isLive ? revoked : [detail(say`Its access has ended`)]),
  ];
}

function tokens(events: readonly RecordedEvent[], isComplete: boolean): readonly ActivityDetail[] {
  const issued = events.filter(({ type }) => type === 'AccessTokenIssued');
  const [newest] = issued;
  if (newest === undefined) return [];
  if (!isComplete) return [detail(say`It got more than ${String(issued.length)} access tokens, the last one`, newest)];
  return issued.length === 1
    ? [detail(say`It got an access token`, newest)]
    : [detail(say`It got a new access token ${String(issued.length)} times, the last one`, newest)];
}

/** Only what is valid at present. The names are chosen by users. */
function passedOnDetail({ from, to, scope, until }: PassedOn): ActivityDetail {
  const [giver, receiver] = [from, to].map((text): SentencePart => ({ is: 'application', text }));
  return { parts: say`${giver ?? ''} passed access on to ${receiver ?? ''}, for ${scope.join(' ')}, until`, at: until };
}

function revocation(event: RecordedEvent): ActivityDetail | undefined {
  const { type, data } = decodeEvent(event);
  return type === 'GrantRevoked' ? detail(revocationText(data.reason, event), event) : undefined;
}

function revocationText(reason: RevocationReason, event: RecordedEvent): readonly SentencePart[] {
  switch (reason) {
    case 'code-replayed':
      return say`Its access ended, because an authorization code was used a second time`;
    case 'device-code-replayed':
      return say`Its access ended, because a device code was used a second time`;
    case 'refresh-token-reused':
      return say`Its access ended, because an old refresh token was used again`;
    case 'revoked-by-client':
      return say`It gave up its access`;
    case 'revoked-by-resource-owner':
      return say`You revoked its access`;
    case 'revoked-by-operator':
      return say`${administrator(event)} revoked its access`;
    case 'updated':
      return say`It updated its access, as you agreed`;
    default:
      return unreachable(reason);
  }
}

function administrator({ actor }: RecordedEvent): string {
  return actor.kind === 'user' || actor.kind === 'client' ? 'An administrator' : 'The operator';
}

function detail(parts: readonly SentencePart[], event?: RecordedEvent): ActivityDetail {
  return { parts, at: event === undefined ? null : (Math.floor(event.recordedAt / 1000) as EpochSeconds) };
}

/** Newest first. */
async function newestOf(
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
