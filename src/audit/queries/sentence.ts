import {
  decodeEvent,
  type Authentication,
  type EventOf,
  type Login,
  type RevocationReason,
  type Role,
} from '../../domain/events.ts';
import type { Scope } from '../../domain/scope.ts';
import { unreachable, type ClientId, type UserId } from '../../domain/values.ts';
import type { Actor, RecordedEvent } from '../../event-store/event-log.ts';
import { ERASED_USER } from './access-report.ts';
import type { Parties } from './parties.ts';

/** A part of a sentence. Names chosen by users are kept separate from fixed text. */
export interface SentencePart {
  readonly is: 'words' | 'person' | 'application';
  readonly text: string;
}

/** Current names; undefined for erased users and removed applications. */
export interface Names {
  readonly user: (userId: UserId) => string | undefined;
  readonly application: (clientId: ClientId) => string | undefined;
}

/** An event's type as text: "Access token issued". */
export function describeType(type: string): string {
  return type.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

export function actorPart(actor: Actor, names: Names): SentencePart {
  switch (actor.kind) {
    case 'user':
      return userPart(actor.id as UserId, names);
    case 'client':
      return applicationPart(actor.id as ClientId, names);
    case 'operator':
      return { is: 'words', text: 'The operator' };
    case 'server':
      return { is: 'words', text: 'The server' };
    default:
      return unreachable(actor);
  }
}

/** What happened, as one sentence without a full stop. `parties` are those of the event's stream. */
export function sentence(recorded: RecordedEvent, parties: Parties, names: Names): readonly SentencePart[] {
  const { type, data } = decodeEvent(recorded);
  const actor = actorPart(recorded.actor, names);
  const client = applicationPart(parties.clientId, names);
  const owner = userPart(parties.userId, names);
  const user = (userId: UserId | null): SentencePart => userPart(userId, names);
  const application = (clientId: ClientId): SentencePart => applicationPart(clientId, names);
  const their = (what: string, userId: UserId): readonly SentencePart[] =>
    possession(what, userId, recorded.actor, names);
  switch (type) {
    case 'ConsentGiven':
      return consent(data, names);
    case 'AuthorizationCodeIssued':
      return [...issue('an authorization code', data, names), ...say`, authorized by ${user(data.userId)}`];
    case 'AuthorizationCodeRedeemed':
      return say`${client} redeemed the authorization code from ${owner}`;
    case 'AccessTokenIssued':
      return [...issue('an access token', data, names), ...onBehalfOf(data.userId, names)];
    case 'RefreshTokenIssued':
      return [...issue('a refresh token', data, names), ...onBehalfOf(data.userId, names)];
    case 'RefreshTokenRotated':
      return say`${client} refreshed its tokens for ${scopeText(data.scope)}, acting for ${owner}`;
    case 'GrantSummarized':
      return say`The authorization of ${client} by ${owner} was summarized; nothing changed`;
    case 'GrantRevoked':
      return revocation(data.reason, actor, client, parties.userId === null ? undefined : owner);
    case 'ClientRegistered':
      return data.ownerId === null || isBy(recorded.actor, data.ownerId)
        ? say`${actor} registered the application ${application(data.clientId)}`
        : say`${actor} registered the application ${application(data.clientId)} for ${user(data.ownerId)}`;
    case 'ClientUpdated':
      return say`${actor} changed the settings of ${client}`;
    case 'ClientSecretRotated':
      return data.previousUntil === null
        ? say`${actor} rotated the secret of ${client}; the old one expired immediately`
        : say`${actor} rotated the secret of ${client}; the old one stayed valid for a while`;
    case 'ClientSecretRehashed':
      return say`${actor} upgraded the hash of the secret of ${client}; it is still the same secret`;
    case 'ClientRemoved':
      return say`${actor} removed the application ${client}`;
    case 'UserRegistered':
      return registration(data, isBy(recorded.actor, data.userId), actor, user(data.userId));
    case 'UserProfileChanged':
      return say`${actor} changed ${their('profile', data.userId)}`;
    case 'PasswordChanged':
      return say`${actor} changed ${their('password', data.userId)}`;
    case 'PasswordRehashed':
      return say`${actor} upgraded the hash of ${their('password', data.userId)}; it is still the same password`;
    case 'UserDisabled':
      return say`${actor} disabled ${their('account', data.userId)}`;
    case 'UserEnabled':
      return say`${actor} enabled ${their('account', data.userId)}`;
    case 'UserErased':
      return say`${actor} erased ${their('account', data.userId)}`;
    case 'UserRolesChanged':
      return say`${actor} changed ${their('roles', data.userId)} to: ${rolesText(data.roles)}`;
    case 'AllSessionsEnded':
      return say`${actor} ended all sessions of ${their('account', data.userId)}`;
    case 'PasskeyAdded':
      return say`${actor} added a passkey to ${their('account', data.userId)}`;
    case 'PasskeyRemoved':
      return say`${actor} removed a passkey from ${their('account', data.userId)}`;
    case 'SessionStarted':
      return data.authentication === undefined
        ? say`${user(data.userId)} logged in`
        : say`${user(data.userId)} logged in ${describeMethod(data.authentication)}`;
    case 'SessionEnded':
      return say`${user(data.userId)} logged out`;
    case 'GroupCreated':
      return say`${actor} created the group ${data.name}`;
    case 'SigningKeyIntroduced':
      return introduction(data, actor);
    case 'SigningKeyRetired':
      return data.reason === 'expired'
        ? say`${actor} retired the signing key ${data.kid}; every token that it signed has expired`
        : say`${actor} retired the signing key ${data.kid}; no token that it signed is valid any more`;
    case 'ClockSetBack':
      return say`${actor} confirmed that the clock had been ahead; everything issued then is invalid`;
    default:
      return unreachable(type);
  }
}

function issue(
  what: string,
  { clientId, scope }: { readonly clientId: ClientId; readonly scope: Scope },
  names: Names,
): readonly SentencePart[] {
  return say`${applicationPart(clientId, names)} was issued ${what} for ${scopeText(scope)}`;
}

function onBehalfOf(userId: UserId | null, names: Names): readonly SentencePart[] {
  return userId === null ? say`, acting on its own behalf` : say`, acting for ${userPart(userId, names)}`;
}

/** Completes "logged in …". */
export function describeMethod({ method }: Authentication): string {
  switch (method) {
    case 'password':
      return 'with the password';
    case 'passkey':
      return 'with a passkey';
    case 'sign-up':
      return 'by signing up';
    case 'set-up-link':
      return 'with the set-up link';
    default:
      return unreachable(method);
  }
}

type Consent = EventOf<'ConsentGiven'>['data'];

function consent(data: Consent, names: Names): readonly SentencePart[] {
  const { basis, scope, login, requested } = data;
  const withheld = requested?.scope.filter((name) => !scope.includes(name)) ?? [];
  return [
    ...grantedByConsent(data, names),
    ...(basis === 'password' ? [] : say`, in a session ${describeLogin(login)}`),
    ...(withheld.length === 0 ? [] : say`; requested but not granted: ${scopeText(withheld)}`),
  ];
}

function describeLogin(login: Login | undefined): string {
  if (login === undefined) return 'whose login is not recorded';
  return login.amr.includes('pwd') ? 'started with the password' : 'started with a passkey';
}

function grantedByConsent({ basis, userId, clientId, scope }: Consent, names: Names): readonly SentencePart[] {
  const [user, client, what] = [userPart(userId, names), applicationPart(clientId, names), scopeText(scope)];
  switch (basis) {
    case 'asked':
      return say`${user} authorized ${client} for ${what}`;
    case 'remembered':
      return say`${client} was granted ${what} for ${user} again, as authorized before`;
    case 'skipped':
      return say`${client} was granted ${what} for ${user}; this client needs no consent`;
    case 'password':
      return say`${client} was granted ${what} with the password of ${user}`;
    default:
      return unreachable(basis);
  }
}

function revocation(
  reason: RevocationReason,
  actor: SentencePart,
  client: SentencePart,
  owner: SentencePart | undefined,
): readonly SentencePart[] {
  const ended =
    owner === undefined ? say`${client} lost access` : say`${client} lost access to the account of ${owner}`;
  switch (reason) {
    case 'code-replayed':
      return [...ended, ...say`: its authorization code was used a second time`];
    case 'refresh-token-reused':
      return [...ended, ...say`: a spent refresh token was used again`];
    case 'revoked-by-client':
      return owner === undefined
        ? say`${client} gave up its access`
        : say`${client} gave up its access to the account of ${owner}`;
    case 'revoked-by-resource-owner':
      return owner === undefined ? ended : say`${owner} revoked the access of ${client}`;
    case 'revoked-by-operator':
      return [...ended, ...say`: ${actor} revoked it`];
    default:
      return unreachable(reason);
  }
}

function registration(
  { roles }: EventOf<'UserRegistered'>['data'],
  isOwn: boolean,
  actor: SentencePart,
  user: SentencePart,
): readonly SentencePart[] {
  const created = isOwn ? say`${user} signed up` : say`${actor} created the account of ${user}`;
  return roles.length === 0 ? created : [...created, ...say`, roles: ${rolesText(roles)}`];
}

function introduction(
  { kid, algorithm, reason }: EventOf<'SigningKeyIntroduced'>['data'],
  actor: SentencePart,
): readonly SentencePart[] {
  const introduced = say`${actor} introduced the signing key ${kid} for ${algorithm}`;
  switch (reason) {
    case 'first':
      return introduced;
    case 'scheduled':
      return [...introduced, ...say`, as scheduled`];
    case 'requested':
      return [...introduced, ...say`, by command`];
    case 'lost':
      return [...introduced, ...say`; the private half of the key before is missing or damaged`];
    default:
      return unreachable(reason);
  }
}

/** "Ada changed their own password" instead of repeating the name. */
function possession(what: string, userId: UserId, actor: Actor, names: Names): readonly SentencePart[] {
  return isBy(actor, userId) ? say`their own ${what}` : say`the ${what} of ${userPart(userId, names)}`;
}

function isBy(actor: Actor, userId: UserId): boolean {
  return actor.kind === 'user' && actor.id === userId;
}

function userPart(userId: UserId | null, names: Names): SentencePart {
  return userId === null ? { is: 'words', text: 'nobody' } : { is: 'person', text: names.user(userId) || ERASED_USER };
}

/** A removed application is named by its id. */
function applicationPart(clientId: ClientId | null, names: Names): SentencePart {
  return clientId === null
    ? { is: 'words', text: 'an application' }
    : { is: 'application', text: names.application(clientId) ?? clientId };
}

function scopeText(scope: Scope): string {
  return scope.length === 0 ? 'no scope' : scope.join(', ');
}

function rolesText(roles: readonly Role[]): string {
  return roles.length === 0 ? 'none' : roles.join(', ');
}

function say(
  words: TemplateStringsArray,
  ...parts: readonly (SentencePart | readonly SentencePart[] | string)[]
): readonly SentencePart[] {
  const pieces = words.flatMap((text, index): readonly SentencePart[] => {
    const part = parts[index] ?? [];
    return [
      { is: 'words', text },
      ...(typeof part === 'string' ? [{ is: 'words', text: part } as const] : [part].flat()),
    ];
  });
  return pieces.filter(({ text }) => text !== '');
}
