import type { EpochSeconds } from '../../domain/values.ts';
import { parseAccessToken } from '../../oauth/credentials/credentials.ts';
import type { AccessTokens } from '../../projections/access-tokens.ts';
import type { Freshness } from '../../event-store/freshness.ts';
import type { LookAgain } from '../../oauth/credentials/unknown-credentials.ts';
import type { AccessTokenLookup, LiveToken, RemoteAccessTokenLookup } from '../pipeline/bearer-token.ts';

/** For the URI of this server. */
type LocalTokens = Required<AccessTokenLookup>;

/** The access tokens that this server accepts: as a resource server, its URI is its issuer. */
export function accessTokenLookup(
  tokens: Pick<AccessTokens, 'find'>,
  issuer: () => string,
  now: () => EpochSeconds,
): LocalTokens {
  return {
    get resource() {
      return issuer();
    },
    find(token) {
      const hash = parseAccessToken(token);
      return hash === undefined ? undefined : tokens.find(hash, now());
    },
  };
}

/**
 * The same on a node of a shared log, which accepts no token while it may have missed a revocation: then it throws
 * `LogUnreachable`.
 */
export function currentTokens(tokens: LocalTokens, { assertCurrent }: Pick<Freshness, 'assertCurrent'>): LocalTokens {
  return {
    get resource() {
      return tokens.resource;
    },
    find(token) {
      assertCurrent();
      return tokens.find(token);
    },
  };
}

/** The same for a request that begins: also finds a token that another node has just issued. */
export function confirmedTokens(tokens: LocalTokens, lookAgain: LookAgain): RemoteAccessTokenLookup {
  const findLater = async (token: string): Promise<LiveToken | undefined> =>
    (await lookAgain(token)) ? tokens.find(token) : undefined;
  return {
    get resource() {
      return tokens.resource;
    },
    find: (token) => tokens.find(token) ?? findLater(token),
  };
}
