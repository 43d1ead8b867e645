import type { EventOf, Login, RevocationReason } from '../../domain/events.ts';
import { loginMethod } from '../../domain/login.ts';
import type { ClientId } from '../../domain/values.ts';
import { message, type Message } from '../../language/message.ts';
import {
  applicationParty,
  optionalValues,
  partyValues,
  scopeText,
  userParty,
  type Names,
  type Party,
} from './sentence-parts.ts';

/**
 * Returns a message saying that a user consented: the granted scope, the login of the user, and the requested scopes
 * that were not granted.
 */
export function describeConsent(
  { basis, userId, clientId, scope, details = [], login, requested }: EventOf<'ConsentGiven'>['data'],
  names: Names,
): Message {
  const withheldScope = requested?.scope.filter((name) => !scope.includes(name)) ?? [];
  return message('sentence.consent', {
    ...partyValues({ user: userParty(userId, names), client: applicationParty(clientId, names) }),
    basis,
    scope: scopeText(scope),
    login: basis === 'password' ? 'none' : loginValue(login),
    isSigned: requested?.requestObjectHash === undefined ? 'no' : 'yes',
    ...optionalValues({
      details: formatTypes(details),
      withheld: withheldScope.length === 0 ? undefined : scopeText(withheldScope),
    }),
  });
}

/** Lists only the types of authorization details, because their contents are encrypted. */
function formatTypes(details: readonly { readonly type: string }[] = []): string | undefined {
  return details.length === 0 ? undefined : [...new Set(details.map(({ type }) => type))].join(', ');
}

/** Returns the value that selects the wording about the login. */
function loginValue(login: Login | undefined): string {
  if (login === undefined) return 'unknown';
  const method = loginMethod(login);
  return method === 'second-factor' ? 'second' : method; // a choice of a message cannot contain a hyphen
}

/** Returns a message saying that a client exchanged a token: the subject token, the new scope, and the actor. */
export function describeExchange(
  { clientId, userId, mode, scope, details, parent, root, actor }: EventOf<'TokenExchanged'>['data'],
  names: Names,
): Message {
  const application = (id: ClientId): Party => applicationParty(id, names);
  const isFromIssuer = 'issuer' in parent;
  return message('sentence.exchange', {
    ...partyValues({
      client: application(clientId),
      parent: isFromIssuer ? application(clientId) : application(parent.clientId),
      subject: userId === null ? application(root.clientId) : userParty(userId, names),
      actor: actor === undefined ? userParty(null, names) : actingParty(actor, names),
    }),
    from: isFromIssuer ? 'issuer' : parent.clientId === clientId ? 'own' : 'other',
    issuer: isFromIssuer ? parent.issuer : '',
    scope: scopeText(scope),
    isDelegated: mode === 'delegation' && actor !== undefined ? 'yes' : 'no',
    ...optionalValues({
      details: formatTypes(details),
      actorIssuer: actor !== undefined && 'issuer' in actor ? actor.issuer : undefined,
    }),
  });
}

function actingParty(
  { clientId, userId }: Pick<NonNullable<EventOf<'TokenExchanged'>['data']['actor']>, 'clientId' | 'userId'>,
  names: Names,
): Party {
  return userId === null ? applicationParty(clientId, names) : userParty(userId, names);
}

const REVOCATIONS = {
  'code-replayed': 'sentence.code-replayed',
  'device-code-replayed': 'sentence.device-code-replayed',
  'refresh-token-reused': 'sentence.refresh-token-reused',
  'revoked-by-client': 'sentence.given-up',
  'revoked-by-resource-owner': 'sentence.revoked-by-user',
  'revoked-by-operator': 'sentence.revoked-by-operator',
  updated: 'sentence.updated',
} as const satisfies Record<RevocationReason, string>;

/** Returns a message saying that access ended, and why. */
export function describeRevocation(
  reason: RevocationReason,
  parties: Readonly<Record<'actor' | 'client' | 'user', Party>>,
) {
  return message(REVOCATIONS[reason], partyValues(parties));
}
