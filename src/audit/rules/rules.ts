import type { EventRule } from './rule.ts';
import { accountInvitationRules } from './account-invitations.ts';
import { assertionRules } from './assertions.ts';
import { foreignExchangeRules } from './foreign-exchanges.ts';
import { boundTokenRules } from './bound-tokens.ts';
import { clientDocumentRules } from './client-documents.ts';
import { clientRules } from './clients.ts';
import { memberRules } from './members.ts';
import { codeRules } from './codes.ts';
import { envelopeRules, schemaRule } from './envelopes.ts';
import { exchangePolicyRules } from './exchange-policies.ts';
import { exchangeRules } from './exchanges.ts';
import { grantRules } from './grants.ts';
import { groupRules } from './groups.ts';
import { grantUpdateRules } from './grant-updates.ts';
import { identityRules } from './identity.ts';
import { loginRules } from './logins.ts';
import { logoutRules } from './logouts.ts';
import { presentedTokenRules } from './presented-tokens.ts';
import { refreshTokenRules } from './refresh-tokens.ts';
import { detailRules } from './details.ts';
import { resourceRules } from './resources.ts';
import { secondFactorRules } from './second-factors.ts';
import { sessionRules } from './sessions.ts';
import { settingRules } from './settings.ts';
import { signingKeyRules } from './signing-keys.ts';
import { clockRules, timeRules } from './times.ts';
import { trustedIssuerRules } from './trusted-issuers.ts';
import { upstreamRules } from './upstream.ts';
import { userRules } from './users.ts';

/**
 * Rules that hold for every valid log. A rule that compares independently written streams, or times, describes the
 * race that it tolerates. All other rules are absolute.
 */
export const eventRules: readonly EventRule[] = [
  ...identityRules,
  ...groupRules,
  ...grantRules,
  ...grantUpdateRules,
  ...exchangeRules,
  ...presentedTokenRules,
  ...codeRules,
  ...boundTokenRules,
  ...loginRules,
  ...refreshTokenRules,
  ...timeRules,
  ...clientRules,
  ...clientDocumentRules,
  ...memberRules,
  ...userRules,
  ...accountInvitationRules,
  ...sessionRules,
  ...secondFactorRules,
  ...logoutRules,
  ...resourceRules,
  ...detailRules,
  ...exchangePolicyRules,
  ...trustedIssuerRules,
  ...assertionRules,
  ...foreignExchangeRules,
  ...upstreamRules,
  ...settingRules,
  ...signingKeyRules,
  ...clockRules,
];

export const rules: readonly Pick<EventRule, 'name' | 'description'>[] = [...envelopeRules, schemaRule, ...eventRules];
