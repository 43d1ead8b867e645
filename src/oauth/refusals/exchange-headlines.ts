import type { MessageKey } from '../../language/catalog.ts';
import { message, type Message } from '../../language/message.ts';
import type { ExchangeRefusal } from './exchange-refusal.ts';
import { formatList } from './list-text.ts';
import { modeName } from './named-choices.ts';
import type { RefusalOf } from './refusal.ts';

/** The headlines for refused token exchanges (RFC 8693). */
export const EXCHANGE_HEADLINES: {
  readonly [Rule in ExchangeRefusal['rule']]: MessageKey | ((refusal: RefusalOf<Rule>) => Message);
} = {
  'exchange-policy-missing': 'headline.exchange-policy-missing',
  'exchange-mode-not-allowed': ({ mode }) => message('headline.exchange-mode-not-allowed', { mode: modeName(mode) }),
  'exchange-token-type': ({ parameter }) => message('headline.exchange-token-type', { parameter }),
  'exchange-id-token': ({ parameter }) => message('headline.exchange-id-token', { parameter }),
  'exchange-may-act': 'headline.exchange-may-act',
  'exchange-chain-ended': 'headline.exchange-chain-ended',
  'exchange-type-alone': 'headline.exchange-type-alone',
  'exchange-format': 'headline.exchange-format',
  'exchange-actor-of-another-client': 'headline.exchange-actor-of-another-client',
  'exchange-actor-exchanged': 'headline.exchange-actor-exchanged',
  'exchange-actor-is-subject': 'headline.exchange-actor-is-subject',
  'exchange-actor-repeated': 'headline.exchange-actor-repeated',
  'exchange-client-repeated': 'headline.exchange-client-repeated',
  'exchange-chain-too-deep': 'headline.exchange-chain-too-deep',
  'exchange-not-bound': 'headline.exchange-not-bound',
  'exchange-second-factor': 'headline.exchange-second-factor',
  'exchange-too-many': 'headline.exchange-too-many',
  'exchange-token-ended': ({ parameter }) => message('headline.exchange-token-ended', { parameter }),
  'exchange-resource-removed': ({ parameter }) => message('headline.exchange-resource-removed', { parameter }),
  'exchange-scope-beyond': ({ missing }) =>
    message('headline.exchange-scope-beyond', { scope: formatList(missing.slice(0, 3)) }),
  'exchange-resource-beyond': 'headline.exchange-resource-beyond',
  'exchange-details-beyond': ({ limit }) => message('headline.exchange-details-beyond', { limit }),
  'exchange-no-details-left': 'headline.exchange-no-details-left',
  'exchange-no-scope-left': 'headline.exchange-no-scope-left',
  'exchange-no-resource-left': 'headline.exchange-no-resource-left',
};
