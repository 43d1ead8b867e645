import type { ExchangeRefusal } from './exchange-refusal.ts';
import { formatList } from './messages.ts';
import type { RefusalOf } from './refusal.ts';

/** One line for each refusal of an exchange (RFC 8693). */
export const EXCHANGE_HEADLINES: {
  readonly [Rule in ExchangeRefusal['rule']]: string | ((refusal: RefusalOf<Rule>) => string);
} = {
  'exchange-policy-missing': 'No policy for exchanging this token',
  'exchange-mode-not-allowed': ({ mode }) => `The exchange policy does not allow ${mode}`,
  'exchange-token-type': ({ parameter }) => `The ${parameter} has another type`,
  'exchange-id-token': ({ parameter }) => `The ID token in ${parameter} cannot be exchanged`,
  'exchange-may-act': 'The subject token lets somebody else act',
  'exchange-chain-ended': 'A grant above the exchanged token has ended',
  'exchange-type-alone': 'actor_token_type without actor_token',
  'exchange-format': 'The exchanged token would not be a JWT',
  'exchange-actor-of-another-client': 'The actor token of another application',
  'exchange-actor-exchanged': 'The actor token was exchanged itself',
  'exchange-actor-is-subject': 'The actor is the subject',
  'exchange-actor-repeated': 'The actor acts in the chain already',
  'exchange-client-repeated': 'The application exchanges twice in a chain',
  'exchange-chain-too-deep': 'Too many exchanges in a chain',
  'exchange-not-bound': 'A bound token would become a bearer token',
  'exchange-second-factor': 'The user logged in without a second factor',
  'exchange-too-many': 'Too many exchanges of one authorization',
  'exchange-token-ended': ({ parameter }) => `The ${parameter} is not valid any more`,
  'exchange-resource-removed': ({ parameter }) => `The resource server of the ${parameter} was removed`,
  'exchange-scope-beyond': ({ missing }) => `More scope than can be exchanged: ${formatList(missing.slice(0, 3))}`,
  'exchange-resource-beyond': 'A resource server that cannot be exchanged for',
  'exchange-details-beyond': ({ limit }) => `More than the details of the ${limit} token`,
  'exchange-no-details-left': 'No authorization detail is left for the exchanged token',
  'exchange-no-scope-left': 'No scope is left for the exchanged token',
  'exchange-no-resource-left': 'No resource server is left for the exchanged token',
};
