import type { Refusal, RefusalRule } from './refusal.ts';
import { CLIENT_MESSAGES } from './messages/clients.ts';
import { CREDENTIAL_MESSAGES } from './messages/credentials.ts';
import { POLICY_MESSAGES } from './messages/policies.ts';
import { REQUEST_MESSAGES } from './messages/requests.ts';
import type { Messages, MessagesFor } from './messages.ts';

const MESSAGES: MessagesFor<RefusalRule> = {
  ...REQUEST_MESSAGES,
  ...CLIENT_MESSAGES,
  ...CREDENTIAL_MESSAGES,
  ...POLICY_MESSAGES,
};

/** Every rule there is. */
export const REFUSAL_RULES = Object.keys(MESSAGES) as readonly RefusalRule[];

/** What the refusal says to the owner of the application: the rule, what was expected, what was seen, what to do. */
export function explain(refusal: Refusal): Messages {
  const say = MESSAGES[refusal.rule] as (refusal: Refusal) => Messages; // the table's type ties each rule to its own refusal
  return say(refusal);
}
