import type { RedeemedAssertion } from './assertion-grant.ts';
import { accept, noChange, refuse, type Decider, type Decision } from '../event-store/decider.ts';
import { haveSameDetails, areDetailsWithin, type RecordedDetail } from './authorization-details.ts';
import { confirmationMember, isSameConfirmation, type Confirmation } from './confirmation.ts';
import type { EventOf, GrantedClaims, Login, Management, Requested, RevocationReason, ShownText } from './events.ts';
import type { Mutable } from './mutable.ts';
import { narrowResources, resourceMember, areSameResources, type Resources } from './resource.ts';
import { isSameScope, isWithin, narrowScope, type Scope } from './scope.ts';
import { decideExchange, tokenExchanged, type ExchangeRequest } from './token-exchange.ts';
import {
  unreachable,
  type ClientId,
  type CredentialHash,
  type EpochSeconds,
  type GrantId,
  type KeyId,
  type UserId,
} from './values.ts';

/** The events of the stream grant-<id>: the life of one grant. */
export type GrantEvent = EventOf<
  | 'ConsentGiven'
  | 'AuthorizationCodeIssued'
  | 'AuthorizationCodeRedeemed'
  | 'DeviceAuthorized'
  | 'DeviceDenied'
  | 'DeviceCodeRedeemed'
  | 'TokenExchanged'
  | 'AssertionRedeemed'
  | 'AccessTokenIssued'
  | 'IdTokenIssued'
  | 'RefreshTokenIssued'
  | 'RefreshTokenRotated'
  | 'GrantSummarized'
  | 'GrantRevoked'
>;

type IssuedCode = EventOf<'AuthorizationCodeIssued'>['data'];
type IssuedDeviceCode = EventOf<'DeviceAuthorized'>['data'];
type Rotation = EventOf<'RefreshTokenRotated'>['data'];
type Summary = EventOf<'GrantSummarized'>['data'];
type GrantedDetails = EventOf<'ConsentGiven'>['data']['details'];

/** The latest access token of a grant. */
type IssuedAccessToken = Pick<
  EventOf<'AccessTokenIssued'>['data'],
  'tokenHash' | 'scope' | 'resource' | 'kid' | 'details' | 'confirmation' | 'expiresAt'
>;

type IssuedIdToken = EventOf<'IdTokenIssued'>['data'];

/**
 * The refresh tokens of a grant. Only the current token and its predecessor, which a retry may present, are stored.
 * Older tokens are recognized by their tags.
 */
interface RefreshFamily {
  readonly currentHash: CredentialHash;
  readonly clientId: ClientId;
  readonly userId: UserId;
  readonly scope: Scope;
  readonly resource: Resources;
  readonly expiresAt: EpochSeconds | null;
  /** Whether an earlier release issued tokens of the family without a tag. Such tokens are not self-authenticating. */
  readonly hasUntagged: boolean;
  /** The key or certificate that the tokens are bound to; undefined for bearer tokens. */
  readonly confirmation: Confirmation | undefined;
  /** The latest rotation, whose response can be repeated, and the token it replaced; null before the first rotation. */
  readonly rotation: { readonly spentHash: CredentialHash; readonly at: EpochSeconds } | null;
  /** The number of refreshes since the latest summary. */
  readonly refreshesSinceSummary: number;
}

/**
 * The state of a grant. Its size does not grow with refreshes: spent refresh tokens are not stored, but recognized by
 * their tags.
 */
export interface Grant {
  /** `denied`: the user denied the request from a device. */
  readonly status: 'absent' | 'open' | 'redeemed' | 'revoked' | 'denied';
  readonly clientId: ClientId | null;
  /** Null if no code has been issued, or if it has been redeemed. */
  readonly code: IssuedCode | null;
  /** Null if no device has been authorized, or if its code has been redeemed. */
  readonly deviceCode: IssuedDeviceCode | null;
  /** Whether the grant began with a device code. */
  readonly isDeviceGrant: boolean;
  /**
   * The hash of the redeemed authorization or device code, which must not be presented again; null if no code has been
   * redeemed.
   */
  readonly redeemedCodeHash: CredentialHash | null;
  /** The latest access token; null before the first one. */
  readonly access: IssuedAccessToken | null;
  readonly refresh: RefreshFamily | null;
  /** The login behind the authorization; undefined if it is not recorded, or if the client acts on its own behalf. */
  readonly login: Login | undefined;
  /** The claims granted individually, in addition to those that the scopes include, if any. */
  readonly claims: GrantedClaims | undefined;
  /** The granted authorization details, if any. */
  readonly details: GrantedDetails;
  /** The ID token issued with the latest access token, if any. */
  readonly idToken: IssuedIdToken | undefined;
  /**
   * Undefined if the client did not ask for grant management. Summaries omit it, because only the redemption of the
   * code needs it.
   */
  readonly management: Management | undefined;
  /** The grant that replaced this one in an update, or undefined. */
  readonly replacedBy: GrantId | undefined;
}

/** Reports whether the grant has begun and not ended. */
export const isActiveGrant = ({ status }: Pick<Grant, 'status'>): boolean => status === 'open' || status === 'redeemed';

/**
 * The number of refreshes per summary. The first refresh after a restart reads only the refreshes since the latest
 * summary, so reading a year of hourly refreshes takes no longer than reading a day of them. Summaries add 3% to the
 * size of the rotations.
 */
export const REFRESHES_PER_SUMMARY = 24;

/** The access token that a command issues, and how the client authenticated. */
export interface AccessTokenToIssue {
  /** When the tokens' lifetimes begin. */
  readonly now: EpochSeconds;
  readonly accessHash: CredentialHash;
  /** The key that signed the access token; undefined if it is opaque. */
  readonly accessKid?: KeyId | undefined;
  /** The key or certificate whose possession the request proved; undefined for a bearer token. */
  readonly confirmation?: Confirmation | undefined;
  readonly accessExpiresAt: EpochSeconds;
  /** The authorization details of the access token (RFC 9396), if any. */
  readonly details?: readonly RecordedDetail[] | undefined;
  /**
   * The only scopes that the access token may have: those that its resource servers define. Null if any scope is
   * allowed.
   */
  readonly definedScopes?: ReadonlySet<string> | null | undefined;
  /** Whether the client authenticated with the secret that a rotation replaced. */
  readonly previousSecretUsed: boolean;
  /**
   * The id of the registered key in the client's certificate; undefined if the client authenticated in a different way.
   */
  readonly clientKeyId?: KeyId | undefined;
}

interface IdTokenToIssue {
  /** Undefined if the scope does not contain `openid`. */
  readonly idToken?: IssuedIdToken | undefined;
}

/** The refresh token that a command issues. */
export interface RefreshTokenToIssue {
  /** Whether the refresh tokens are bound as well. RFC 9449 §5 requires it for public clients. */
  readonly bindRefreshToken?: boolean | undefined;
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
  /** Undefined if the request has none. */
  readonly nonce?: string | undefined;
  /** The thumbprint of the only key that can redeem the code (RFC 9449 §10); undefined if any can. */
  readonly dpopJkt?: string | undefined;
  /** Whether the client pushed the request (RFC 9126). */
  readonly isPushed?: boolean | undefined;
  /** Claims to grant individually, if any. */
  readonly claims?: GrantedClaims | undefined;
  /** Authorization details to grant, if any. */
  readonly details?: GrantedDetails;
  /** Undefined if unknown. */
  readonly login: Login | undefined;
  readonly requested: Requested | undefined;
  /** Undefined if the user saw no consent page. */
  readonly shown?: ShownText | undefined;
  /** The hash of the document that described the client; undefined if the client is registered here. */
  readonly documentHash?: CredentialHash | undefined;
  /** Undefined if the request does not ask for grant management. */
  readonly management?: Management | undefined;
  readonly now: EpochSeconds;
  readonly expiresAt: EpochSeconds;
}

export interface RedeemCode extends AccessTokenToIssue, RefreshTokenToIssue, IdTokenToIssue {
  readonly type: 'RedeemCode';
  readonly grantId: GrantId;
  readonly codeHash: CredentialHash;
  readonly clientId: ClientId;
  readonly redirectUri: string | null;
  /** The code challenge derived from the presented verifier, by method; null if no verifier was sent. */
  readonly verifier: { readonly S256: string; readonly plain: string } | null;
  /** Empty if the request is for all of the code's resource servers. */
  readonly resource: Resources;
  /** The grant that `ReplaceGrant` ends in the same append, if any. */
  readonly replaces?: GrantId | undefined;
}

/** The user approved the request from a device (RFC 8628 §3.3). */
export interface AuthorizeDevice {
  readonly type: 'AuthorizeDevice';
  readonly grantId: GrantId;
  readonly clientId: ClientId;
  readonly userId: UserId;
  readonly scope: Scope;
  readonly resource: Resources;
  readonly codeHash: CredentialHash;
  readonly details?: GrantedDetails;
  readonly login: Login | undefined;
  readonly requested: Requested;
  readonly shown?: ShownText | undefined;
  readonly now: EpochSeconds;
  readonly expiresAt: EpochSeconds;
}

export interface DenyDevice {
  readonly type: 'DenyDevice';
  readonly grantId: GrantId;
  readonly clientId: ClientId;
  readonly userId: UserId;
  readonly now: EpochSeconds;
}

/** Redeems a device code (RFC 8628 §3.4) after the user has decided. */
export interface RedeemDeviceCode extends AccessTokenToIssue, RefreshTokenToIssue, IdTokenToIssue {
  readonly type: 'RedeemDeviceCode';
  readonly grantId: GrantId;
  readonly codeHash: CredentialHash;
  readonly clientId: ClientId;
  /** Empty if the token request is for all of the device request's resource servers. */
  readonly resource: Resources;
}

/** Client credentials (RFC 6749 §4.4): the client acts on its own behalf. */
export interface GrantToClient extends AccessTokenToIssue {
  readonly type: 'GrantToClient';
  readonly grantId: GrantId;
  readonly clientId: ClientId;
  readonly scope: Scope;
  readonly resource: Resources;
}

/** The password grant (RFC 6749 §4.3), after the password has been verified. */
export interface GrantByPassword extends AccessTokenToIssue, RefreshTokenToIssue {
  readonly type: 'GrantByPassword';
  readonly grantId: GrantId;
  readonly clientId: ClientId;
  readonly userId: UserId;
  readonly scope: Scope;
  readonly resource: Resources;
  /** Undefined if unknown. */
  readonly login: Login | undefined;
  readonly requested: Requested | undefined;
}

export interface RefreshGrant extends AccessTokenToIssue, RefreshTokenToIssue, IdTokenToIssue {
  readonly type: 'RefreshGrant';
  /** Whether to keep the refresh token instead of rotating it, because only this client can use it. */
  readonly keepRefreshToken?: boolean | undefined;
  readonly grantId: GrantId;
  readonly clientId: ClientId;
  readonly presentedHash: CredentialHash;
  /** Whether the presented token was issued for this grant, according to its tag or the log. */
  readonly isPresentedTokenGenuine: boolean;
  /** Null if the request is for the grant's whole scope. */
  readonly scope: Scope | null;
  /** Empty if the request is for all of the grant's resource servers. */
  readonly resource: Resources;
  readonly reuseWindowSeconds: number;
}

/** Token exchange (RFC 8693). Its rules are in `token-exchange.ts`. */
export interface ExchangeToken extends ExchangeRequest, AccessTokenToIssue {
  readonly type: 'ExchangeToken';
  readonly grantId: GrantId;
}

/** The JWT bearer grant (RFC 7523 §2.1), after the assertion has been verified. */
export interface RedeemAssertion extends AccessTokenToIssue {
  readonly type: 'RedeemAssertion';
  readonly grantId: GrantId;
  readonly redeemed: RedeemedAssertion;
}

export interface RevokeGrant {
  readonly type: 'RevokeGrant';
  readonly reason: RevocationReason;
}

/** Ends a grant that the client is updating, in the append that redeems its replacement's code. */
export interface ReplaceGrant {
  readonly type: 'ReplaceGrant';
  readonly clientId: ClientId;
  readonly replacementId: GrantId;
}

export type GrantCommand =
  | IssueCode
  | RedeemCode
  | AuthorizeDevice
  | DenyDevice
  | RedeemDeviceCode
  | GrantToClient
  | GrantByPassword
  | RefreshGrant
  | ExchangeToken
  | ReplaceGrant
  | RedeemAssertion
  | RevokeGrant;

export type GrantRefusal =
  | 'code-unknown'
  | 'code-expired'
  | 'code-replayed'
  | 'client-mismatch'
  | 'device-denied'
  | 'redirect-uri-mismatch'
  | 'code-verifier-missing'
  | 'code-verifier-unexpected'
  | 'code-verifier-mismatch'
  | 'code-bound-to-key'
  | 'grant-exists'
  | 'grant-revoked'
  | 'refresh-token-unknown'
  | 'refresh-token-expired'
  | 'refresh-token-reused'
  | 'refresh-token-bound-to-key'
  | 'retry-scope-differs'
  | 'retry-resource-differs'
  | 'retry-key-differs'
  | 'retry-details-differ'
  | 'scope-exceeds-grant'
  | 'resource-exceeds-grant'
  | 'details-exceed-grant'
  | 'exchange-refused'
  | 'updated-grant-ended';

type GrantDecision = Decision<GrantEvent, GrantRefusal>;

function issueCode(command: IssueCode, grant: Grant): GrantDecision {
  if (grant.status !== 'absent') return refuse('grant-exists');
  const {
    clientId,
    userId,
    scope,
    resource,
    codeHash,
    redirectUri,
    redirectUriRequired,
    codeChallenge,
    nonce,
    dpopJkt,
    isPushed,
    expiresAt,
    login,
  } = command;
  return accept<GrantEvent>(consentGiven(command, command.consent, command), {
    type: 'AuthorizationCodeIssued',
    data: {
      codeHash,
      clientId,
      userId,
      scope,
      redirectUri,
      redirectUriRequired,
      codeChallenge,
      ...resourceMember(resource),
      ...(nonce === undefined ? {} : { nonce }),
      ...(dpopJkt === undefined ? {} : { dpopJkt }),
      ...(isPushed === true ? { pushed: true } : {}),
      expiresAt,
      ...loginMember(login),
    },
  });
}

function redeemCode(command: RedeemCode, grant: Grant): GrantDecision {
  const { code } = grant;
  if ((code?.codeHash ?? grant.redeemedCodeHash) !== command.codeHash) return refuse('code-unknown');
  if (grant.clientId !== command.clientId) return refuse('client-mismatch');
  if (grant.status === 'revoked') return refuse('grant-revoked');
  if (code === null) return refuse('code-replayed', grantRevoked('code-replayed'));
  if (command.now >= code.expiresAt) return refuse('code-expired');
  if (!repeatsRedirectUri(command.redirectUri, code)) return refuse('redirect-uri-mismatch');
  const mismatch = verifierMismatch(command.verifier, code.codeChallenge);
  if (mismatch !== undefined) return refuse(mismatch);
  if (isBoundToDifferentKey(code, command.confirmation)) return refuse('code-bound-to-key');
  const resource = narrowResources(command.resource, code.resource ?? []);
  if (resource === undefined) return refuse('resource-exceeds-grant');
  if (!areDetailsWithin(command.details, grant.details)) return refuse('details-exceed-grant');
  if (grant.management?.updates !== command.replaces) return refuse('updated-grant-ended');
  return accept<GrantEvent>(
    { type: 'AuthorizationCodeRedeemed', data: { codeHash: code.codeHash } },
    accessTokenIssued(command, code.clientId, code.userId, code.scope, resource, grant.login),
    refreshTokenIssued(command, code.clientId, code.userId, code.scope, code.resource ?? [], grant.login),
    ...idTokenIssued(command),
  );
}

/** Reports whether the code is bound to a key that was not presented (RFC 9449 §10). */
function isBoundToDifferentKey({ dpopJkt }: IssuedCode, presented: Confirmation | undefined): boolean {
  return dpopJkt !== undefined && !isSameConfirmation({ method: 'jkt', thumbprint: dpopJkt }, presented);
}

/**
 * Reports whether the token request repeats the redirect URI, which is required if the authorization request contained
 * it (RFC 6749 §4.1.3).
 */
function repeatsRedirectUri(presented: string | null, code: IssuedCode): boolean {
  if (presented === null) return !code.redirectUriRequired;
  return presented === code.redirectUri;
}

/**
 * Returns the refusal if the verifier is missing or does not match the challenge (RFC 7636 §4.6), or undefined if it
 * matches. A verifier without a challenge indicates a downgrade attack (RFC 9700 §2.1.1).
 */
function verifierMismatch(
  verifier: RedeemCode['verifier'],
  expected: IssuedCode['codeChallenge'],
): GrantRefusal | undefined {
  if (expected === null) return verifier === null ? undefined : 'code-verifier-unexpected';
  if (verifier === null) return 'code-verifier-missing';
  return verifier[expected.method] === expected.challenge ? undefined : 'code-verifier-mismatch';
}

function authorizeDevice(command: AuthorizeDevice, grant: Grant): GrantDecision {
  if (grant.status !== 'absent') return refuse('grant-exists');
  const { clientId, userId, scope, resource, codeHash, expiresAt, login } = command;
  return accept<GrantEvent>(consentGiven(command, 'device', { shown: command.shown, details: command.details }), {
    type: 'DeviceAuthorized',
    data: { codeHash, clientId, userId, scope, ...resourceMember(resource), expiresAt, ...loginMember(login) },
  });
}

/**
 * Decides a denial. If the device was already approved, the approval is revoked. Otherwise, the denial is recorded, so
 * that `authorizeDevice` refuses a later approval.
 */
function denyDevice({ grantId, clientId, userId }: DenyDevice, grant: Grant): GrantDecision {
  if (grant.status === 'revoked' || grant.status === 'denied') return noChange;
  if (grant.status !== 'absent') return accept<GrantEvent>(grantRevoked('revoked-by-resource-owner'));
  return accept<GrantEvent>({ type: 'DeviceDenied', data: { grantId, clientId, userId } });
}

function redeemDeviceCode(command: RedeemDeviceCode, grant: Grant): GrantDecision {
  if (grant.status === 'denied') return refuse('device-denied');
  const { deviceCode } = grant;
  if (!grant.isDeviceGrant || (deviceCode?.codeHash ?? grant.redeemedCodeHash) !== command.codeHash)
    return refuse('code-unknown');
  if (grant.clientId !== command.clientId) return refuse('client-mismatch');
  if (grant.status === 'revoked') return refuse('grant-revoked');
  if (deviceCode === null) return refuse('code-replayed', grantRevoked('device-code-replayed'));
  if (command.now >= deviceCode.expiresAt) return refuse('code-expired');
  const { clientId, userId, scope } = deviceCode;
  const granted = deviceCode.resource ?? [];
  const resource = narrowResources(command.resource, granted);
  if (resource === undefined) return refuse('resource-exceeds-grant');
  if (!areDetailsWithin(command.details, grant.details)) return refuse('details-exceed-grant');
  return accept<GrantEvent>(
    { type: 'DeviceCodeRedeemed', data: { codeHash: deviceCode.codeHash } },
    accessTokenIssued(command, clientId, userId, scope, resource, grant.login),
    refreshTokenIssued(command, clientId, userId, scope, granted, grant.login),
    ...idTokenIssued(command),
  );
}

function grantToClient(command: GrantToClient, grant: Grant): GrantDecision {
  if (grant.status !== 'absent') return refuse('grant-exists');
  const { clientId, scope, resource } = command;
  return accept<GrantEvent>(accessTokenIssued(command, clientId, null, scope, resource, undefined));
}

function grantByPassword(command: GrantByPassword, grant: Grant): GrantDecision {
  if (grant.status !== 'absent') return refuse('grant-exists');
  const { clientId, userId, scope, resource, login } = command;
  return accept<GrantEvent>(
    consentGiven(command, 'password'),
    accessTokenIssued(command, clientId, userId, scope, resource, login),
    refreshTokenIssued(command, clientId, userId, scope, resource, login),
  );
}

function refreshGrant(command: RefreshGrant, grant: Grant): GrantDecision {
  const family = grant.refresh;
  if (family === null) return refuse('refresh-token-unknown');
  if (!command.isPresentedTokenGenuine && !isCurrentOrPrevious(family, command.presentedHash))
    return refuse('refresh-token-unknown');
  if (family.clientId !== command.clientId) return refuse('client-mismatch');
  if (grant.status === 'revoked') return refuse('grant-revoked');
  // Checked before reuse, so that a thief without the key cannot get the grant revoked with a stolen token.
  if (family.confirmation !== undefined && !isSameConfirmation(family.confirmation, command.confirmation))
    return refuse('refresh-token-bound-to-key');
  const decide = family.currentHash === command.presentedHash ? issueNextTokens : repeatOrRevoke;
  return decide(command, family, grant);
}

/** Reports whether `hash` is that of the current or the previous refresh token. */
export function isCurrentOrPrevious({ currentHash, rotation }: RefreshFamily, hash: CredentialHash): boolean {
  return currentHash === hash || rotation?.spentHash === hash;
}

function issueNextTokens(command: RefreshGrant, family: RefreshFamily, grant: Grant): GrantDecision {
  if (family.expiresAt !== null && command.now >= family.expiresAt) return refuse('refresh-token-expired');
  const scope = command.scope ?? family.scope;
  if (!isWithin(scope, family.scope)) return refuse('scope-exceeds-grant');
  const resource = narrowResources(command.resource, family.resource);
  if (resource === undefined) return refuse('resource-exceeds-grant');
  if (!areDetailsWithin(command.details, grant.details)) return refuse('details-exceed-grant');
  const isRotated = command.keepRefreshToken !== true;
  const events = [
    ...(isRotated ? [refreshTokenRotated(command, family, scope, retiredAccessToken(command, grant.access))] : []),
    accessTokenIssued(command, family.clientId, family.userId, scope, resource, grant.login),
    ...idTokenIssued(command),
  ];
  if (family.refreshesSinceSummary + 1 < REFRESHES_PER_SUMMARY) return { events };
  return { events: [...events, ...grantSummarized(events.reduce(evolve, grant))] };
}

/**
 * Returns the access token that was issued with the spent refresh token, and its new expiry, the end of the reuse
 * window. Parallel requests from the client may need the token until then, but a thief must not be able to use it for
 * hours. Returns undefined if the token expires before then anyway.
 */
function retiredAccessToken(
  { now, reuseWindowSeconds }: RefreshGrant,
  access: IssuedAccessToken | null,
): Rotation['retired'] {
  const endsAt = (now + reuseWindowSeconds) as EpochSeconds;
  return access === null || access.expiresAt <= endsAt ? undefined : { tokenHash: access.tokenHash, endsAt };
}

/**
 * Decides a refresh with a token that was issued for this grant but is not the current one. If it is the previous token
 * and the reuse window is still open, the client may have missed the response. The response is repeated without an
 * event, because the successors are derived from the presented token. A retry with different parameters is refused. If
 * an older token was presented, or the window has closed, the token was reused (RFC 9700 §4.14.2), and the grant is
 * revoked.
 */
function repeatOrRevoke(command: RefreshGrant, family: RefreshFamily, { access }: Grant): GrantDecision {
  const { rotation } = family;
  if (rotation?.spentHash !== command.presentedHash || command.now >= rotation.at + command.reuseWindowSeconds) {
    return refuse('refresh-token-reused', grantRevoked('refresh-token-reused'));
  }
  const scope = narrowScope(command.scope ?? family.scope, command.definedScopes ?? null);
  if (!isSameScope(scope, access?.scope ?? [])) return refuse('retry-scope-differs');
  const resource = narrowResources(command.resource, family.resource);
  const hasSameResources = resource !== undefined && areSameResources(resource, access?.resource ?? []);
  if (!hasSameResources) return refuse('retry-resource-differs');
  if (!haveSameDetails(command.details, access?.details)) return refuse('retry-details-differ');
  return isSameConfirmation(command.confirmation, access?.confirmation) ? noChange : refuse('retry-key-differs');
}

function exchangeToken(command: ExchangeToken, grant: Grant): GrantDecision {
  if (grant.status !== 'absent') return refuse('grant-exists');
  const allowed = decideExchange(command);
  if ('problem' in allowed) return refuse('exchange-refused');
  const { clientId, subject, now, accessExpiresAt: expiresAt, details } = command;
  if (now >= expiresAt || expiresAt > allowed.latestExpiry) return refuse('exchange-refused');
  if (!areDetailsWithin(details, subject.details)) return refuse('exchange-refused');
  const exchanged = tokenExchanged(command, allowed, command);
  if (exchanged.scope.length === 0 && details === undefined) return refuse('exchange-refused');
  return accept<GrantEvent>(
    { type: 'TokenExchanged', data: exchanged },
    accessTokenIssued(command, clientId, subject.userId, exchanged.scope, allowed.resource, subject.login, 'exchanged'),
  );
}

/**
 * Decides a redemption. The grant's id is derived from the assertion, so if the grant exists, the assertion has already
 * been redeemed.
 */
function redeemAssertion(command: RedeemAssertion, grant: Grant): GrantDecision {
  if (grant.status !== 'absent') return refuse('grant-exists');
  const { redeemed } = command;
  const { clientId, userId, scope, resource = [] } = redeemed;
  return accept<GrantEvent>(
    { type: 'AssertionRedeemed', data: redeemed },
    accessTokenIssued(command, clientId, userId, scope, resource, undefined, 'asserted'),
  );
}

function revokeGrant(command: RevokeGrant, grant: Grant): GrantDecision {
  if (grant.status !== 'open' && grant.status !== 'redeemed') return noChange;
  return accept<GrantEvent>(grantRevoked(command.reason));
}

/**
 * Ends the grant that an update replaces. A grant can be updated once, by its client, after its tokens have been
 * issued.
 */
function replaceGrant({ clientId, replacementId }: ReplaceGrant, grant: Grant): GrantDecision {
  if (grant.status !== 'redeemed' || grant.clientId !== clientId) return refuse('updated-grant-ended');
  return accept<GrantEvent>({ type: 'GrantRevoked', data: { reason: 'updated', replacedBy: replacementId } });
}

function grantRevoked(reason: RevocationReason): GrantEvent {
  return { type: 'GrantRevoked', data: { reason } };
}

function consentGiven(
  { grantId, clientId, userId, scope, login, requested }: IssueCode | GrantByPassword | AuthorizeDevice,
  basis: EventOf<'ConsentGiven'>['data']['basis'],
  {
    claims,
    details,
    shown,
    documentHash,
    management,
  }: Partial<Pick<IssueCode, 'claims' | 'details' | 'shown' | 'documentHash' | 'management'>> = {},
): GrantEvent {
  const data: Mutable<EventOf<'ConsentGiven'>['data']> = {
    grantId,
    clientId,
    userId,
    scope,
    basis,
    ...claimsMember(claims),
    ...loginMember(login),
  };
  if (details !== undefined) data.details = details;
  if (requested !== undefined) data.requested = requested;
  if (shown !== undefined) data.shown = shown;
  if (documentHash !== undefined) data.documentHash = documentHash;
  if (management !== undefined) data.management = management;
  return { type: 'ConsentGiven', data };
}

/** Returns `{ login }`, or `{}` if the login is not known. */
function loginMember(login: Login | undefined): { readonly login?: Login } {
  return login === undefined ? {} : { login };
}

/** Returns `{ claims }`, or `{}` without claims. */
function claimsMember(claims: GrantedClaims | undefined): { readonly claims?: GrantedClaims } {
  return claims === undefined ? {} : { claims };
}

/** Returns `{ details }`, or `{}` without details. */
function detailsMember<Details>(details: Details | undefined): { readonly details?: Details } {
  return details === undefined ? {} : { details };
}

/**
 * Returns the event that records an issued access token. Assigns its members one by one, because spreading is slower
 * (`npm run bench -- micro`).
 */
function accessTokenIssued(
  {
    grantId,
    accessHash,
    accessKid,
    confirmation,
    accessExpiresAt,
    previousSecretUsed,
    clientKeyId,
    details,
    definedScopes = null,
  }: AccessTokenToIssue & { readonly grantId: GrantId },
  clientId: ClientId,
  userId: UserId | null,
  granted: Scope,
  resource: Resources,
  login: Login | undefined,
  origin?: 'exchanged' | 'asserted',
): GrantEvent {
  const expiresAt = accessExpiresAt;
  const scope = narrowScope(granted, definedScopes);
  const data: Mutable<EventOf<'AccessTokenIssued'>['data']> =
    resource.length === 0
      ? { tokenHash: accessHash, grantId, clientId, userId, scope, expiresAt }
      : { tokenHash: accessHash, grantId, clientId, userId, scope, resource, expiresAt };
  if (details !== undefined) data.details = details;
  if (origin !== undefined) data[origin] = true;
  if (accessKid !== undefined) data.kid = accessKid;
  if (confirmation !== undefined) data.confirmation = confirmation;
  if (login !== undefined) data.login = login;
  if (previousSecretUsed) data.previousSecretUsed = true;
  if (clientKeyId !== undefined) data.clientKeyId = clientKeyId;
  return { type: 'AccessTokenIssued', data };
}

function idTokenIssued({ idToken }: IdTokenToIssue): readonly GrantEvent[] {
  return idToken === undefined ? [] : [{ type: 'IdTokenIssued', data: idToken }];
}

function refreshTokenIssued(
  command: RefreshTokenToIssue & Pick<AccessTokenToIssue, 'confirmation'>,
  clientId: ClientId,
  userId: UserId,
  scope: Scope,
  resource: Resources,
  login: Login | undefined,
): GrantEvent {
  const { refreshHash: tokenHash, refreshExpiresAt: expiresAt, bindRefreshToken, confirmation } = command;
  const tagged = true;
  const data: Mutable<EventOf<'RefreshTokenIssued'>['data']> =
    resource.length === 0
      ? { tokenHash, tagged, clientId, userId, scope, expiresAt }
      : { tokenHash, tagged, clientId, userId, scope, resource, expiresAt };
  if (bindRefreshToken === true && confirmation !== undefined) data.confirmation = confirmation;
  if (login !== undefined) data.login = login;
  return { type: 'RefreshTokenIssued', data };
}

function refreshTokenRotated(
  { refreshHash: tokenHash, now: rotatedAt, refreshExpiresAt: expiresAt }: RefreshGrant,
  { currentHash: spentHash }: RefreshFamily,
  scope: Scope,
  retired: Rotation['retired'],
): GrantEvent {
  const data =
    retired === undefined
      ? { spentHash, tokenHash, scope, rotatedAt, expiresAt }
      : { spentHash, tokenHash, scope, rotatedAt, expiresAt, retired };
  return { type: 'RefreshTokenRotated', data };
}

/** Returns the event that summarizes the stream so far, or an empty list for a grant without a refresh token. */
function grantSummarized(grant: Grant): readonly GrantEvent[] {
  const { redeemedCodeHash, isDeviceGrant, access, refresh, login, claims, details, idToken } = grant;
  if (access === null || refresh === null) return [];
  const { currentHash: tokenHash, clientId, userId, scope, resource, expiresAt, hasUntagged, confirmation } = refresh;
  const { rotation } = refresh;
  const rotationMembers = rotation === null ? {} : { spentHash: rotation.spentHash, rotatedAt: rotation.at };
  const binding = confirmationMember(confirmation);
  const refreshToken = { tokenHash, expiresAt, ...rotationMembers, hasUntagged, ...binding };
  const accessToken = {
    tokenHash: access.tokenHash,
    scope: access.scope,
    ...resourceMember(access.resource ?? []),
    ...(access.kid === undefined ? {} : { kid: access.kid }),
    ...detailsMember(access.details),
    ...confirmationMember(access.confirmation),
    expiresAt: access.expiresAt,
  };
  const redemption = isDeviceGrant ? ({ redeemedCodeHash, device: true } as const) : { redeemedCodeHash };
  const state = { clientId, userId, ...redemption, scope, ...resourceMember(resource), refreshToken, accessToken };
  const optionalMembers = {
    ...claimsMember(claims),
    ...detailsMember(details),
    ...(idToken === undefined ? {} : { idToken }),
  };
  return [{ type: 'GrantSummarized', data: { ...state, ...loginMember(login), ...optionalMembers } }];
}

/**
 * Returns `no-stream` if the grant's id may occur twice, because it is derived from a consent form, a device request or
 * an assertion, and `new-stream` if it is random. Returns undefined for commands to an existing grant.
 */
function initialRevisionOf({ type }: GrantCommand): 'new-stream' | 'no-stream' | undefined {
  if (type === 'IssueCode' || type === 'AuthorizeDevice' || type === 'RedeemAssertion') return 'no-stream';
  return type === 'GrantToClient' || type === 'GrantByPassword' || type === 'ExchangeToken' ? 'new-stream' : undefined;
}

export const authorizationGrant: Decider<GrantCommand, Grant, GrantEvent, GrantRefusal> = {
  initial: {
    status: 'absent',
    clientId: null,
    code: null,
    deviceCode: null,
    isDeviceGrant: false,
    redeemedCodeHash: null,
    access: null,
    refresh: null,
    login: undefined,
    claims: undefined,
    details: undefined,
    idToken: undefined,
    management: undefined,
    replacedBy: undefined,
  },
  initialRevision: initialRevisionOf,
  decidedAt: (command) => ('now' in command ? command.now : undefined),
  isSummary: ({ type }) => type === 'GrantSummarized',

  decide(command, grant) {
    switch (command.type) {
      case 'IssueCode':
        return issueCode(command, grant);
      case 'RedeemCode':
        return redeemCode(command, grant);
      case 'AuthorizeDevice':
        return authorizeDevice(command, grant);
      case 'DenyDevice':
        return denyDevice(command, grant);
      case 'RedeemDeviceCode':
        return redeemDeviceCode(command, grant);
      case 'GrantToClient':
        return grantToClient(command, grant);
      case 'GrantByPassword':
        return grantByPassword(command, grant);
      case 'RefreshGrant':
        return refreshGrant(command, grant);
      case 'ExchangeToken':
        return exchangeToken(command, grant);
      case 'ReplaceGrant':
        return replaceGrant(command, grant);
      case 'RedeemAssertion':
        return redeemAssertion(command, grant);
      case 'RevokeGrant':
        return revokeGrant(command, grant);
      default:
        return unreachable(command);
    }
  },

  evolve,
};

function evolve(grant: Grant, { type, data }: GrantEvent): Grant {
  const next = copyGrant(grant);
  switch (type) {
    case 'ConsentGiven':
      next.status = 'open';
      next.clientId = data.clientId;
      next.isDeviceGrant = data.basis === 'device';
      next.login = data.login;
      next.claims = data.claims;
      next.details = data.details;
      next.management = data.management;
      return next;
    case 'AuthorizationCodeIssued':
      next.code = data;
      return next;
    case 'DeviceAuthorized':
      next.deviceCode = data;
      return next;
    case 'DeviceDenied':
      next.status = 'denied';
      next.clientId = data.clientId;
      next.isDeviceGrant = true;
      return next;
    case 'AuthorizationCodeRedeemed':
    case 'DeviceCodeRedeemed':
      next.status = 'redeemed';
      next.code = null;
      next.deviceCode = null;
      next.redeemedCodeHash = data.codeHash;
      return next;
    case 'TokenExchanged':
      next.status = 'open';
      next.clientId = data.clientId;
      next.login = data.login;
      return next;
    case 'AssertionRedeemed':
      next.status = 'open';
      next.clientId = data.clientId;
      return next;
    case 'AccessTokenIssued':
      if (next.status === 'absent') next.status = 'open';
      next.clientId = data.clientId;
      next.access = data;
      next.refresh = next.refresh && countRefresh(next.refresh);
      next.idToken = undefined;
      return next;
    case 'IdTokenIssued':
      next.idToken = data;
      return next;
    case 'RefreshTokenIssued':
      next.refresh = newFamily(data);
      return next;
    case 'RefreshTokenRotated':
      next.refresh = next.refresh && rotateFamily(next.refresh, data); // null in a corrupt log: the audit reports it
      return next;
    case 'GrantSummarized':
      return grantFromSummary(data);
    case 'GrantRevoked':
      next.status = 'revoked';
      next.replacedBy = data.replacedBy;
      return next;
    default:
      return unreachable(type);
  }
}

/**
 * Copies member by member, because spreading grants of several shapes is ten times slower (`npm run bench -- micro`).
 */
function copyGrant(grant: Grant): Mutable<Grant> {
  const { status, clientId, code, deviceCode, isDeviceGrant, redeemedCodeHash } = grant;
  const { access, refresh, login, claims, details, idToken, management, replacedBy } = grant;
  return {
    status,
    clientId,
    code,
    deviceCode,
    isDeviceGrant,
    redeemedCodeHash,
    access,
    refresh,
    login,
    claims,
    details,
    idToken,
    management,
    replacedBy,
  };
}

function newFamily(data: EventOf<'RefreshTokenIssued'>['data']): RefreshFamily {
  const { tokenHash: currentHash, tagged, clientId, userId, scope, resource = [], confirmation, expiresAt } = data;
  const hasUntagged = tagged !== true;
  return {
    currentHash,
    clientId,
    userId,
    scope,
    resource,
    expiresAt,
    hasUntagged,
    confirmation,
    rotation: null,
    refreshesSinceSummary: 0,
  };
}

function rotateFamily(family: RefreshFamily, { tokenHash, spentHash, rotatedAt, expiresAt }: Rotation): RefreshFamily {
  const next = copyFamily(family);
  next.currentHash = tokenHash;
  next.expiresAt = expiresAt;
  next.rotation = { spentHash, at: rotatedAt };
  return next;
}

/**
 * Returns the family with one more refresh. Each refresh issues one access token, whether it rotates the refresh token
 * or not.
 */
function countRefresh(family: RefreshFamily): RefreshFamily {
  const next = copyFamily(family);
  next.refreshesSinceSummary += 1;
  return next;
}

/** Copies member by member, like `copyGrant`. */
function copyFamily(family: RefreshFamily): Mutable<RefreshFamily> {
  const { currentHash, clientId, userId, scope, resource, expiresAt } = family;
  const { hasUntagged, confirmation, rotation, refreshesSinceSummary } = family;
  return {
    currentHash,
    clientId,
    userId,
    scope,
    resource,
    expiresAt,
    hasUntagged,
    confirmation,
    rotation,
    refreshesSinceSummary,
  };
}

function grantFromSummary(summary: Summary): Grant {
  const { clientId, userId, redeemedCodeHash, device = false, scope, resource = [], ...rest } = summary;
  const { login, claims, details, idToken, ...latestTokens } = rest;
  const {
    tokenHash: currentHash,
    expiresAt,
    spentHash,
    rotatedAt: at,
    hasUntagged,
    confirmation,
  } = latestTokens.refreshToken;
  const family = { currentHash, clientId, userId, scope, resource, expiresAt, hasUntagged, confirmation };
  const rotation = spentHash === undefined || at === undefined ? null : { spentHash, at };
  return {
    status: redeemedCodeHash === null ? 'open' : 'redeemed',
    clientId,
    code: null,
    deviceCode: null,
    isDeviceGrant: device,
    redeemedCodeHash,
    access: latestTokens.accessToken,
    refresh: { ...family, rotation, refreshesSinceSummary: 0 },
    login,
    claims,
    details,
    idToken,
    management: undefined,
    replacedBy: undefined,
  };
}
