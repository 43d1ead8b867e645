import type { Grant } from '../../domain/authorization-grant.ts';
import type { Scope } from '../../domain/scope.ts';
import type { UserId } from '../../domain/values.ts';
import type { AccessTokenContent, RepeatAccessToken } from '../credentials/access-token-format.ts';
import type { MintedCredential } from '../credentials/credentials.ts';
import type { Successors } from '../credentials/refresh-tokens.ts';
import type { IssuedIdToken } from '../openid/id-token.ts';

/** The tokens of a grant's latest rotation. */
export interface RecordedTokens {
  readonly access: MintedCredential;
  readonly refresh: MintedCredential;
  readonly idToken: string | undefined;
  /** The scope of the access token. */
  readonly scope: Scope;
  readonly userId: UserId;
}

/** The tokens generated for this request. They are recorded unless the request repeats an earlier one. */
export interface NewTokens {
  readonly access: MintedCredential;
  readonly successors: Successors;
  readonly idToken: IssuedIdToken | undefined;
}

/** Functions that regenerate a recorded token, or return undefined if changes to settings or keys prevent this. */
export interface RepeatTokens {
  readonly access: RepeatAccessToken;
  /** @param access the access token that was issued with the ID token */
  readonly idToken: (record: NonNullable<Grant['idToken']>, access: MintedCredential) => Promise<string | undefined>;
}

/**
 * Returns the tokens that the grant records for its latest rotation: the new tokens or, if an earlier response was
 * lost, the tokens of that response, rebuilt from the state of the grant.
 * @returns undefined if one of them cannot be rebuilt because server or client settings have changed since, or if the
 * grant's refresh token was never rotated
 */
export async function recordedTokens(
  { access, refresh, idToken, login }: Pick<Grant, 'access' | 'refresh' | 'idToken' | 'login'>,
  newTokens: NewTokens,
  repeat: RepeatTokens,
): Promise<RecordedTokens | undefined> {
  if (access === null || !refresh?.rotation) return undefined;
  const { clientId, userId, rotation } = refresh;
  const holder = { clientId, userId, login, issuedAt: rotation.at };
  const accessToken =
    matchNewAccessToken(access, newTokens) ?? (await rebuildAccessToken(access, holder, newTokens, repeat.access));
  const refreshToken = rebuildRefreshToken(refresh.currentHash, newTokens.successors);
  if (accessToken === undefined || refreshToken === undefined) return undefined;
  const { scope } = access;
  const tokens = { access: accessToken, refresh: refreshToken, scope, userId };
  if (idToken === undefined) return { ...tokens, idToken: undefined };
  const isNew = idToken.tokenHash === newTokens.idToken?.record.tokenHash;
  const jws = isNew ? newTokens.idToken.jws : await repeat.idToken(idToken, accessToken);
  return jws === undefined ? undefined : { ...tokens, idToken: jws };
}

/**
 * Returns the new access token or its secret, whichever is recorded, or undefined if an earlier request recorded a
 * different token.
 */
function matchNewAccessToken(
  { tokenHash }: NonNullable<Grant['access']>,
  { access: minted, successors: { access: secret } }: NewTokens,
): MintedCredential | undefined {
  if (minted.hash === tokenHash) return minted;
  return secret.hash === tokenHash ? secret : undefined;
}

async function rebuildAccessToken(
  { tokenHash, kid, scope, resource = [], confirmation, expiresAt }: NonNullable<Grant['access']>,
  holder: Pick<AccessTokenContent, 'clientId' | 'userId' | 'login' | 'issuedAt'>,
  { successors: { access: secret, untaggedAccess } }: NewTokens,
  repeat: RepeatAccessToken,
): Promise<MintedCredential | undefined> {
  const content = { ...holder, scope, resource, confirmation, expiresAt };
  const findRecorded = (candidates: readonly (MintedCredential | undefined)[]): MintedCredential | undefined =>
    candidates.find((candidate) => candidate?.hash === tokenHash);
  if (kid !== undefined && content.login !== undefined) {
    const repeatedToken = findRecorded([await repeat(kid, secret, content)]);
    if (repeatedToken !== undefined) return repeatedToken;
  }
  // JWTs from earlier releases do not contain the login. Those from even earlier releases also have no key id, and
  // the secrets of the first releases have no tag.
  const contentWithoutLogin = { ...content, login: undefined };
  const tokenWithoutLogin = await repeat(kid, secret, contentWithoutLogin);
  if (kid !== undefined) return findRecorded([tokenWithoutLogin]);
  const untaggedSecret = untaggedAccess();
  return findRecorded([
    tokenWithoutLogin,
    untaggedSecret,
    await repeat(undefined, untaggedSecret, contentWithoutLogin),
  ]);
}

/**
 * Returns the recorded refresh token: the tagged token, or the untagged one that an earlier release derived. Returns
 * undefined if neither is recorded.
 */
function rebuildRefreshToken(
  currentHash: MintedCredential['hash'],
  { refresh, untaggedRefresh }: Successors,
): MintedCredential | undefined {
  if (refresh.hash === currentHash) return refresh;
  const untaggedToken = untaggedRefresh();
  return untaggedToken.hash === currentHash ? untaggedToken : undefined;
}
