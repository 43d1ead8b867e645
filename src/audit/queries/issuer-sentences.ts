import { decodeEvent, type EventOf } from '../../domain/events.ts';
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
import type { ProviderSettings } from '../../domain/provider-settings.ts';
import type { RecordedEvent } from '../../event-store/event-log.ts';

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

/**
 * Returns a message saying that a provider was set up, enabled, disabled, otherwise changed, or removed.
 * @param previous the previous event about the provider, or undefined if this is the first one
 */
export function describeProviderChange(
  data: EventOf<'UpstreamProviderSet' | 'UpstreamProviderRemoved'>['data'],
  previous: RecordedEvent | undefined,
  actor: Party,
): Message {
  const values = { ...partyValues({ actor }), provider: data.providerId };
  if (!('settings' in data)) return message('sentence.provider-removed', values);
  const { issuer, required, linking, createsUsers, disabled } = data.settings;
  return message('sentence.provider-set', {
    ...values,
    act: classifyChange(data.settings, previous),
    issuer,
    isLinking: linking === 'explicit' ? 'no' : 'yes',
    createsUsers: createsUsers ? 'yes' : 'no',
    isRequired: required ? 'yes' : 'no',
    isDisabled: disabled === true ? 'yes' : 'no',
  });
}

function classifyChange(
  { disabled }: ProviderSettings,
  previous: RecordedEvent | undefined,
): 'new' | 'enabled' | 'disabled' | 'other' {
  const previousEvent = previous && decodeEvent(previous);
  if (previousEvent?.type !== 'UpstreamProviderSet') return 'new';
  if (disabled === previousEvent.data.settings.disabled) return 'other';
  return disabled === true ? 'disabled' : 'enabled';
}

/** Returns a message saying that an account at a provider was linked to a user. */
export function describeAccountLink(
  { providerId, basis }: EventOf<'UpstreamAccountLinked'>['data'],
  actor: Party,
  user: Party,
): Message {
  return message('sentence.linked', {
    ...partyValues({ actor, user }),
    provider: providerId,
    basis: basis === 'verified-email' ? 'email' : basis,
  });
}
