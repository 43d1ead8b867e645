import type { Freshness } from '../../event-store/freshness.ts';
import type { AccessTokens } from '../../projections/access-tokens.ts';
import type { DerivedKeys } from '../signing/derived-keys.ts';
import { isJwt, parseAccessToken, parseCode } from './credentials.ts';
import type { RefreshTokens } from './refresh-tokens.ts';
import type { TaggedCredentials } from './tagged-credentials.ts';

/**
 * Whether a code or token proves that this server made it: by its tag, or as a JWT by its signature. False for those of
 * releases without tags.
 */
export type IsGenuine = (credential: string) => boolean;

export function createGenuineCheck({
  credentials,
  refreshTokens,
  derivedKeys,
  now,
}: {
  readonly credentials: Pick<TaggedCredentials, 'isTagged'>;
  readonly refreshTokens: Pick<RefreshTokens, 'parse'>;
  readonly derivedKeys: Pick<DerivedKeys, 'hasSigned'>;
  /** Seconds since the epoch. */
  readonly now: () => number;
}): IsGenuine {
  return (credential) => {
    if (isJwt(credential)) return derivedKeys.hasSigned(credential, now());
    if (parseAccessToken(credential) !== undefined || parseCode(credential) !== undefined)
      return credentials.isTagged(credential);
    return refreshTokens.parse(credential)?.isTagged === true;
  };
}

/**
 * Resolves with whether to look again for a code or token that is not valid here: this server made it, so another node
 * may just have issued it, and this node has caught up meanwhile. A forged or expired one causes no catch-up.
 */
export type LookAgain = (credential: string) => Promise<boolean>;

/** Undefined if no other process appends to the log: then there is nothing to wait for. */
export function createLookAgain(
  freshness: Pick<Freshness, 'catchUp'> | undefined,
  isGenuine: IsGenuine,
  accessTokens: Pick<AccessTokens, 'findRetained'>,
): LookAgain | undefined {
  if (freshness === undefined) return undefined;
  return async (credential) => {
    const hash = parseAccessToken(credential);
    const isKnown = hash !== undefined && accessTokens.findRetained(hash) !== undefined;
    if (isKnown || !isGenuine(credential)) return false;
    await freshness.catchUp();
    return true;
  };
}
