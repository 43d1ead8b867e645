import { decodeEvent, type EventOf } from '../../domain/events.ts';
import type { ProviderSettings } from '../../domain/provider-settings.ts';
import type { RecordedEvent } from '../../event-store/event-log.ts';
import { message, type Message } from '../../language/message.ts';
import { partyValues, type Party } from './sentence-parts.ts';

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
