import { AUTHORIZATION_MESSAGES, CONSENT_MESSAGES } from './messages/authorization.ts';
import { ASSERTION_MESSAGES } from './messages/assertions.ts';
import { CERTIFICATE_MESSAGES } from './messages/certificates.ts';
import { CLIENT_DOCUMENT_MESSAGES, CLIENT_DOMAIN_MESSAGES } from './messages/client-documents.ts';
import { CLIENT_MESSAGES } from './messages/clients.ts';
import { CREDENTIAL_MESSAGES } from './messages/credentials.ts';
import { DETAILS_MESSAGES } from './messages/details.ts';
import { DEVICE_MESSAGES } from './messages/devices.ts';
import { EXCHANGE_MESSAGES } from './messages/exchanges.ts';
import { MANAGEMENT_MESSAGES } from './messages/management.ts';
import { ISSUER_MESSAGES } from './messages/issuers.ts';
import { REGISTRATION_MESSAGES } from './messages/registration.ts';
import { POLICY_MESSAGES } from './messages/policies.ts';
import { DPOP_MESSAGES } from './messages/dpop.ts';
import { OTHER_REQUEST_MESSAGES, PARAMETER_MESSAGES, REQUEST_MESSAGES } from './messages/requests.ts';
import { PROFILE_MESSAGES } from './messages/profile.ts';
import { REQUEST_OBJECT_MESSAGES } from './messages/request-objects.ts';
import { REQUEST_URI_MESSAGES, UNUSABLE_REQUEST_URI_MESSAGES } from './messages/request-uris.ts';
import { SCOPE_MESSAGES } from './messages/scopes.ts';
import { TOKEN_MESSAGES } from './messages/tokens.ts';
import { UPSTREAM_MESSAGES } from './messages/upstream.ts';
import type { Messages, MessagesFor, ProtocolMessages, ProtocolMessagesFor, WireError } from './messages.ts';
import type { Refusal, RefusalOf, RefusalRule } from './refusal.ts';

const PROTOCOL_MESSAGES = {
  ...REQUEST_MESSAGES,
  ...PARAMETER_MESSAGES,
  ...CLIENT_MESSAGES,
  ...CLIENT_DOMAIN_MESSAGES,
  ...ASSERTION_MESSAGES,
  ...CERTIFICATE_MESSAGES,
  ...DPOP_MESSAGES,
  ...AUTHORIZATION_MESSAGES,
  ...PROFILE_MESSAGES,
  ...REQUEST_OBJECT_MESSAGES,
  ...REQUEST_URI_MESSAGES,
  ...SCOPE_MESSAGES,
  ...DETAILS_MESSAGES,
  ...CREDENTIAL_MESSAGES,
  ...DEVICE_MESSAGES,
  ...EXCHANGE_MESSAGES,
  ...MANAGEMENT_MESSAGES,
  ...ISSUER_MESSAGES,
  ...TOKEN_MESSAGES,
  ...REGISTRATION_MESSAGES,
};

/** A refusal that is reported as an OAuth error. */
export type ProtocolRefusal = RefusalOf<keyof typeof PROTOCOL_MESSAGES>;

const MESSAGES: MessagesFor<RefusalRule> = {
  ...PROTOCOL_MESSAGES,
  ...CONSENT_MESSAGES,
  ...UNUSABLE_REQUEST_URI_MESSAGES,
  ...CLIENT_DOCUMENT_MESSAGES,
  ...POLICY_MESSAGES,
  ...UPSTREAM_MESSAGES,
  ...OTHER_REQUEST_MESSAGES,
};

/** Every rule that a refusal can have. */
export const REFUSAL_RULES = Object.keys(MESSAGES) as readonly RefusalRule[];

/** Returns the messages that explain the refusal to the owner of the application and the operator. */
export function explain(refusal: Refusal): Messages {
  // The type of the table guarantees that the function accepts this refusal.
  const toMessages = MESSAGES[refusal.rule] as (refusal: Refusal) => Messages;
  const { rule, expected, seen, advice } = toMessages(refusal);
  return { rule, expected, seen, advice };
}

/** Returns the OAuth error that reports the refusal to the caller. */
export function wireError(refusal: ProtocolRefusal): WireError {
  const table: ProtocolMessagesFor<ProtocolRefusal['rule']> = PROTOCOL_MESSAGES;
  const toMessages = table[refusal.rule] as (refusal: ProtocolRefusal) => ProtocolMessages;
  return toMessages(refusal).wire;
}
