import type { Freshness } from '../../event-store/freshness.ts';
import type { AccessTokens } from '../../projections/access-tokens.ts';
import type { DerivedKeys } from '../signing/derived-keys.ts';
import type { TokenSignatures } from '../signing/token-signatures.ts';
import { isJwt, parseAccessToken, parseCode } from './credentials.ts';
import type { RefreshTokens } from './refresh-tokens.ts';
import type { TaggedCredentials } from './tagged-credentials.ts';

/**
 * Reports whether the tag of a code or token, or the seal of a device code, proves that this server issued it. Returns
 * false for credentials from releases without tags and for JWTs, which have a signature instead.
 */
export type IsGenuine = (credential: string) => boolean;

export function createGenuineCheck({
  credentials,
  refreshTokens,
  deviceCodes,
}: {
  readonly credentials: Pick<TaggedCredentials, 'isTagged'>;
  readonly refreshTokens: Pick<RefreshTokens, 'parse'>;
  readonly deviceCodes: { open(deviceCode: string): unknown };
}): IsGenuine {
  return (credential) => {
    if (isJwt(credential)) return false;
    if (parseAccessToken(credential) !== undefined || parseCode(credential) !== undefined)
      return credentials.isTagged(credential);
    return refreshTokens.parse(credential)?.isTagged === true || deviceCodes.open(credential) !== undefined;
  };
}

/**
 * Catches up with the log for a genuine code or token that this node does not recognize, because another node may have
 * just issued it. Resolves to true if the credential should be looked up again. A forged credential causes no catch-up,
 * except that JWTs with an unknown key id share throttled catch-ups.
 */
export type CatchUpIfGenuine = (credential: string) => Promise<boolean>;

/**
 * Creates the function, or returns undefined if no other process appends to the log, so that this node cannot miss a
 * credential.
 */
export function createCatchUpIfGenuine({
  freshness,
  isGenuine,
  signatures,
  derivedKeys,
  accessTokens,
  now,
}: {
  readonly freshness: Pick<Freshness, 'catchUp' | 'catchUpThrottled'> | undefined;
  readonly isGenuine: IsGenuine;
  readonly signatures: Pick<TokenSignatures, 'hasUnknownKeyId' | 'isSigned'>;
  readonly derivedKeys: Pick<DerivedKeys, 'hasSigned'>;
  readonly accessTokens: Pick<AccessTokens, 'findRetained'>;
  /** Seconds since the epoch. */
  readonly now: () => number;
}): CatchUpIfGenuine | undefined {
  if (freshness === undefined) return undefined;
  const { catchUp, catchUpThrottled } = freshness;

  async function isOurs(credential: string): Promise<boolean> {
    if (!isJwt(credential)) return isGenuine(credential);
    if (derivedKeys.hasSigned(credential, now())) return true;
    // Another node may have just introduced the key. Concurrent requests share the next catch-up.
    if (signatures.hasUnknownKeyId(credential)) await catchUpThrottled();
    return signatures.isSigned(credential);
  }

  return async (credential) => {
    const hash = parseAccessToken(credential);
    const isKnown = hash !== undefined && accessTokens.findRetained(hash) !== undefined;
    if (isKnown || !(await isOurs(credential))) return false;
    await catchUp();
    return true;
  };
}
