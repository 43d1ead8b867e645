import type { Refusal, RefusalRule } from './refusal.ts';
import { CLIENT_WORDS } from './words-of-clients.ts';
import { CREDENTIAL_WORDS } from './words-of-credentials.ts';
import { POLICY_WORDS } from './words-of-policies.ts';
import { REQUEST_WORDS } from './words-of-requests.ts';
import type { Words, WordsFor } from './words.ts';

const WORDS: WordsFor<RefusalRule> = { ...REQUEST_WORDS, ...CLIENT_WORDS, ...CREDENTIAL_WORDS, ...POLICY_WORDS };

/** Every rule there is. */
export const REFUSAL_RULES = Object.keys(WORDS) as readonly RefusalRule[];

/** What the refusal says to the owner of the application: the rule, what was expected, what was seen, what to do. */
export function describe(refusal: Refusal): Words {
  const say = WORDS[refusal.rule] as (refusal: Refusal) => Words; // the table's type ties each rule to its own refusal
  return say(refusal);
}
