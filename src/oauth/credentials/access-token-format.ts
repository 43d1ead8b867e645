import type { Resources } from '../../domain/resource.ts';
import { formatScope, type Scope } from '../../domain/scope.ts';
import type { AccessTokenFormat, ClientId, EpochSeconds, UserId } from '../../domain/values.ts';
import { hashCredential, type Minted } from './credentials.ts';
import type { DerivedKeys } from '../signing/derived-keys.ts';

/**
 * What a JWT says about itself: the data of its event, without restricted scopes that the client may no longer have.
 */
export interface AccessTokenFacts {
  readonly clientId: ClientId;
  /** Null if the client acts on its own behalf. */
  readonly userId: UserId | null;
  readonly scope: Scope;
  readonly resource: Resources;
  readonly issuedAt: EpochSeconds;
  readonly expiresAt: EpochSeconds;
}

/**
 * The access token for the client: the secret itself, or a JWT (RFC 9068) whose `jti` is the hash of the secret, which
 * makes it as hard to guess. Deterministic. Either kind is looked up by its own hash.
 */
export type FormatAccessToken = (format: AccessTokenFormat, secret: Minted, facts: AccessTokenFacts) => Minted;

/** RFC 9068 §2.1. */
const TYPE = 'at+jwt';

export function createAccessTokenFormat(keys: Pick<DerivedKeys, 'sign'>, issuer: () => string): FormatAccessToken {
  return (format, secret, facts) => {
    if (format === 'opaque') return secret;
    const value = keys.sign(TYPE, claims(issuer(), secret, facts), facts.issuedAt);
    return { value, hash: hashCredential(value) };
  };
}

/** RFC 9068 §2.2. */
function claims(
  iss: string,
  { hash }: Minted,
  { clientId, userId, scope, resource, issuedAt, expiresAt }: AccessTokenFacts,
): object {
  const aud = toAudience(resource.length === 0 ? [iss] : resource);
  return {
    iss,
    aud,
    sub: userId ?? clientId,
    client_id: clientId,
    iat: issuedAt,
    exp: expiresAt,
    jti: hash,
    scope: formatScope(scope),
  };
}

/** RFC 7519 §4.1.3: a single audience is a string, not an array. */
export function toAudience(resource: Resources): string | Resources {
  const [only, ...more] = resource;
  return only !== undefined && more.length === 0 ? only : resource;
}
