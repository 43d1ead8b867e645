import { decodeEvent, type EventOf, type EventType } from '../../domain/events.ts';
import { recordedSecond } from '../../domain/recorded-second.ts';
import type { ClientId, EpochSeconds, GrantId, GroupId, UserId } from '../../domain/values.ts';
import type { Actor, EventLog, Position, RecordedEvent } from '../../event-store/event-log.ts';
import type { MessageKey } from '../../language/catalog.ts';
import { message, type Message } from '../../language/message.ts';
import type { Clients } from '../../projections/clients.ts';
import type { Grants } from '../../projections/grants.ts';
import type { Groups } from '../../projections/groups.ts';
import type { SealedData, Unseal } from '../../projections/sealed-data.ts';
import type { ActivityEntry, ActivityKind } from '../../projections/user-activity.ts';
import {
  grantAftermath,
  sessionAftermath,
  type ActivityDetail,
  type ActivityTexts,
  type AftermathDeps,
} from './own-activity-aftermath.ts';
import { loginMethod } from './login-method.ts';
import { readEventAt } from './read-event-at.ts';
import { rolesText } from './roles-text.ts';
import { describeType } from './sentence.ts';

interface OwnActivityDeps extends AftermathDeps {
  readonly log: Pick<EventLog, 'readBackwards' | 'readStream' | 'readStreamBackwards'>;
  readonly clients: Pick<Clients, 'find'>;
  readonly grants: Pick<Grants, 'find' | 'listByUser'>;
  readonly groups: Pick<Groups, 'nameOf'>;
  readonly unseal: Unseal;
}

/** An event as a sentence for the user it concerns. */
export interface OwnActivity {
  readonly position: Position;
  readonly at: EpochSeconds;
  readonly kind: ActivityKind;
  readonly sentence: Message;
  /** The consequences, in reading order. */
  readonly details: readonly ActivityDetail[];
  /** The application that still has access because of the event, or null if none has. */
  readonly clientId: ClientId | null;
  /**
   * The grant that the user consented to, whose receipt can be downloaded, or null if the entry is not about a consent.
   */
  readonly grantId: GrantId | null;
}

/** Describes entries of a user's activity, in the same order. */
export type DescribeActivity = (
  userId: UserId,
  entries: readonly ActivityEntry[],
  now: EpochSeconds,
  texts: ActivityTexts,
) => Promise<readonly OwnActivity[]>;

export function createActivityDescriber(deps: Omit<OwnActivityDeps, keyof ActivityTexts>): DescribeActivity {
  return (userId, entries, now, texts) => describeAll(userId, entries, now, { ...deps, ...texts });
}

/**
 * For each entry, reads its event, its consent, and a bounded number of later events about the same session or grant.
 * All of them concern only this user.
 */
async function describeAll(
  userId: UserId,
  entries: readonly ActivityEntry[],
  now: EpochSeconds,
  deps: OwnActivityDeps,
): Promise<readonly OwnActivity[]> {
  const activities: OwnActivity[] = [];
  // A grant provides no access before its code is redeemed.
  const usableGrants = deps.grants.listByUser(userId, now);
  const clientsWithAccess = new Map(usableGrants.map(({ grantId, clientId }) => [grantId, clientId]));
  for (const { position, kind, consentAt } of entries) {
    const event = await readEventAt(position, deps.log);
    if (event === undefined) continue;
    const consent = consentAt === undefined ? undefined : await readEventAt(consentAt, deps.log);
    const grant = BEGINNING_TYPES.includes(event.type) ? event : consent;
    const details = [
      ...(event.type === 'SessionStarted' ? await sessionAftermath(event, now, deps) : []),
      ...(grant === undefined ? [] : await grantAftermath(grant, now, deps)),
    ];
    const at = recordedSecond(event);
    const sentence = describe(userId, event, consent, deps);
    const grantIdOfEvent = grant === undefined ? null : (grant.stream.slice('grant-'.length) as GrantId);
    const clientId = grantIdOfEvent === null ? null : (clientsWithAccess.get(grantIdOfEvent) ?? null);
    const grantId = grant?.type === 'ConsentGiven' ? grantIdOfEvent : null;
    activities.push({ position, at, kind, sentence, details, clientId, grantId });
  }
  return activities;
}

/** The types of the events that give an application access to an account. */
const BEGINNING_TYPES: readonly string[] = [
  'ConsentGiven',
  'AssertionRedeemed',
  'TokenExchanged',
] satisfies EventType[];

/**
 * Returns the value that selects the wording for the actor. Other users are not named, because only administrators can
 * change another user's account.
 */
function toActingParty(
  { kind, id }: { readonly kind: Actor['kind']; readonly id?: string },
  userId: UserId,
): ActingParty {
  switch (kind) {
    case 'user':
      return id === userId ? 'you' : 'administrator';
    case 'operator':
      return 'operator';
    case 'client':
      return 'application';
    case 'server':
      return 'server';
  }
}

type ActingParty = 'you' | 'administrator' | 'operator' | 'application' | 'server';

/** The values that messages need in addition to the data of their event. */
interface MessageContext {
  readonly event: RecordedEvent;
  readonly actor: ActingParty;
  /** The consent that belongs to a login. */
  readonly consent: RecordedEvent | undefined;
  /** Returns the name of the application, or its id if it was removed. */
  readonly application: (clientId: ClientId) => string;
  /** Returns the name of the group, even after it was removed. */
  readonly group: (groupId: GroupId) => string;
  readonly unseal: (sealed: string) => SealedData | undefined;
}

type Sentences = {
  readonly [Type in EventType]?: (data: EventOf<Type>['data'], context: MessageContext) => Message;
};

const SENTENCES: Sentences = {
  SessionStarted({ authentication, sealed }, { consent, application, unseal }) {
    const browser = sealed === undefined ? undefined : unseal(sealed)?.browser;
    return message('activity.logged-in', {
      place: consent === undefined ? 'none' : 'application',
      application: consent === undefined ? '' : application(clientIdOfConsent(consent)),
      method: authentication === undefined ? 'none' : 'known',
      how: authentication === undefined ? '' : loginMethod(authentication),
      program: browser === undefined ? 'none' : 'known',
      browser: browser ?? '',
    });
  },
  ConsentGiven: ({ basis, scope, clientId }, { application }) =>
    message(consentKey(basis, scope.includes('openid')), { application: application(clientId) }),
  AssertionRedeemed: ({ clientId, issuer }, { application }) => describeAssertedAccess(application(clientId), issuer),
  TokenExchanged: ({ clientId, parent }, { application }) =>
    describeAssertedAccess(application(clientId), 'issuer' in parent ? parent.issuer : ''),
  ClientRegistered: ({ clientId, selfRegistered }, { application }) =>
    message(selfRegistered === undefined ? 'activity.app-registered' : 'activity.app-first-authorized', {
      application: application(clientId),
    }),
  ClientUpdated: (_data, context) => message('activity.app-changed', applicationOfStream(context)),
  ClientSecretRotated: (_data, context) => message('activity.app-secret-rotated', applicationOfStream(context)),
  ClientRemoved: () => message('activity.app-deleted'),
  ClientDisabled: (_data, context) => message('activity.app-disabled', applicationOfStream(context)),
  ClientEnabled: (_data, context) => message('activity.app-enabled', applicationOfStream(context)),
  ClientMemberAdded: ({ role }, context) =>
    message(context.actor === 'you' ? 'activity.member-became' : 'activity.member-made', {
      role: roleValue(role),
      ...applicationOfStream(context),
    }),
  ClientMemberRemoved: ({ role }, context) =>
    message('activity.member-no-longer', { role: roleValue(role), ...applicationOfStream(context) }),
  UserRegistered: (_data, { actor }) =>
    actor === 'server' ? message('activity.account-created-self') : message('activity.account-created', { actor }),
  UserProfileChanged: (_data, { actor }) => message('activity.profile-changed', { actor }),
  EmailVerified: () => message('activity.email-verified'),
  PasswordChanged: (_data, { actor }) => message('activity.password-changed', { actor }),
  UserDisabled: (_data, { actor }) => message('activity.account-disabled', { actor }),
  UserEnabled: (_data, { actor }) => message('activity.account-enabled', { actor }),
  UserRolesChanged: ({ roles }, { actor }) => message('activity.roles-changed', { actor, roles: rolesText(roles) }),
  AllSessionsEnded: (_data, { actor }) =>
    actor === 'you'
      ? message('activity.logged-out-everywhere-self')
      : message('activity.logged-out-everywhere', { actor }),
  PasskeyAdded({ sealed }, { actor, unseal }) {
    const name = unseal(sealed)?.passkey?.name;
    return name === undefined
      ? message('activity.passkey-added', { actor })
      : message('activity.passkey-named-added', { actor, name });
  },
  PasskeyRemoved: (_data, { actor }) => message('activity.passkey-removed', { actor }),
  TotpAdded: (_data, { actor }) => message('activity.app-added', { actor }),
  TotpRemoved: (_data, { actor }) => message('activity.app-removed', { actor }),
  RecoveryCodesGenerated: (_data, { actor }) => message('activity.recovery-codes', { actor }),
  SecondFactorsRemoved: (_data, { actor }) => message('activity.two-step-off', { actor }),
  GroupMemberAdded: ({ groupId }, { actor, group }) =>
    message('activity.group-added', { actor, group: group(groupId) }),
  GroupMemberRemoved: ({ groupId }, { actor, group }) =>
    message('activity.group-removed', { actor, group: group(groupId) }),
  UpstreamAccountLinked: ({ providerId: provider, basis }, { actor }) =>
    basis === 'asked'
      ? message('activity.linked', { actor, provider })
      : message('activity.linked-at-login', { provider }),
  UpstreamAccountUnlinked: ({ providerId: provider }, { actor }) => message('activity.unlinked', { actor, provider }),
};

function describe(
  userId: UserId,
  event: RecordedEvent,
  consent: RecordedEvent | undefined,
  { clients, groups, unseal }: OwnActivityDeps,
): Message {
  const { type, data } = decodeEvent(event);
  const context: MessageContext = {
    event,
    actor: toActingParty(event.actor, userId),
    consent,
    application: (clientId) => clients.find(clientId)?.name ?? clientId,
    group: (groupId) => groups.nameOf(groupId) ?? groupId,
    unseal: (sealed) => unseal(userId, sealed),
  };
  const write = SENTENCES[type] as ((data: unknown, context: MessageContext) => Message) | undefined;
  return write === undefined ? message('activity.other', { type: describeType(type) }) : write(data, context);
}

/** Returns the `application` value of a message: the name of the client whose stream contains the event. */
function applicationOfStream({ event, application }: MessageContext): { readonly application: string } {
  return { application: application(clientIdOf(event)) };
}

/** Returns the value that selects the wording for a role. */
function roleValue(role: 'owner' | 'test-user'): string {
  return role === 'owner' ? 'owner' : 'tester';
}

function consentKey(basis: EventOf<'ConsentGiven'>['data']['basis'], isLogin: boolean): MessageKey {
  switch (basis) {
    case 'asked':
      return 'activity.access-given';
    case 'remembered':
      return isLogin ? 'activity.logged-in-to' : 'activity.access-again';
    case 'skipped':
      return isLogin ? 'activity.logged-in-to-trusted' : 'activity.access-trusted';
    case 'password':
      return 'activity.access-with-password';
    case 'device':
      return 'activity.access-given-on-device';
  }
}

/** Describes access that began with a JWT from another issuer, without asking the user. */
function describeAssertedAccess(application: string, issuer: string): Message {
  return message('activity.access-with-token', { application, issuer });
}

function clientIdOfConsent(consent: RecordedEvent): ClientId {
  return (decodeEvent(consent).data as { readonly clientId: ClientId }).clientId;
}

/** Returns the id of the client whose stream contains the event. */
function clientIdOf({ stream }: RecordedEvent): ClientId {
  return stream.slice('client-'.length) as ClientId;
}
