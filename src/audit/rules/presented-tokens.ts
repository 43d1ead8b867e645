import type { EventOf } from '../../domain/events.ts';
import type { EpochSeconds } from '../../domain/values.ts';
import type { History } from './history.ts';
import { grantStreamOf } from './history/exchanges.ts';
import { finding, type EventRule } from './rule.ts';

type Exchange = EventOf<'TokenExchanged'>['data'];

/** The limits that a token sets for an exchange. */
interface TokenLimits {
  readonly scope: readonly string[];
  /** Empty means every resource server. */
  readonly resource: readonly string[];
  readonly details: NonNullable<EventOf<'AccessTokenIssued'>['data']['details']>;
  readonly expiresAt: EpochSeconds;
}

/** A token of this server, as an exchange records it. */
interface PresentedToken {
  readonly grantId: string;
  readonly tokenHash: string;
}

/**
 * Returns the limits of an access token, or of the latest ID token of the grant, which has the scope and the resource
 * servers of the access token issued with it. Returns undefined if the grant has no such token, or the token was
 * forgotten after its expiry.
 */
export function findLimits(
  { grantId, tokenHash }: PresentedToken,
  { accessTokens, grants }: History,
): TokenLimits | undefined {
  const stream = grantStreamOf(grantId);
  const token = accessTokens.find(tokenHash);
  if (token !== undefined) return token.stream === stream ? token : undefined;
  const { idToken, accessToken } = grants.inStream(stream) ?? {};
  if (idToken?.tokenHash !== tokenHash || !accessToken) return undefined;
  return { scope: accessToken.scope, resource: accessToken.resource, details: [], expiresAt: idToken.expiresAt };
}

/**
 * Describes a token that was unknown or had expired when it was exchanged. An exchange is based on the grants of its
 * tokens, so no race can explain that.
 */
function describeUnknownToken({ parent, actor }: Exchange, history: History): string | undefined {
  for (const [role, token] of [
    ['subject', parent],
    ['actor', actor],
  ] as const) {
    if (token === undefined || 'issuer' in token || findLimits(token, history) !== undefined) continue;
    const wasIssued = history.credentials.has(token.tokenHash);
    if (wasIssued && history.accessTokens.isIncomplete()) continue;
    const isIdToken = 'tokenType' in token && token.tokenType === 'id_token';
    const unknownProblem = isIdToken ? 'is not the latest ID token of its grant' : 'was never issued';
    const problem = wasIssued ? 'belongs to a different grant or had expired' : unknownProblem;
    return `the ${role} token ${problem} (grant ${token.grantId})`;
  }
  return undefined;
}

export const presentedTokenRules: readonly EventRule[] = [
  {
    name: 'exchanges-present-issued-tokens',
    description:
      'The subject token and the actor token of an exchange were issued in the grants that it records, and had not ' +
      'expired, unless the clock was set back, or they are JWTs from other issuers.',
    check({ event: { type, data } }, history) {
      const message = type === 'TokenExchanged' ? describeUnknownToken(data, history) : undefined;
      return message === undefined ? undefined : finding(message);
    },
  },
];
