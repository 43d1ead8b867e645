import { decodeEvent, type EventOf, type EventType, type Role } from '../../domain/events.ts';
import type { ClientId, EpochSeconds, GrantId, GroupId, UserId } from '../../domain/values.ts';
import type { Actor, EventLog, Position, RecordedEvent } from '../../event-store/event-log.ts';
import type { Clients } from '../../projections/clients.ts';
import type { Grants } from '../../projections/grants.ts';
import type { Groups } from '../../projections/groups.ts';
import type { SealedData, Unseal } from '../../projections/sealed-data.ts';
import type { ActivityEntry, ActivityKind } from '../../projections/user-activity.ts';
import {
  grantAftermath,
  sessionAftermath,
  type ActivityDetail,
  type ActivityWords,
  type AftermathParts,
} from './own-activity-aftermath.ts';
import { readEventAt } from './read-event-at.ts';
import { applicationPart, createNameLookup, groupText, say, type SentencePart } from './sentence-parts.ts';
import { describeType } from './sentence.ts';
import { describeMethod } from './session-sentences.ts';

interface OwnActivityParts extends AftermathParts {
  readonly log: Pick<EventLog, 'readBackwards' | 'readStream' | 'readStreamBackwards'>;
  readonly clients: Pick<Clients, 'find'>;
  readonly grants: Pick<Grants, 'find' | 'listByUser'>;
  readonly groups: Pick<Groups, 'nameOf'>;
  readonly unseal: Unseal;
}

/** The event as a sentence for the user to whom it happened. */
export interface OwnActivity {
  readonly position: Position;
  readonly at: EpochSeconds;
  readonly kind: ActivityKind;
  readonly sentence: readonly SentencePart[];
  /** The consequences, in reading order. */
  readonly details: readonly ActivityDetail[];
  /** The application that still has access through it; null if none has. */
  readonly clientId: ClientId | null;
  /** The grant that the user consented to, whose receipt can be downloaded; null if the entry is about no consent. */
  readonly grantId: GrantId | null;
}

/** Describes entries of a user's activity, in their order. */
export type DescribeActivity = (
  userId: UserId,
  entries: readonly ActivityEntry[],
  now: EpochSeconds,
  words: ActivityWords,
) => Promise<readonly OwnActivity[]>;

export function createOwnActivity(parts: Omit<OwnActivityParts, keyof ActivityWords>): DescribeActivity {
  return (userId, entries, now, words) => describeAll(userId, entries, now, { ...parts, ...words });
}

/**
 * Each entry reads its event and a bounded number of those that followed in the same stream, which all concern this
 * user alone.
 */
async function describeAll(
  userId: UserId,
  entries: readonly ActivityEntry[],
  now: EpochSeconds,
  parts: OwnActivityParts,
): Promise<readonly OwnActivity[]> {
  const described: OwnActivity[] = [];
  // A grant whose code was not exchanged gives no access yet.
  const usable = parts.grants.listByUser(userId, now);
  const clientsWithAccess = new Map(usable.map(({ grantId, clientId }) => [grantId, clientId]));
  for (const { position, kind, consentAt } of entries) {
    const event = await readEventAt(position, parts.log);
    if (event === undefined) continue;
    const consent = consentAt === undefined ? undefined : await readEventAt(consentAt, parts.log);
    const grant = BEGINNINGS.includes(event.type) ? event : consent;
    const details = [
      ...(event.type === 'SessionStarted' ? await sessionAftermath(event, now, parts) : []),
      ...(grant === undefined ? [] : await grantAftermath(grant, now, parts)),
    ];
    const at = Math.floor(event.recordedAt / 1000) as EpochSeconds;
    const sentence = describe(userId, event, consent, parts);
    const begun = grant === undefined ? null : (grant.stream.slice('grant-'.length) as GrantId);
    const clientId = begun === null ? null : (clientsWithAccess.get(begun) ?? null);
    const grantId = grant?.type === 'ConsentGiven' ? begun : null;
    described.push({ position, at, kind, sentence, details, clientId, grantId });
  }
  return described;
}

/** The events that give an application access to an account. */
const BEGINNINGS: readonly string[] = ['ConsentGiven', 'AssertionRedeemed', 'TokenExchanged'] satisfies EventType[];

/** Other users are not named: whoever may administer the account is "an administrator". */
function actorText({ kind, id }: { readonly kind: Actor['kind']; readonly id?: string }, userId: UserId): string {
  switch (kind) {
    case 'user':
      return id === userId ? 'You' : 'An administrator';
    case 'operator':
      return 'The operator';
    case 'client':
      return 'An application';
    case 'server':
      return 'The server';
  }
}

/** The parts that sentences need besides the data of their event. */
interface Facts {
  readonly event: RecordedEvent;
  /** Such as "You" or "An administrator". */
  readonly actor: string;
  /** The consent that belongs to a login. */
  readonly consent: RecordedEvent | undefined;
  readonly application: (clientId: ClientId) => SentencePart;
  readonly groupText: (groupId: GroupId) => string;
  readonly unseal: (sealed: string) => SealedData | undefined;
}

type Sentences = {
  readonly [Type in EventType]?: (data: EventOf<Type>['data'], facts: Facts) => readonly SentencePart[];
};

const SENTENCES: Sentences = {
  SessionStarted({ authentication, sealed }, { consent, application, unseal }) {
    const how = authentication === undefined ? '' : ` ${describeMethod(authentication)}`;
    const browser = sealed === undefined ? undefined : unseal(sealed)?.browser;
    const to = consent === undefined ? [] : say` to ${application(clientOf(consent))}`;
    return say`You logged in${to}${how}, ${browser === undefined ? 'in an unknown browser' : `in ${browser}`}`;
  },
  ConsentGiven: ({ basis, scope, clientId }, { application }) =>
    consentSentence(basis, scope.includes('openid'), application(clientId)),
  AssertionRedeemed: ({ clientId, issuer }, { application }) => assertedAccess(application(clientId), issuer),
  TokenExchanged: ({ clientId, parent }, { application }) =>
    assertedAccess(application(clientId), 'issuer' in parent ? parent.issuer : ''),
  ClientRegistered: ({ clientId, selfRegistered }, { application }) =>
    selfRegistered === undefined
      ? say`You registered the application ${application(clientId)}`
      : say`You were the first to authorize ${application(clientId)}, which had registered itself`,
  ClientUpdated: (_data, { event, application }) =>
    say`You changed the settings of the application ${application(clientIdOf(event))}`,
  ClientSecretRotated: (_data, { event, application }) =>
    say`You rotated the secret of the application ${application(clientIdOf(event))}`,
  ClientRemoved: () => say`You deleted an application`,
  ClientDisabled: (_data, { event, application }) =>
    say`You disabled the application ${application(clientIdOf(event))}`,
  ClientEnabled: (_data, { event, application }) =>
    say`You enabled the application ${application(clientIdOf(event))} again`,
  ClientMemberAdded: ({ role }, { event, actor, application }) =>
    actor === 'You'
      ? say`You became ${membership(role)} of the application ${application(clientIdOf(event))}`
      : say`An administrator made you ${membership(role)} of the application ${application(clientIdOf(event))}`,
  ClientMemberRemoved: ({ role }, { event, application }) =>
    say`You are no longer ${membership(role)} of the application ${application(clientIdOf(event))}`,
  UserRegistered: (_data, { actor }) =>
    actor === 'The server' ? say`You created your account` : say`${actor} created your account`,
  UserProfileChanged: (_data, { actor }) => say`${actor} changed your name, e-mail address or profile`,
  EmailVerified: () => say`You verified your e-mail address`,
  PasswordChanged: (_data, { actor }) => say`${actor} changed your password`,
  UserDisabled: (_data, { actor }) => say`${actor} disabled your account`,
  UserEnabled: (_data, { actor }) => say`${actor} enabled your account again`,
  UserRolesChanged: ({ roles }, { actor }) => say`${actor} changed your roles to: ${rolesText(roles)}`,
  AllSessionsEnded: (_data, { actor }) =>
    actor === 'You' ? say`You logged out everywhere` : say`${actor} logged you out everywhere`,
  PasskeyAdded({ sealed }, { actor, unseal }) {
    const name = unseal(sealed)?.passkey?.name;
    return name === undefined ? say`${actor} added a passkey` : say`${actor} added the passkey “${name}”`;
  },
  PasskeyRemoved: (_data, { actor }) => say`${actor} removed a passkey`,
  TotpAdded: (_data, { actor }) => say`${actor} turned on two-step login with an authenticator app`,
  TotpRemoved: (_data, { actor }) => say`${actor} removed the authenticator app`,
  RecoveryCodesGenerated: (_data, { actor }) => say`${actor} made new recovery codes`,
  SecondFactorsRemoved: (_data, { actor }) => say`${actor} turned off two-step login`,
  GroupMemberAdded: ({ groupId }, { actor, groupText: group }) => say`${actor} added you to ${group(groupId)}`,
  GroupMemberRemoved: ({ groupId }, { actor, groupText: group }) => say`${actor} removed you from ${group(groupId)}`,
  UpstreamAccountLinked: ({ providerId, basis }, { actor }) =>
    basis === 'asked'
      ? say`${actor} linked an account at ${providerId}, with which you can log in`
      : say`Your account at ${providerId} was linked when you logged in with it`,
  UpstreamAccountUnlinked: ({ providerId }, { actor }) => say`${actor} unlinked your account at ${providerId}`,
};

function describe(
  userId: UserId,
  event: RecordedEvent,
  consent: RecordedEvent | undefined,
  { clients, groups, unseal }: OwnActivityParts,
): readonly SentencePart[] {
  const names = createNameLookup({ users: { find: () => undefined }, clients, groups });
  const { type, data } = decodeEvent(event);
  const facts: Facts = {
    event,
    actor: actorText(event.actor, userId),
    consent,
    application: (clientId) => applicationPart(clientId, names),
    groupText: (groupId) => groupText(groupId, names),
    unseal: (sealed) => unseal(userId, sealed),
  };
  const write = SENTENCES[type] as ((data: unknown, facts: Facts) => readonly SentencePart[]) | undefined;
  return write === undefined ? say`${describeType(type)}` : write(data, facts);
}

function consentSentence(
  basis: EventOf<'ConsentGiven'>['data']['basis'],
  isLogin: boolean,
  application: SentencePart,
): readonly SentencePart[] {
  switch (basis) {
    case 'asked':
      return say`You gave ${application} access to your account`;
    case 'remembered':
      return isLogin
        ? say`You logged in to ${application}`
        : say`${application} got access again, as you had allowed before`;
    case 'skipped':
      return isLogin
        ? say`You logged in to ${application}, which the operator trusts`
        : say`${application} got access without asking you, because the operator trusts it`;
    case 'password':
      return say`${application} got access with your user name and password`;
    case 'device':
      return say`You gave ${application} access to your account, on a device that showed you a code`;
  }
}

/** Nobody asked the user. */
function assertedAccess(application: SentencePart, issuer: string): readonly SentencePart[] {
  return say`${application} got access with a token about you from ${issuer}, which this server trusts`;
}

function clientOf(consent: RecordedEvent): ClientId {
  return (decodeEvent(consent).data as { readonly clientId: ClientId }).clientId;
}

/** The client of its stream. */
function clientIdOf({ stream }: RecordedEvent): ClientId {
  return stream.slice('client-'.length) as ClientId;
}

function membership(role: 'owner' | 'test-user'): string {
  return role === 'owner' ? 'an owner' : 'a test user';
}

function rolesText(roles: readonly Role[]): string {
  return roles.length === 0 ? 'none' : roles.join(', ');
}
