import type { EventRule } from './rule.ts';
import { clientRules } from './clients.ts';
import { clockRules } from './clock.ts';
import { codeRules } from './codes.ts';
import { envelopeRules, schemaRule } from './envelopes.ts';
import { grantRules } from './grants.ts';
import { identityRules } from './identity.ts';
import { refreshTokenRules } from './refresh-tokens.ts';
import { sessionRules } from './sessions.ts';
import { timeRules } from './times.ts';
import { userRules } from './users.ts';

/**
 * What holds of every sound log. Where a rule compares streams that are written independently of
 * each other, or times, it says how much of a race it puts up with; all others are absolute.
 */
export const eventRules: readonly EventRule[] = [
  ...identityRules,
  ...grantRules,
  ...codeRules,
  ...refreshTokenRules,
  ...timeRules,
  ...clientRules,
  ...userRules,
  ...sessionRules,
  ...clockRules,
];

export const rules: readonly Pick<EventRule, 'name' | 'says'>[] = [...envelopeRules, schemaRule, ...eventRules];
