import type { EventOf } from '../../domain/events.ts';
import { message, type Message } from '../../language/message.ts';
import { partyValues, type Party } from './sentence-parts.ts';

/** States that a provider was set up, changed or removed. */
export function providerChange(
  data: EventOf<'UpstreamProviderSet' | 'UpstreamProviderRemoved'>['data'],
  actor: Party,
): Message {
  const values = { ...partyValues({ actor }), provider: data.providerId };
  if (!('settings' in data)) return message('sentence.provider-removed', values);
  const { issuer, required, linking, createsUsers, disabled } = data.settings;
  return message('sentence.provider-set', {
    ...values,
    issuer,
    isLinking: linking === 'explicit' ? 'no' : 'yes',
    createsUsers: createsUsers ? 'yes' : 'no',
    isRequired: required ? 'yes' : 'no',
    isDisabled: disabled === true ? 'yes' : 'no',
  });
}

/** States that an account at a provider was linked to a user. */
export function link(
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
