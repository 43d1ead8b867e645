import type { RefreshTokenToIssue, AccessTokenToIssue } from '../../domain/authorization-grant.ts';
import type { FormattedToken } from '../credentials/access-token-format.ts';
import type { MintedCredential } from '../credentials/credentials.ts';
import type { DetailsToIssue } from '../details/token-details.ts';
import { accessExpiry, refreshExpiry, type LifetimeSettings } from '../credentials/lifetimes.ts';
import type { TokenTerms } from '../resources/token-terms.ts';
import type { TokenRequest } from './grant-type.ts';

/** Returns the part of a command that describes the access token. */
export function accessTokenToIssue(
  { confirmation, now, previousSecretUsed, clientKeyId }: TokenRequest,
  { hash, kid }: FormattedToken,
  terms: TokenTerms,
  details?: DetailsToIssue,
): AccessTokenToIssue {
  return {
    now,
    accessHash: hash,
    accessKid: kid,
    confirmation,
    accessExpiresAt: accessExpiry(now, terms),
    details: details?.recorded,
    definedScopes: terms.definedScopes,
    previousSecretUsed,
    clientKeyId,
  };
}

/** Returns the part of a command that describes the refresh token. */
export function refreshTokenToIssue(
  { client, now }: TokenRequest,
  { hash }: MintedCredential,
  settings: LifetimeSettings,
): RefreshTokenToIssue {
  return {
    bindRefreshToken: client.clientType === 'public',
    refreshHash: hash,
    refreshExpiresAt: refreshExpiry(now, settings),
  };
}
