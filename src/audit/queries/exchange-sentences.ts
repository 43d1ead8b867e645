import type { EventOf } from '../../domain/events.ts';
import type { ClientId } from '../../domain/values.ts';
import { say, scopeText, type SentencePart } from './sentence-parts.ts';

/** The policy for the exchanges of one application with the tokens of another one was set or removed. */
export function exchangePolicyChange(
  data: EventOf<'ExchangePolicySet' | 'ExchangePolicyRemoved'>['data'],
  actor: SentencePart,
  application: (clientId: ClientId) => SentencePart,
): readonly SentencePart[] {
  const [client, subject] = [application(data.clientId), application(data.subjectClientId)];
  if (!('settings' in data))
    return say`${actor} removed the policy with which ${client} could exchange tokens of ${subject}`;
  const { modes, scope, resources } = data.settings;
  return [
    ...say`${actor} allowed ${client} to exchange tokens of ${subject}, by ${modes.join(' or ')}`,
    ...(scope === null ? [] : say`, for ${scopeText(scope)}`),
    ...(resources === null ? [] : say`, at ${resources.join(', ')}`),
  ];
}
