import type { FactRule } from './rule.ts';
import { clientRules } from './rules/clients.ts';
import { clockRules } from './rules/clock.ts';
import { codeRules } from './rules/codes.ts';
import { envelopeRules, schemaRule } from './rules/envelopes.ts';
import { grantRules } from './rules/grants.ts';
import { identityRules } from './rules/identity.ts';
import { refreshTokenRules } from './rules/refresh-tokens.ts';
import { sessionRules } from './rules/sessions.ts';
import { timeRules } from './rules/times.ts';
import { userRules } from './rules/users.ts';

/**
 * What holds of every sound log. Where a rule compares streams that are written independently of
 * each other, or times, it says how much of a race it puts up with; all others are absolute.
 */
export const rulesOfFacts: readonly FactRule[] = [
  ...identityRules, ...grantRules, ...codeRules, ...refreshTokenRules, ...timeRules, ...clientRules, ...userRules, ...sessionRules,
  ...clockRules,
];

export const rules: readonly Pick<FactRule, 'name' | 'says'>[] = [...envelopeRules, schemaRule, ...rulesOfFacts];
