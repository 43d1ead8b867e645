import type { MessageKey } from '../../language/catalog.ts';
import { message, type Message } from '../../language/message.ts';
import type { IssuerRefusal } from './issuer-refusal.ts';
import { useName } from './named-choices.ts';
import type { RefusalOf } from './refusal.ts';

type Headlines = {
  readonly [Rule in IssuerRefusal['rule']]: MessageKey | ((refusal: RefusalOf<Rule>) => Message);
};

const TIME_HEADLINES: Readonly<Record<RefusalOf<'issuer-time'>['problem'], MessageKey>> = {
  'no-expiry': 'headline.issuer-time.no-expiry',
  expired: 'headline.issuer-time.expired',
  'too-long': 'headline.issuer-time.too-long',
  'too-old': 'headline.issuer-time.too-old',
  'not-yet': 'headline.issuer-time.not-yet',
};

/** The headlines for refused JWTs from other issuers. */
export const ISSUER_HEADLINES: Headlines = {
  'issuer-token-malformed': ({ parameter }) => message('headline.issuer-token-malformed', { parameter }),
  'issuer-token-type': ({ parameter, seen }) => message('headline.issuer-token-type', { parameter, seen }),
  'issuer-untrusted': ({ seen }) => message('headline.issuer-untrusted', { seen }),
  'issuer-use': ({ use }) => message('headline.issuer-use', { use: useName(use) }),
  'issuer-client': 'headline.issuer-client',
  'issuer-algorithm': ({ parameter, seen }) => message('headline.issuer-algorithm', { parameter, seen }),
  'issuer-key-unknown': 'headline.issuer-key-unknown',
  'issuer-keys-unreadable': 'headline.issuer-keys-unreadable',
  'issuer-signature-wrong': ({ parameter }) => message('headline.issuer-signature-wrong', { parameter }),
  'issuer-audience': ({ parameter, seen }) => message('headline.issuer-audience', { parameter, seen }),
  'issuer-time': ({ parameter, problem }) => message(TIME_HEADLINES[problem], { parameter }),
  'issuer-claim': ({ name }) => message('headline.issuer-claim', { claim: name }),
  'issuer-subject': 'headline.issuer-subject',
  'issuer-act': ({ parameter }) => message('headline.issuer-act', { parameter }),
  'issuer-scope-beyond': 'headline.issuer-scope-beyond',
  'issuer-resource-beyond': 'headline.issuer-resource-beyond',
  'issuer-no-scope-left': 'headline.issuer-no-scope-left',
  'issuer-no-resource-left': 'headline.issuer-no-resource-left',
  'issuer-token-replayed': 'headline.issuer-token-replayed',
  'issuer-second-factor': 'headline.issuer-second-factor',
};
