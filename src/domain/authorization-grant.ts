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
  /** The time of the latest rotation and the token that it replaced; null before the first rotation. */
  readonly rotation: { readonly spentHash: CredentialHash; readonly at: EpochSeconds } | null;
  /** The number of refreshes since the latest summary. */
  readonly refreshesSinceSummary: number;
}

/**
 * The state of a grant. Its size does not grow with refreshes, because only the latest two refresh tokens are stored.
 */
export interface Grant {
  /** `denied`: the user denied a request from a device. */
  readonly status: 'absent' | 'open' | 'redeemed' | 'revoked' | 'denied';
  readonly clientId: ClientId | null;
  /** Null before a code is issued and after the code is redeemed. */
  readonly code: IssuedCode | null;
  /** Null before a device is authorized and after the device code is redeemed. */
  readonly deviceCode: IssuedDeviceCode | null;
  /** Whether a device requested the grant. */
  readonly isDeviceGrant: boolean;
  /**
   * The hash of the redeemed authorization or device code, which must not be presented again; null if no code has been
   * redeemed.
   */
  readonly redeemedCodeHash: CredentialHash | null;
  /** The latest access token; null before the first access token is issued. */
  readonly access: IssuedAccessToken | null;
  readonly refresh: RefreshFamily | null;
  /** The login behind the authorization; undefined if none is recorded or the client acts on its own behalf. */
  readonly login: Login | undefined;
  /** The claims granted in addition to those that the scopes include; undefined if no such claims were granted. */
  readonly claims: GrantedClaims | undefined;
  /** The granted authorization details (RFC 9396); undefined if none were granted. */
  readonly details: GrantedDetails;
  /** The ID token issued with the latest access token; undefined if none was issued. */
  readonly idToken: IssuedIdToken | undefined;
  /**
   * Undefined if the client did not request grant management. Summaries omit this member, because it is needed only to
   * redeem the code.
   */
  readonly management: Management | undefined;
  /** The grant that replaced this grant in an update; undefined if this grant was not replaced. */
  readonly replacedBy: GrantId | undefined;
}

/** Reports whether the grant has begun and has not ended. */
export const isActiveGrant = ({ status }: Pick<Grant, 'status'>): boolean => status === 'open' || status === 'redeemed';

/**
 * The number of refreshes per summary. The first refresh after a restart reads only the refreshes since the latest
 * summary, so reading a year of hourly refreshes takes no longer than reading a day of them. Summaries add 3% to the
 * size of the rotations.
 */
export const REFRESHES_PER_SUMMARY = 24;

/** The access token that a command issues, and how the client authenticated. */
export interface AccessTokenToIssue {
  /** The start of the tokens' lifetimes. */
  readonly now: EpochSeconds;
  readonly accessHash: CredentialHash;
  /** The key that signed the access token; undefined if it is opaque. */
  readonly accessKid?: KeyId | undefined;
  /** The key or certificate whose possession the request proved; undefined for a bearer token. */
  readonly confirmation?: Confirmation | undefined;
  readonly accessExpiresAt: EpochSeconds;
  /** The authorization details of the access token (RFC 9396); undefined if it has none. */
  readonly details?: readonly RecordedDetail[] | undefined;
  /**
   * The only scopes that the access token may have: those that its resource servers define. Null or undefined if any
   * scope is allowed.
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
  /** Whether to bind the refresh token too, as RFC 9449 §5 requires for public clients. */
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
  /** Undefined if the request has no nonce. */
  readonly nonce?: string | undefined;
  /** The thumbprint of the key that the code is bound to (RFC 9449 §10); undefined if the code is not bound. */
  readonly dpopJkt?: string | undefined;
  /** Whether the client pushed the request (RFC 9126). */
  readonly isPushed?: boolean | undefined;
  /** The claims to grant in addition to those that the scopes include. */
  readonly claims?: GrantedClaims | undefined;
  /** The authorization details to grant. */
  readonly details?: GrantedDetails;
  /** Undefined if unknown. */
  readonly login: Login | undefined;
  readonly requested: Requested | undefined;
  /** Undefined if the user saw no consent page. */
  readonly shown?: ShownText | undefined;
  /** The hash of the document that described the client; undefined if the client is registered on this server. */
  readonly documentHash?: CredentialHash | undefined;
  /** Undefined if the client did not request grant management. */
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
  /** The code challenges derived from the presented verifier, by method; null if the client sent no verifier. */
  readonly verifier: { readonly S256: string; readonly plain: string } | null;
  /** Empty if the request is for all of the code's resource servers. */
  readonly resource: Resources;
  /** The grant that `ReplaceGrant` ends in the same append; undefined if the code does not update a grant. */
  readonly replaces?: GrantId | undefined;
}

/** Records that the user approved a request from a device (RFC 8628 §3.3). */
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

/** The client credentials grant (RFC 6749 §4.4): the client acts on its own behalf. */
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
  /** Whether to keep the refresh token, which no other client can use, instead of rotating it. */
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
  readonly redeemedAssertion: RedeemedAssertion;
}

export interface RevokeGrant {
  readonly type: 'RevokeGrant';
  readonly reason: RevocationReason;
}

/** Ends a grant that the client is updating, in the same append that redeems the code of its replacement. */
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
  if (!isRedirectUriValid(command.redirectUri, code)) return refuse('redirect-uri-mismatch');
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

/** Reports whether the code is bound to a key whose possession the request did not prove (RFC 9449 §10). */
function isBoundToDifferentKey({ dpopJkt }: IssuedCode, confirmation: Confirmation | undefined): boolean {
  return dpopJkt !== undefined && !isSameConfirmation({ method: 'jkt', thumbprint: dpopJkt }, confirmation);
}

/**
 * Reports whether the redirect URI in the token request is that of the code. The token request may omit it only if the
 * authorization request did (RFC 6749 §4.1.3).
 */
function isRedirectUriValid(presentedUri: string | null, code: IssuedCode): boolean {
  if (presentedUri === null) return !code.redirectUriRequired;
  return presentedUri === code.redirectUri;
}

/**
 * Returns the refusal if the verifier does not match the challenge (RFC 7636 §4.6), or undefined if they match or both
 * are absent. A verifier without a challenge indicates a downgrade attack (RFC 9700 §2.1.1).
 */
function verifierMismatch(
  verifier: RedeemCode['verifier'],
  codeChallenge: IssuedCode['codeChallenge'],
): GrantRefusal | undefined {
  if (codeChallenge === null) return verifier === null ? undefined : 'code-verifier-unexpected';
  if (verifier === null) return 'code-verifier-missing';
  return verifier[codeChallenge.method] === codeChallenge.challenge ? undefined : 'code-verifier-mismatch';
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
 * Revokes the grant if the user has already approved the request. Otherwise, records the denial, so that
 * `authorizeDevice` refuses a later approval.
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
  const grantedResources = deviceCode.resource ?? [];
  const resource = narrowResources(command.resource, grantedResources);
  if (resource === undefined) return refuse('resource-exceeds-grant');
  if (!areDetailsWithin(command.details, grant.details)) return refuse('details-exceed-grant');
  return accept<GrantEvent>(
    { type: 'DeviceCodeRedeemed', data: { codeHash: deviceCode.codeHash } },
    accessTokenIssued(command, clientId, userId, scope, resource, grant.login),
    refreshTokenIssued(command, clientId, userId, scope, grantedResources, grant.login),
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
  // This check precedes the check for reuse, so that a thief without the key cannot use a stolen token to get the grant
  // revoked.
  if (family.confirmation !== undefined && !isSameConfirmation(family.confirmation, command.confirmation))
    return refuse('refresh-token-bound-to-key');
  const decide = family.currentHash === command.presentedHash ? issueNextTokens : repeatOrRevoke;
  return decide(command, family, grant);
}

/** Reports whether `hash` is the hash of the current or the previous refresh token. */
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
 * Returns the access token to retire when the refresh token is rotated, with its new expiry: the end of the reuse
 * window. Parallel requests from the client may need the access token until then, but a thief must not be able to use
 * it for hours. Returns undefined if the access token expires by then anyway.
 */
function retiredAccessToken(
  { now, reuseWindowSeconds }: RefreshGrant,
  access: IssuedAccessToken | null,
): Rotation['retired'] {
  const endsAt = (now + reuseWindowSeconds) as EpochSeconds;
  return access === null || access.expiresAt <= endsAt ? undefined : { tokenHash: access.tokenHash, endsAt };
}

/**
 * Handles a refresh with an earlier token of this grant. A client that presents the previous token within the reuse
 * window may have missed the response. If the parameters are the same, the response is repeated. No event is needed,
 * because the new tokens are derived from the presented token. An older token, or the previous token after the window,
 * indicates reuse (RFC 9700 §4.14.2), and the grant is revoked.
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
  const allowedExchange = decideExchange(command);
  if ('problem' in allowedExchange) return refuse('exchange-refused');
  const { clientId, subject, now, accessExpiresAt: expiresAt, details } = command;
  if (now >= expiresAt || expiresAt > allowedExchange.latestExpiry) return refuse('exchange-refused');
  if (!areDetailsWithin(details, subject.details)) return refuse('exchange-refused');
  const exchange = tokenExchanged(command, allowedExchange, command);
  const { scope } = exchange;
  if (scope.length === 0 && details === undefined) return refuse('exchange-refused');
  return accept<GrantEvent>(
    { type: 'TokenExchanged', data: exchange },
    accessTokenIssued(command, clientId, subject.userId, scope, allowedExchange.resource, subject.login, 'exchanged'),
  );
}

/**
 * Refuses an assertion that has already been redeemed. In that case, the grant exists, because its id is derived from
 * the assertion.
 */
function redeemAssertion(command: RedeemAssertion, grant: Grant): GrantDecision {
  if (grant.status !== 'absent') return refuse('grant-exists');
  const { redeemedAssertion } = command;
  const { clientId, userId, scope, resource = [] } = redeemedAssertion;
  return accept<GrantEvent>(
    { type: 'AssertionRedeemed', data: redeemedAssertion },
    accessTokenIssued(command, clientId, userId, scope, resource, undefined, 'asserted'),
  );
}

function revokeGrant(command: RevokeGrant, grant: Grant): GrantDecision {
  if (grant.status !== 'open' && grant.status !== 'redeemed') return noChange;
  return accept<GrantEvent>(grantRevoked(command.reason));
}

/**
 * Ends the grant that an update replaces. A grant can be updated only once, only by its client, and only after its code
 * has been redeemed.
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

/** Returns `{ login }`, or `{}` if the login is undefined. */
function loginMember(login: Login | undefined): { readonly login?: Login } {
  return login === undefined ? {} : { login };
}

/** Returns `{ claims }`, or `{}` if the claims are undefined. */
function claimsMember(claims: GrantedClaims | undefined): { readonly claims?: GrantedClaims } {
  return claims === undefined ? {} : { claims };
}

/** Returns `{ details }`, or `{}` if the details are undefined. */
function detailsMember<Details>(details: Details | undefined): { readonly details?: Details } {
  return details === undefined ? {} : { details };
}

/**
 * Returns the event that records an issued access token. Assigns members one by one, because spreading is slower
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
  grantedScope: Scope,
  resource: Resources,
  login: Login | undefined,
  origin?: 'exchanged' | 'asserted',
): GrantEvent {
  const expiresAt = accessExpiresAt;
  const scope = narrowScope(grantedScope, definedScopes);
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

/** Returns a list with the event that summarizes the grant, or an empty list for a grant without a refresh token. */
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
 * Returns `no-stream` if a repeated command may have the same grant id, because the id is derived from a form, a
 * request or an assertion, and `new-stream` if the id is random. Returns undefined for all other commands.
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
      next.refresh = next.refresh && rotateFamily(next.refresh, data); // null only in a corrupt log (see the audit)
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
 * Copies the grant member by member, because spreading grants of different shapes is ten times slower
 * (`npm run bench -- micro`).
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
 * Returns the family with one more refresh. Each refresh issues one access token, whether or not it rotates the refresh
 * token.
 */
function countRefresh(family: RefreshFamily): RefreshFamily {
  const next = copyFamily(family);
  next.refreshesSinceSummary += 1;
  return next;
}

/** Copies the family member by member, for the same reason as `copyGrant`. */
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
