import type { Config } from '../config/config.ts';
import type { EpochSeconds, GrantId } from '../domain/values.ts';
import type { EventLog } from '../event-store/event-log.ts';
import { createPresentedTokens } from '../oauth/credentials/presented-tokens.ts';
import { createEffectiveTokens } from '../oauth/endpoints/effective-tokens.ts';
import { createEffectiveScope } from '../oauth/endpoints/restricted-scopes.ts';
import { createGrantHistoryReader } from '../oauth/grant-types/grant-history.ts';
import { createPostMortem } from '../oauth/grant-types/post-mortem.ts';
import type { VerifyIdToken } from '../oauth/openid/id-token-hint.ts';
import { ID_TOKEN_TYPE } from '../oauth/openid/id-token.ts';
import type { Clock } from '../platform/ports.ts';
import type { Projections } from '../projections/projections.ts';
import type { Credentials } from './credentials.ts';

export type TokenChecks = ReturnType<typeof createTokenChecks>;

/** Creates the parts that check presented tokens and their grants, and those that explain why a token is invalid. */
export function createTokenChecks(
  deps: Pick<Credentials, 'resources' | 'signatures' | 'signingKeys'> & {
    readonly projections: Pick<Projections, 'accessTokens' | 'clients' | 'exchanges' | 'grants' | 'users'>;
    readonly log: EventLog;
    readonly clock: Clock;
    readonly now: () => EpochSeconds;
    readonly issuer: () => string;
    readonly settings: Config;
  },
) {
  const { projections, resources, signatures, signingKeys, log, clock, now, issuer, settings } = deps;
  const { accessTokens, clients, exchanges, grants: liveGrants, users } = projections;
  const verifyIdToken: VerifyIdToken = (jws) => signingKeys.verify(jws, { types: [ID_TOKEN_TYPE], now: now() });
  return {
    effectiveScope: createEffectiveScope(users, resources),
    presentedTokens: createPresentedTokens(createEffectiveTokens(accessTokens, settings, resources), signatures),
    timeAwareGrants: { isLive: (grantId: GrantId) => liveGrants.isLiveAt(grantId, now()), find: liveGrants.find },
    verifyIdToken,
    postMortem: createPostMortem({
      history: createGrantHistoryReader({ log, clock }),
      accessTokens,
      exchanges,
      signatures,
      clients,
      users,
      issuer,
      settings,
    }),
  };
}
