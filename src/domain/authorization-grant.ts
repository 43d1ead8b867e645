import { accept, nothing, refuse, type Decider, type Decision } from '../eventsourcing/decider.ts';
import type { EventOf, RevocationReason } from './events.ts';
import { narrowed, restrictedTo, sameResources, type Resources } from './resource.ts';
import { isSameScope, isWithin, type Scope } from './scope.ts';
import { unreachable, type ClientId, type CredentialHash, type EpochSeconds, type GrantId, type UserId } from './values.ts';

/** The stream grant-<id>: one authorization from consent to its end. */
export type GrantEvent = EventOf<
  | 'ConsentGiven'
  | 'AuthorizationCodeIssued'
  | 'AuthorizationCodeRedeemed'
  | 'AccessTokenIssued'
  | 'RefreshTokenIssued'
  | 'RefreshTokenRotated'
  | 'GrantRevoked'
>;

type IssuedCode = EventOf<'AuthorizationCodeIssued'>['data'];
type IssuedAccessToken = EventOf<'AccessTokenIssued'>['data'];

/** A refresh token that was exchanged for another; older ones hang behind it. */
interface Spent {
  readonly hash: CredentialHash;
  readonly older: Spent | null;
}

interface RefreshFamily {
  readonly currentHash: CredentialHash;
  readonly clientId: ClientId;
  readonly userId: UserId;
  readonly scope: Scope;
  readonly resource: Resources;
  readonly expiresAt: EpochSeconds | null;
  readonly spent: Spent | null;
  /** The newest rotation, which may be asked for again: when it was, what it granted, and the access token of it. */
  readonly rotation: { readonly at: EpochSeconds; readonly scope: Scope; readonly access: IssuedAccessToken | null } | null;
}

export interface Grant {
  readonly status: 'absent' | 'open' | 'redeemed' | 'revoked';
  readonly clientId: ClientId | null;
  readonly code: IssuedCode | null;
  readonly refresh: RefreshFamily | null;
}

/** Hashes and lifetimes of the tokens that a command may issue. */
export interface TokensToIssue {
  readonly accessHash: CredentialHash;
  readonly accessExpiresAt: EpochSeconds;
  /** Whether the client proved itself with the secret that a rotation is about to end. */
  readonly previousSecretUsed: boolean;
}
interface RefreshToIssue {
  readonly refreshHash: CredentialHash;
  readonly refreshExpiresAt: EpochSeconds | null;
}

export interface IssueCode {
  readonly type: 'IssueCode';
  readonly grantId: GrantId;
  readonly clientId: ClientId;
  readonly userId: UserId;
  readonly scope: Scope;
  readonly resource: Resources;
  readonly consent: 'asked' | 'remembered' | 'skipped';
  readonly codeHash: CredentialHash;
  readonly redirectUri: string;
  readonly redirectUriRequired: boolean;
  readonly codeChallenge: IssuedCode['codeChallenge'];
  readonly expiresAt: EpochSeconds;
}

export interface RedeemCode extends TokensToIssue, RefreshToIssue {
  readonly type: 'RedeemCode';
  readonly grantId: GrantId;
  readonly codeHash: CredentialHash;
  readonly clientId: ClientId;
  readonly redirectUri: string | null;
  /** What the presented verifier hashes to under S256, and the verifier itself for `plain`; null when none was sent. */
  readonly verifier: { readonly S256: string; readonly plain: string } | null;
  /** Empty: all that the code is for. */
  readonly resource: Resources;
  readonly now: EpochSeconds;
}

/** RFC 6749 §4.4: the client acts for itself. */
export interface GrantToClient extends TokensToIssue {
  readonly type: 'GrantToClient';
  readonly grantId: GrantId;
  readonly clientId: ClientId;
  readonly scope: Scope;
  readonly resource: Resources;
}

/** RFC 6749 §4.3: the owner's password was right. */
export interface GrantByPassword extends TokensToIssue, RefreshToIssue {
  readonly type: 'GrantByPassword';
  readonly grantId: GrantId;
  readonly clientId: ClientId;
  readonly userId: UserId;
  readonly scope: Scope;
  readonly resource: Resources;
}

export interface RefreshGrant extends TokensToIssue, RefreshToIssue {
  readonly type: 'RefreshGrant';
  readonly grantId: GrantId;
  readonly clientId: ClientId;
  readonly presentedHash: CredentialHash;
  /** Null: all that the grant holds. */
  readonly scope: Scope | null;
  /** Empty: all that the grant is for. */
  readonly resource: Resources;
  readonly now: EpochSeconds;
  readonly reuseWindowSeconds: number;
}

export interface RevokeGrant {
  readonly type: 'RevokeGrant';
  readonly reason: RevocationReason;
}

export type GrantCommand = IssueCode | RedeemCode | GrantToClient | GrantByPassword | RefreshGrant | RevokeGrant;

export type GrantRefusal =
  | 'code-unknown'
  | 'code-expired'
  | 'code-replayed'
  | 'client-mismatch'
  | 'redirect-uri-mismatch'
  | 'code-verifier-missing'
  | 'code-verifier-unexpected'
  | 'code-verifier-mismatch'
  | 'grant-exists'
  | 'grant-revoked'
  | 'refresh-token-unknown'
  | 'refresh-token-expired'
  | 'refresh-token-reused'
  | 'retry-scope-differs'
  | 'retry-resource-differs'
  | 'scope-exceeds-grant'
  | 'resource-exceeds-grant';

type GrantDecision = Decision<GrantEvent, GrantRefusal>;

function issueCode(command: IssueCode, grant: Grant): GrantDecision {
  if (grant.status !== 'absent') return refuse('grant-exists');
  const { grantId, clientId, userId, scope, resource, codeHash, redirectUri, redirectUriRequired, codeChallenge, expiresAt } = command;
  return accept<GrantEvent>(
    { type: 'ConsentGiven', data: { grantId, clientId, userId, scope, basis: command.consent } },
    {
      type: 'AuthorizationCodeIssued',
      data: { codeHash, clientId, userId, scope, redirectUri, redirectUriRequired, codeChallenge, ...restrictedTo(resource), expiresAt },
    },
  );
}

function redeemCode(command: RedeemCode, grant: Grant): GrantDecision {
  const { code } = grant;
  if (code === null || code.codeHash !== command.codeHash) return refuse('code-unknown');
  if (code.clientId !== command.clientId) return refuse('client-mismatch');
  if (grant.status === 'revoked') return refuse('grant-revoked');
  if (grant.status === 'redeemed') return refuse('code-replayed', revoked('code-replayed'));
  if (command.now >= code.expiresAt) return refuse('code-expired');
  if (!sameRedirectUri(command.redirectUri, code)) return refuse('redirect-uri-mismatch');
  const mismatch = verifierMismatch(command.verifier, code.codeChallenge);
  if (mismatch !== undefined) return refuse(mismatch);
  const resource = narrowed(command.resource, code.resource ?? []);
  if (resource === undefined) return refuse('resource-exceeds-grant');
  return accept<GrantEvent>(
    { type: 'AuthorizationCodeRedeemed', data: { codeHash: code.codeHash } },
    accessTokenIssued(command, code.clientId, code.userId, code.scope, resource),
    refreshTokenIssued(command, code.clientId, code.userId, code.scope, code.resource ?? []),
  );
}

/** RFC 6749 §4.1.3: identical where the authorization request named one; elsewhere it may be left out. */
function sameRedirectUri(presented: string | null, code: IssuedCode): boolean {
  if (presented === null) return !code.redirectUriRequired;
  return presented === code.redirectUri;
}

/** RFC 7636 §4.6, and RFC 9700 §2.1.1: a verifier that nobody asked for is a downgrade attack. */
function verifierMismatch(verifier: RedeemCode['verifier'], asked: IssuedCode['codeChallenge']): GrantRefusal | undefined {
  if (asked === null) return verifier === null ? undefined : 'code-verifier-unexpected';
  if (verifier === null) return 'code-verifier-missing';
  return verifier[asked.method] === asked.challenge ? undefined : 'code-verifier-mismatch';
}

function grantToClient(command: GrantToClient, grant: Grant): GrantDecision {
  if (grant.status !== 'absent') return refuse('grant-exists');
  return accept<GrantEvent>(accessTokenIssued(command, command.clientId, null, command.scope, command.resource));
}

function grantByPassword(command: GrantByPassword, grant: Grant): GrantDecision {
  if (grant.status !== 'absent') return refuse('grant-exists');
  const { grantId, clientId, userId, scope, resource } = command;
  return accept<GrantEvent>(
    { type: 'ConsentGiven', data: { grantId, clientId, userId, scope, basis: 'password' } },
    accessTokenIssued(command, clientId, userId, scope, resource),
    refreshTokenIssued(command, clientId, userId, scope, resource),
  );
}

function refreshGrant(command: RefreshGrant, grant: Grant): GrantDecision {
  const family = grant.refresh;
  if (family === null) return refuse('refresh-token-unknown');
  if (!isOfFamily(family, command.presentedHash)) return refuse('refresh-token-unknown');
  if (family.clientId !== command.clientId) return refuse('client-mismatch');
  if (grant.status === 'revoked') return refuse('grant-revoked');
  return family.currentHash === command.presentedHash ? rotate(command, family) : repeatOrReuse(command, family);
}

/** Whether the token of that hash was ever one of the family's. */
export function isOfFamily(family: RefreshFamily, hash: CredentialHash): boolean {
  return family.currentHash === hash || wasSpent(family.spent, hash);
}

function rotate(command: RefreshGrant, family: RefreshFamily): GrantDecision {
  if (family.expiresAt !== null && command.now >= family.expiresAt) return refuse('refresh-token-expired');
  const scope = command.scope ?? family.scope;
  if (!isWithin(scope, family.scope)) return refuse('scope-exceeds-grant');
  const resource = narrowed(command.resource, family.resource);
  if (resource === undefined) return refuse('resource-exceeds-grant');
  return accept<GrantEvent>(
    {
      type: 'RefreshTokenRotated',
      data: {
        spentHash: family.currentHash,
        tokenHash: command.refreshHash,
        scope,
        rotatedAt: command.now,
        expiresAt: command.refreshExpiresAt,
      },
    },
    accessTokenIssued(command, family.clientId, family.userId, scope, resource),
  );
}

/**
 * The token was exchanged before. While its successor is untouched and the window is open, the
 * answer to that exchange was lost and is given once more, without an event: the successors derive
 * from the presented token. Anything else is reuse (RFC 9700 §4.14.2), and the grant ends.
 */
function repeatOrReuse(command: RefreshGrant, family: RefreshFamily): GrantDecision {
  const { rotation, spent } = family;
  const isNewest = rotation !== null && spent?.hash === command.presentedHash;
  if (!isNewest || command.now >= rotation.at + command.reuseWindowSeconds) {
    return refuse('refresh-token-reused', revoked('refresh-token-reused'));
  }
  if (!isSameScope(command.scope ?? family.scope, rotation.scope)) return refuse('retry-scope-differs');
  const resource = narrowed(command.resource, family.resource);
  const isSame = resource !== undefined && sameResources(resource, rotation.access?.resource ?? []);
  return isSame ? nothing : refuse('retry-resource-differs');
}

function wasSpent(newest: Spent | null, hash: CredentialHash): boolean {
  for (let spent = newest; spent !== null; spent = spent.older) if (spent.hash === hash) return true;
  return false;
}

function revokeGrant(command: RevokeGrant, grant: Grant): GrantDecision {
  if (grant.status === 'absent' || grant.status === 'revoked') return nothing;
  return accept<GrantEvent>(revoked(command.reason));
}

function revoked(reason: RevocationReason): GrantEvent {
  return { type: 'GrantRevoked', data: { reason } };
}

function accessTokenIssued(
  { grantId, accessHash, accessExpiresAt, previousSecretUsed }: TokensToIssue & { readonly grantId: GrantId },
  clientId: ClientId,
  userId: UserId | null,
  scope: Scope,
  resource: Resources,
): GrantEvent {
  const expiresAt = accessExpiresAt;
  const data = resource.length === 0
    ? { tokenHash: accessHash, grantId, clientId, userId, scope, expiresAt }
    : { tokenHash: accessHash, grantId, clientId, userId, scope, resource, expiresAt };
  return { type: 'AccessTokenIssued', data: previousSecretUsed ? { ...data, previousSecretUsed } : data };
}

function refreshTokenIssued(command: RefreshToIssue, clientId: ClientId, userId: UserId, scope: Scope, resource: Resources): GrantEvent {
  const { refreshHash: tokenHash, refreshExpiresAt: expiresAt } = command;
  const data = resource.length === 0 ? { tokenHash, clientId, userId, scope, expiresAt } : { tokenHash, clientId, userId, scope, resource, expiresAt };
  return { type: 'RefreshTokenIssued', data };
}

/** A code's grant follows from the consent form's nonce, and a form may be posted twice. */
function begins({ type }: GrantCommand): 'new-stream' | 'no-stream' | undefined {
  if (type === 'IssueCode') return 'no-stream';
  return type === 'GrantToClient' || type === 'GrantByPassword' ? 'new-stream' : undefined;
}

export const authorizationGrant: Decider<GrantCommand, Grant, GrantEvent, GrantRefusal> = {
  initial: { status: 'absent', clientId: null, code: null, refresh: null },
  begins,

  decide(command, grant) {
    switch (command.type) {
      case 'IssueCode': return issueCode(command, grant);
      case 'RedeemCode': return redeemCode(command, grant);
      case 'GrantToClient': return grantToClient(command, grant);
      case 'GrantByPassword': return grantByPassword(command, grant);
      case 'RefreshGrant': return refreshGrant(command, grant);
      case 'RevokeGrant': return revokeGrant(command, grant);
      default: return unreachable(command);
    }
  },

  /** Member by member: spread, the states of a refresh cost 3 µs more. */
  evolve(grant, event) {
    const { status, clientId, code, refresh } = grant;
    switch (event.type) {
      case 'ConsentGiven': return { status: 'open', clientId: event.data.clientId, code, refresh };
      case 'AuthorizationCodeIssued': return { status, clientId, code: event.data, refresh };
      case 'AuthorizationCodeRedeemed': return { status: 'redeemed', clientId, code, refresh };
      case 'AccessTokenIssued':
        return { status: status === 'absent' ? 'open' : status, clientId: event.data.clientId, code, refresh: withAccessToken(refresh, event.data) };
      case 'RefreshTokenIssued': return { status, clientId, code, refresh: firstOfFamily(event.data) };
      case 'RefreshTokenRotated': return { status, clientId, code, refresh: rotated(refresh, event.data) };
      case 'GrantRevoked': return { status: 'revoked', clientId, code, refresh };
      default: return unreachable(event);
    }
  },
};

function firstOfFamily({ tokenHash, clientId, userId, scope, resource = [], expiresAt }: EventOf<'RefreshTokenIssued'>['data']): RefreshFamily {
  return { currentHash: tokenHash, clientId, userId, scope, resource, expiresAt, spent: null, rotation: null };
}

/** Once there is a family, an access token comes of its newest rotation. */
function withAccessToken(family: RefreshFamily | null, access: IssuedAccessToken): RefreshFamily | null {
  if (family === null || family.rotation === null) return family;
  const { currentHash, clientId, userId, scope, resource, expiresAt, spent, rotation } = family;
  return { currentHash, clientId, userId, scope, resource, expiresAt, spent, rotation: { at: rotation.at, scope: rotation.scope, access } };
}

function rotated(family: RefreshFamily | null, data: EventOf<'RefreshTokenRotated'>['data']): RefreshFamily | null {
  if (family === null) return null; // a log where a rotation has no beginning: the auditor's finding, not ours to guess
  const { clientId, userId, scope, resource } = family;
  return {
    currentHash: data.tokenHash,
    clientId, userId, scope, resource,
    expiresAt: data.expiresAt,
    spent: { hash: data.spentHash, older: family.spent },
    rotation: { at: data.rotatedAt, scope: data.scope, access: null },
  };
}
