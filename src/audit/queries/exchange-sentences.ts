import type { EventOf } from '../../domain/events.ts';
import type { ClientId } from '../../domain/values.ts';
import { message, type Message } from '../../language/message.ts';
import { optionalValues, partyValues, scopeText, type Party } from './sentence-parts.ts';

/**
 * Returns a message saying that the policy for one application to exchange the tokens of another was set or removed.
 */
export function describeExchangePolicyChange(
  data: EventOf<'ExchangePolicySet' | 'ExchangePolicyRemoved'>['data'],
  actor: Party,
  application: (clientId: ClientId) => Party,
): Message {
  const values = partyValues({
    actor,
    client: application(data.clientId),
    subject: application(data.subjectClientId),
  });
  if (!('settings' in data)) return message('sentence.exchange-policy-removed', values);
  const { modes, scope, resources } = data.settings;
  return message('sentence.exchange-allowed', {
    ...values,
    modes: modes.length === 1 ? modes.join('') : 'both',
    ...optionalValues({ scope: scope === null ? undefined : scopeText(scope), resources: resources?.join(', ') }),
  });
}
