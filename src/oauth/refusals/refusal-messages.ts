import { AUTHORIZATION_MESSAGES, CONSENT_MESSAGES } from './messages/authorization.ts';
import { CLIENT_MESSAGES } from './messages/clients.ts';
import { CREDENTIAL_MESSAGES } from './messages/credentials.ts';
import { POLICY_MESSAGES } from './messages/policies.ts';
import { OTHER_REQUEST_MESSAGES, PARAMETER_MESSAGES, REQUEST_MESSAGES } from './messages/requests.ts';
import { SCOPE_MESSAGES } from './messages/scopes.ts';
import { TOKEN_MESSAGES } from './messages/tokens.ts';
import type { Messages, MessagesFor, ProtocolMessages, ProtocolMessagesFor, WireError } from './messages.ts';
import type { Refusal, RefusalOf, RefusalRule } from './refusal.ts';

const PROTOCOL_MESSAGES = {
  ...REQUEST_MESSAGES,
  ...PARAMETER_MESSAGES,
  ...CLIENT_MESSAGES,
  ...AUTHORIZATION_MESSAGES,
  ...SCOPE_MESSAGES,
  ...CREDENTIAL_MESSAGES,
  ...TOKEN_MESSAGES,
};

/** A refusal that is answered with an OAuth error. */
export type ProtocolRefusal = RefusalOf<keyof typeof PROTOCOL_MESSAGES>;

const MESSAGES: MessagesFor<RefusalRule> = {
  ...PROTOCOL_MESSAGES,
  ...CONSENT_MESSAGES,
  ...POLICY_MESSAGES,
  ...OTHER_REQUEST_MESSAGES,
};

/** Every rule that a refusal can name. */
export const REFUSAL_RULES = Object.keys(MESSAGES) as readonly RefusalRule[];

/** What the refusal means, for the owner of the application and the operator. */
export function explain(refusal: Refusal): Messages {
  // The type of the table ties each rule to its refusal.
  const write = MESSAGES[refusal.rule] as (refusal: Refusal) => Messages;
  const { rule, expected, seen, advice } = write(refusal);
  return { rule, expected, seen, advice };
}

/** The OAuth error in the response. */
export function wireError(refusal: ProtocolRefusal): WireError {
  const table: ProtocolMessagesFor<ProtocolRefusal['rule']> = PROTOCOL_MESSAGES;
  const write = table[refusal.rule] as (refusal: ProtocolRefusal) => ProtocolMessages;
  return write(refusal).wire;
}
