import type { EventOf } from '../../domain/events.ts';
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

/** Returns a message saying that another issuer became trusted with these settings, or is no longer trusted. */
export function describeTrustedIssuerChange(
  data: EventOf<'TrustedIssuerSet' | 'TrustedIssuerRemoved'>['data'],
  actor: Party,
  application: (clientId: ClientId) => Party,
): Message {
  const values = { ...partyValues({ actor }), issuer: data.issuer };
  if (!('settings' in data)) return message('sentence.issuer-removed', values);
  const { uses, clients, scope, resources } = data.settings;
  return message('sentence.issuer-trusted', {
    ...values,
    uses: uses.join(', '),
    clients: { names: clients.map(({ clientId }) => application(clientId).name) },
    scope: scopeText(scope),
    ...optionalValues({ resources: resources?.join(', ') }),
  });
}

/** Returns a message saying that a client got a token for an assertion from another issuer. */
export function describeAssertionRedemption(
  { clientId, userId, use, issuer, scope, resource }: EventOf<'AssertionRedeemed'>['data'],
  names: Names,
): Message {
  return message('sentence.assertion-redeemed', {
    ...partyValues({ client: applicationParty(clientId, names), user: userParty(userId, names) }),
    use: use === 'assertion' ? 'assertion' : 'identity',
    issuer,
    scope: scopeText(scope),
    ...optionalValues({ resources: resource?.join(', ') }),
  });
}
