import type { EpochSeconds } from '../../domain/values.ts';
import { parseAccessToken } from '../../oauth/credentials/credentials.ts';
import type { AccessTokens } from '../../projections/access-tokens.ts';
import type { AccessTokenLookup } from '../pipeline/bearer-token.ts';

/** The access tokens that this server accepts: as a resource server, its URI is its issuer. */
export function accessTokenLookup(
  tokens: Pick<AccessTokens, 'find'>,
  issuer: () => string,
  now: () => EpochSeconds,
): AccessTokenLookup {
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
