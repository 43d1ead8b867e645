import { hash } from 'node:crypto';
import type { Grant } from '../../domain/authorization-grant.ts';
import type { EventOf, Login } from '../../domain/events.ts';
import type { UserClaim } from '../../domain/profile.ts';
import { GROUPS_SCOPE, type Scope } from '../../domain/scope.ts';
import type { CredentialHash, EpochSeconds, GrantId, SigningAlgorithm, UserId } from '../../domain/values.ts';
import type { Client } from '../../projections/clients.ts';
import type { Users } from '../../projections/users.ts';
import { hashCredential, hasRandomSignature, type MintedCredential } from '../credentials/credentials.ts';
import type { SigningKeys } from '../signing/signing-keys.ts';
import { selectClaims } from './claims.ts';
import { sessionIdFor } from './session-id.ts';
import type { Subjects } from './subjects.ts';
import type { GroupsOf } from './user-claims.ts';

/** The content of an ID token (OpenID Connect Core §2), from the grant and the token request. */
export interface IdTokenContent {
  /** The `jti`, which contains the grant id. Undefined for an ID token that an earlier release issued. */
  readonly id: string | undefined;
  readonly client: Client;
  readonly userId: UserId;
  /** The login behind the grant; undefined if it is not recorded. */
  readonly login: Login | undefined;
  /** From the authorization request; undefined unless the ID token is issued for a code. */
  readonly nonce: string | undefined;
  /** The names of the claims about the user. */
  readonly claims: readonly UserClaim[];
  /** The access token issued with the ID token; null if the response to a retry could contain a different one. */
  readonly accessToken: string | null;
  readonly issuedAt: EpochSeconds;
  readonly expiresAt: EpochSeconds;
}

/** The part of a grant that determines the content of its ID token. */
type SourceGrant = Pick<Grant, 'code' | 'deviceCode' | 'refresh' | 'login' | 'claims'>;

/**
 * Returns the content of the ID token to issue with an access token, or undefined if the scope lacks `openid`. Only an
 * ID token that is issued for a code has a nonce (OpenID Connect Core §12.2).
 */
export function idTokenContent(
  grantId: GrantId,
  { code, deviceCode, refresh, login, claims }: SourceGrant,
  scope: Scope,
  client: Client,
  mintedToken: MintedCredential,
  times: Pick<IdTokenContent, 'issuedAt' | 'expiresAt'>,
): IdTokenContent | undefined {
  const userId = (code ?? deviceCode ?? refresh)?.userId;
  if (userId === undefined || !scope.includes('openid')) return undefined;
  const accessToken = hasRandomSignature(mintedToken.value) ? null : mintedToken.value;
  const claimNames = [
    ...new Set([...(claims?.idToken ?? []), ...(scope.includes(GROUPS_SCOPE) ? (['groups'] as const) : [])]),
  ];
  const id = `${grantId}.${mintedToken.hash.slice(0, TOKEN_HASH_LENGTH)}`;
  return { id, client, userId, login, nonce: code?.nonce, claims: claimNames, accessToken, ...times };
}

/** The number of characters in the `jti` that come from the hash of the access token: 132 bits. */
const TOKEN_HASH_LENGTH = 22;
const JTI_PATTERN = /^([\w-]{22})\.[\w-]{22}$/;

/** Returns the grant id in the `jti` of an ID token from this server, or undefined for any other value. */
export function grantIdFromJti(jti: unknown): GrantId | undefined {
  return typeof jti === 'string' ? (JTI_PATTERN.exec(jti)?.[1] as GrantId | undefined) : undefined;
}

/** An ID token and its event data. */
export interface IssuedIdToken {
  readonly jws: string;
  readonly record: EventOf<'IdTokenIssued'>['data'];
}

/** Issues ID tokens, and reissues them to a client that did not receive the response. */
export interface IdTokens {
  issue(content: IdTokenContent): Promise<IssuedIdToken>;
  /**
   * Signs the recorded ID token again. Returns undefined if its key can no longer sign, or if the token would differ
   * because the user or the client has changed.
   */
  repeat(record: EventOf<'IdTokenIssued'>['data'], content: IdTokenContent): Promise<string | undefined>;
}

/** The `typ` in the header of an ID token. */
export const ID_TOKEN_TYPE = 'JWT';

export function createIdTokens(deps: {
  readonly keys: Pick<SigningKeys, 'sign' | 'signAgain'>;
  readonly subjects: Pick<Subjects, 'subjectOf'>;
  readonly users: Pick<Users, 'find'>;
  readonly groupsOf: GroupsOf;
  readonly issuer: () => string;
}): IdTokens {
  const { keys, subjects, users, groupsOf, issuer } = deps;

  function payload(content: IdTokenContent, algorithm: SigningAlgorithm): object {
    const { id, client, userId, login, nonce, claims, accessToken, issuedAt, expiresAt } = content;
    const user = users.find(userId);
    return {
      ...(user === undefined ? {} : selectClaims(user, claims, groupsOf)),
      iss: issuer(),
      sub: subjects.subjectOf(client, userId),
      aud: client.clientId,
      exp: expiresAt,
      iat: issuedAt,
      ...(id === undefined ? {} : { jti: id }),
      ...(nonce === undefined ? {} : { nonce }),
      ...(accessToken === null ? {} : { at_hash: atHash(accessToken, algorithm) }),
      ...(login === undefined ? {} : { auth_time: login.authTime, acr: login.acr, amr: login.amr }),
      ...(login === undefined || login.sessionHash === null
        ? {}
        : { sid: sessionIdFor(client.clientId, login.sessionHash) }),
    };
  }

  return {
    async issue(content) {
      const { client, userId, claims, issuedAt, expiresAt } = content;
      const { clientId } = client;
      const algorithm = client.openid.idTokenAlgorithm;
      const { jws, kid } = await keys.sign(algorithm, ID_TOKEN_TYPE, payload(content, algorithm), issuedAt);
      const record = { tokenHash: hashIdToken(jws), clientId, userId, kid, algorithm, issuedAt, expiresAt, claims };
      const user = claims.length === 0 ? undefined : users.find(userId);
      return { jws, record: user === undefined ? record : { ...record, userRevision: user.revision } };
    },

    async repeat({ tokenHash: recordedHash, kid, algorithm, issuedAt, expiresAt, claims }, content) {
      for (const id of [content.id, undefined]) {
        const repeatedContent = { ...content, id, issuedAt, expiresAt, claims };
        const jws = await keys.signAgain(kid, ID_TOKEN_TYPE, payload(repeatedContent, algorithm));
        if (jws !== undefined && hashIdToken(jws) === recordedHash) return jws;
      }
      return undefined;
    },
  };
}

/**
 * Returns the hash of an ID token for the log. It covers only the signing input, because the signatures of some
 * algorithms are random.
 */
export function hashIdToken(jws: string): CredentialHash {
  return hashCredential(jws.slice(0, jws.lastIndexOf('.')));
}

/** Ed25519 uses SHA-512; the names of the other algorithms contain the length of their hash. */
const DIGESTS = { RS256: 'sha256', ES256: 'sha256', PS256: 'sha256', EdDSA: 'sha512' } as const;

/** Returns the `at_hash` claim: the left half of the hash (OpenID Connect Core §3.1.3.6). */
function atHash(token: string, algorithm: SigningAlgorithm): string {
  const digest = hash(DIGESTS[algorithm], token, 'buffer');
  return digest.subarray(0, digest.length / 2).toString('base64url');
}
