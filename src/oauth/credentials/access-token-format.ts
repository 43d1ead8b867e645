import type { AuthorizationDetail } from '../../domain/authorization-details.ts';
import { confirmationClaim, type Confirmation } from '../../domain/confirmation.ts';
import type { Login } from '../../domain/events.ts';
import type { Resources } from '../../domain/resource.ts';
import { formatScope, type Scope } from '../../domain/scope.ts';
import type {
  AccessTokenFormat,
  ClientId,
  EpochSeconds,
  KeyId,
  SigningAlgorithm,
  UserId,
} from '../../domain/values.ts';
import { hashJwt, type MintedCredential } from './credentials.ts';
import type { SigningKeys } from '../signing/signing-keys.ts';
import type { DerivedKeys } from '../signing/derived-keys.ts';
import { exchangedClaims, type ActClaim, type ExchangeLineage } from '../exchange/exchanged-claims.ts';
import type { SubjectFor } from '../openid/subjects.ts';
import { groupsClaim, type GroupsOf } from '../openid/user-claims.ts';

/** The content of an access token. `scope` is the effective part of the granted scope: see `EffectiveScope`. */
export interface AccessTokenContent {
  readonly clientId: ClientId;
  /** Null if the client acts on its own behalf. */
  readonly userId: UserId | null;
  readonly scope: Scope;
  readonly resource: Resources;
  /** The authorization details (RFC 9396 §9.1), if any. */
  readonly details?: readonly AuthorizationDetail[] | undefined;
  /** The key or certificate that the token is bound to; undefined for a bearer token. */
  readonly confirmation?: Confirmation | undefined;
  /** The login of the token's grant; undefined if none is recorded, or if the client acts on its own behalf. */
  readonly login: Login | undefined;
  /** The exchange in which the token was issued (RFC 8693), if any. */
  readonly exchange?: ExchangeLineage | undefined;
  readonly issuedAt: EpochSeconds;
  readonly expiresAt: EpochSeconds;
}

/** The settings of a client that determine its access tokens. */
export interface AccessTokenSettings {
  readonly accessTokenFormat: AccessTokenFormat;
  readonly accessTokenAlgorithm: SigningAlgorithm;
}

/** An access token for the client and, for a JWT, the id of the key that signed it. */
export interface FormattedToken extends MintedCredential {
  readonly kid?: KeyId | undefined;
}

/**
 * Returns the access token for the client: the secret itself, or a JWT (RFC 9068) whose `jti` is the hash of the
 * secret, so that the JWT is as hard to guess as the secret. Both kinds are looked up by their hash.
 * @param getContent returns the content of a JWT. It must not check anything, because it is not called for an opaque
 *   token, which saves 5 µs (`npm run bench -- profile --rows refresh`)
 */
export type FormatAccessToken = (
  client: AccessTokenSettings,
  secret: MintedCredential,
  getContent: () => AccessTokenContent,
) => FormattedToken | Promise<FormattedToken>;

/**
 * Signs a recorded JWT again; the hash stays the same. Returns undefined if the key can no longer sign.
 * @param kid the id of the key that signed the token; undefined if an earlier release signed it with a derived key
 */
export type RepeatAccessToken = (
  kid: KeyId | undefined,
  secret: MintedCredential,
  content: AccessTokenContent,
) => Promise<MintedCredential | undefined>;

/** The `typ` in the header of a JWT access token (RFC 9068 §2.1). */
const ACCESS_TOKEN_TYPE = 'at+jwt';

const toMintedCredential = (value: string): MintedCredential => ({ value, hash: hashJwt(value) });

export function createAccessTokenFormatter(
  keys: Pick<SigningKeys, 'sign' | 'signAgain'>,
  derivedKeys: Pick<DerivedKeys, 'sign'>,
  issuer: () => string,
  subjectFor: SubjectFor,
  groupsOf: GroupsOf,
): { readonly formatAccessToken: FormatAccessToken; readonly repeatAccessToken: RepeatAccessToken } {
  function buildPayload(secret: MintedCredential, content: AccessTokenContent): object {
    const { clientId, userId, exchange } = content;
    const { sub, act } = exchangedClaims(exchange ?? { chain: [], root: { clientId } }, clientId, userId, subjectFor);
    return { ...jwtClaims(issuer(), sub, act, secret, content), groups: groupsClaim(content.scope, userId, groupsOf) };
  }

  async function signJwt(
    algorithm: SigningAlgorithm,
    secret: MintedCredential,
    content: AccessTokenContent,
  ): Promise<FormattedToken> {
    const { jws, kid } = await keys.sign(algorithm, ACCESS_TOKEN_TYPE, buildPayload(secret, content), content.issuedAt);
    return { ...toMintedCredential(jws), kid };
  }

  return {
    formatAccessToken: ({ accessTokenFormat, accessTokenAlgorithm }, secret, getContent) =>
      accessTokenFormat === 'opaque' ? secret : signJwt(accessTokenAlgorithm, secret, getContent()),

    async repeatAccessToken(kid, secret, content) {
      const payload = buildPayload(secret, content);
      const jws =
        kid === undefined
          ? derivedKeys.sign(ACCESS_TOKEN_TYPE, payload, content.issuedAt)
          : await keys.signAgain(kid, ACCESS_TOKEN_TYPE, payload);
      return jws === undefined ? undefined : toMintedCredential(jws);
    },
  };
}

/**
 * Returns the claims (RFC 9068 §2.2, RFC 9449 §6.1, RFC 8705 §3.1, RFC 9470 §6.1, RFC 8693 §4.1, RFC 9396 §9.1). JSON
 * omits undefined members.
 */
function jwtClaims(
  iss: string,
  sub: string,
  act: ActClaim | undefined,
  { hash }: MintedCredential,
  { clientId, scope, resource, details, confirmation, login, issuedAt, expiresAt }: AccessTokenContent,
): object {
  const aud = toAudience(resource.length === 0 ? [iss] : resource);
  return {
    iss,
    aud,
    sub,
    client_id: clientId,
    iat: issuedAt,
    exp: expiresAt,
    jti: hash,
    scope: formatScope(scope),
    authorization_details: details,
    cnf: confirmation && confirmationClaim(confirmation),
    auth_time: login?.authTime,
    acr: login?.acr,
    act,
  };
}

/** Returns the value of `aud`: a single audience is a string rather than an array, as RFC 7519 §4.1.3 allows. */
export function toAudience(resource: Resources): string | Resources {
  const [audience, ...others] = resource;
  return audience !== undefined && others.length === 0 ? audience : resource;
}
