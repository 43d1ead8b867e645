import type { EventOf, Login, RevocationReason } from '../../domain/events.ts';
import { loginMethod, type LoginMethod } from '../../domain/login.ts';
import type { Party } from '../../domain/token-exchange.ts';
import { unreachable, type ClientId } from '../../domain/values.ts';
import { applicationPart, say, scopeText, userPart, type Names, type SentencePart } from './sentence-parts.ts';

type Consent = EventOf<'ConsentGiven'>['data'];

/** The sentence about a consent: the granted scope, the login of the user, and the requests that were not granted. */
export function consent(data: Consent, names: Names): readonly SentencePart[] {
  const { basis, scope, details = [], login, requested } = data;
  const withheld = requested?.scope.filter((name) => !scope.includes(name)) ?? [];
  return [
    ...grantedByConsent(data, names),
    ...withDetails(details),
    ...(basis === 'password' ? [] : say`, in a session ${describeLogin(login)}`),
    ...(requested?.requestObjectHash === undefined ? [] : say`, by a request that the client signed`),
    ...(withheld.length === 0 ? [] : say`; requested but not granted: ${scopeText(withheld)}`),
  ];
}

/** The types of authorization details. Their texts are encrypted. */
function withDetails(details: readonly { readonly type: string }[] = []): readonly SentencePart[] {
  if (details.length === 0) return [];
  return say`, with details of ${[...new Set(details.map(({ type }) => type))].join(', ')}`;
}

function describeLogin(login: Login | undefined): string {
  if (login === undefined) return 'whose login is not recorded';
  return STARTED[loginMethod(login)];
}

const STARTED: Readonly<Record<LoginMethod, string>> = {
  password: 'started with the password',
  'second-factor': 'started with the password and a second factor',
  passkey: 'started with a passkey',
  provider: 'started through a provider',
};

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
    case 'device':
      return say`${user} authorized ${client} on a device for ${what}`;
    default:
      return unreachable(basis);
  }
}

/** Whose token was exchanged, for what, and who acts. */
export function exchange(
  { clientId, userId, mode, scope, details, parent, root, actor }: EventOf<'TokenExchanged'>['data'],
  names: Names,
): readonly SentencePart[] {
  const application = (id: ClientId): SentencePart => applicationPart(id, names);
  const ofApplication = (id: ClientId) => (id === clientId ? say` of its own` : say` of ${application(id)}`);
  const subject = userId === null ? application(root.clientId) : userPart(userId, names);
  return [
    ...say`${application(clientId)} exchanged a token`,
    ...('issuer' in parent ? say` of the issuer ${parent.issuer}` : ofApplication(parent.clientId)),
    ...say` for one for ${scopeText(scope)}`,
    ...withDetails(details),
    ...say`, on behalf of ${subject}`,
    ...(mode === 'delegation' && actor !== undefined ? say`, with ${actingParty(actor, names)} as the actor` : []),
    ...(actor !== undefined && 'issuer' in actor ? say`, by a token of the issuer ${actor.issuer}` : []),
  ];
}

function actingParty({ clientId, userId }: Party, names: Names): SentencePart {
  return userId === null ? applicationPart(clientId, names) : userPart(userId, names);
}

/** Why access ended. */
export function revocation(
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
    case 'device-code-replayed':
      return [...ended, ...say`: its device code was used a second time`];
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
    case 'updated':
      return [...ended, ...say`: an update took its place`];
    default:
      return unreachable(reason);
  }
}
