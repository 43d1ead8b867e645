import type { ExchangeMode, IssuerUse } from '../../domain/values.ts';
import { message, type Message } from '../../language/message.ts';
import type { UpstreamCheck } from './upstream-refusal.ts';

const MODES = { impersonation: 'value.impersonation', delegation: 'value.delegation' } as const;

const USES = {
  assertion: 'value.assertion',
  'identity-assertion': 'value.identity-assertion',
  'subject-token': 'value.subject-token',
  'actor-token': 'value.actor-token',
} as const;

/** The checks that the message calls by a different name. */
const CHECKS: Partial<Record<UpstreamCheck, string>> = {
  'authorized-party': 'authorized',
  'issue-time': 'issued',
  'userinfo-subject': 'userinfo',
};

/** Returns the name of a token exchange mode. */
export function modeName(mode: ExchangeMode): Message {
  return message(MODES[mode]);
}

/** Returns the name of a use for a trusted issuer's tokens. */
export function issuerUseName(use: IssuerUse): Message {
  return message(USES[use]);
}

/** Returns the choice in a message for a use that requires a confidential client. Choices cannot contain spaces. */
export function confidentialUseChoice(use: string): string {
  return use === 'token exchange' ? 'exchange' : use;
}

/** Returns the name of a check on a provider's ID token or userinfo response. */
export function checkName(check: UpstreamCheck): Message {
  return message('upstream-check.name', { check: CHECKS[check] ?? check });
}
