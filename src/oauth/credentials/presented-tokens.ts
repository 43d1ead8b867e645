import type { EpochSeconds } from '../../domain/values.ts';
import type { AccessToken } from '../../projections/access-token.ts';
import type { AccessTokens } from '../../projections/access-tokens.ts';
import type { TokenSignatures } from '../signing/token-signatures.ts';
import { hasRandomSignature, isJwt, parseAccessToken } from './credentials.ts';

/** Finds access tokens by the values that callers present. */
export interface PresentedTokens {
  /**
   * Returns the token if it is valid. Returns a promise only if the signature must be verified, because the hash does
   * not cover it.
   */
  find(token: string, now: EpochSeconds): AccessToken | undefined | Promise<AccessToken | undefined>;
  /**
   * Like `find`, but for a token whose signature has already been verified, for example to check the token again during
   * a long response.
   */
  findVerified(token: string, now: EpochSeconds): AccessToken | undefined;
}

export function createPresentedTokens(
  tokens: Pick<AccessTokens, 'find'>,
  { retiredKey, isSigned }: TokenSignatures,
): PresentedTokens {
  function findVerified(value: string, now: EpochSeconds): AccessToken | undefined {
    const hash = parseAccessToken(value);
    const token = hash === undefined ? undefined : tokens.find(hash, now);
    return token !== undefined && isJwt(value) && retiredKey(value) !== undefined ? undefined : token;
  }

  return {
    findVerified,
    find(value, now) {
      const token = findVerified(value, now);
      if (token === undefined || !hasRandomSignature(value)) return token;
      return isSigned(value).then((isValid) => (isValid ? token : undefined));
    },
  };
}
