import type {
  GrantByPassword,
  GrantCommand,
  GrantToClient,
  IssueCode,
  RedeemCode,
  RedeemDeviceCode,
  RefreshGrant,
  AccessTokenToIssue,
} from '../../domain/authorization-grant.ts';
import type { EventOf } from '../../domain/events.ts';
import type { Resources } from '../../domain/resource.ts';
import { formatScope } from '../../domain/scope.ts';
import { effectiveSecurity } from '../../domain/security-profile.ts';
import { unreachable, type EpochSeconds } from '../../domain/values.ts';
import type { AuthorizationRequest } from '../../oauth/endpoints/authorization-request.ts';
import type { ParameterName } from '../../config/input-limits.ts';
import type { Parameters } from '../../oauth/endpoints/parameters.ts';
import type { ManagedGrants } from '../../oauth/endpoints/requested-management.ts';
import {
  accessTokenExpiry,
  authorizationCodeExpiry,
  refreshTokenExpiry,
  resourceParameters,
  type SimulatedSettings,
} from './simulated-settings.ts';
import type { RequestOf } from './recorded-requests.ts';
import { recordedSecond } from '../../domain/recorded-second.ts';
import type { SimulatedGrant } from './simulated-grants.ts';
import type { TokenRequest } from './token-requests.ts';

type IssuedAccess = EventOf<'AccessTokenIssued'>['data'];
type RefreshTokenData = EventOf<'RefreshTokenIssued'>['data'];

/** No managed grants are needed to simulate a merge, because the recorded scope is already the merged one. */
export const NO_MANAGED_GRANTS: ManagedGrants = { findManaged: () => undefined, decryptDetails: () => [] };

/** Returns the recorded parameters of the authorization request, without defaults. */
export function authorizationParameters({
  clientId,
  redirectUri,
  redirectUriRequired,
  scope,
  codeChallenge,
  resource = [],
}: EventOf<'AuthorizationCodeIssued'>['data']): Parameters {
  return new Map<ParameterName, string>([
    ['response_type', 'code'],
    ['client_id', clientId],
    ['scope', formatScope(scope)],
    ...(redirectUriRequired ? [['redirect_uri', redirectUri] as const] : []),
    ...(codeChallenge === null
      ? []
      : ([
          ['code_challenge', codeChallenge.challenge],
          ['code_challenge_method', codeChallenge.method],
        ] as const)),
    ...resourceParameters(resource),
  ]);
}

/** Returns the command for an authorization request under the simulated settings. */
export function issueCode(
  { events: [first], data: { consent, code } }: RequestOf<'authorization'>,
  { client, redirectUri, resource }: Pick<AuthorizationRequest, 'client' | 'redirectUri' | 'resource'>,
  basis: IssueCode['consent'],
  changedSettings: SimulatedSettings,
): IssueCode {
  const { grantId, login, requested } = consent;
  const { clientId, userId, scope, codeHash, redirectUriRequired, codeChallenge, dpopJkt, expiresAt } = code;
  return {
    type: 'IssueCode',
    grantId,
    clientId,
    userId,
    scope,
    resource,
    consent: basis,
    codeHash,
    redirectUri,
    redirectUriRequired,
    codeChallenge,
    dpopJkt,
    login,
    requested,
    now: recordedSecond(first),
    expiresAt: authorizationCodeExpiry(
      changedSettings,
      recordedSecond(first),
      expiresAt,
      effectiveSecurity(client, {}),
    ),
  };
}

/** Returns the command for a token request under the simulated settings. */
export function tokenCommand(
  request: TokenRequest,
  grant: SimulatedGrant,
  resource: Resources,
  changedSettings: SimulatedSettings,
): GrantCommand {
  switch (request.kind) {
    case 'redemption':
      return redeemCode(request, grant, resource, changedSettings);
    case 'device-redemption':
      return redeemDeviceCode(request, grant, resource, changedSettings);
    case 'refresh':
      return refreshGrant(request, resource, changedSettings);
    case 'refresh-without-rotation':
      return refreshWithoutRotation(request, grant, resource, changedSettings);
    case 'password':
      return grantByPassword(request, resource, changedSettings);
    case 'client-credentials':
      return grantToClient(request, resource, changedSettings);
    default:
      return unreachable(request);
  }
}

/** The recorded redemption succeeded, so its verifier and redirect URI are assumed to have been correct. */
function redeemCode(
  { events: [first], data: { redeemed, access, refresh } }: RequestOf<'redemption'>,
  { state, codeExpiresAt: recordedExpiry }: SimulatedGrant,
  resource: Resources,
  changedSettings: SimulatedSettings,
): RedeemCode {
  // The code was redeemed in time, even if the redemption was recorded after the code had expired.
  const now = Math.min(recordedSecond(first), (recordedExpiry ?? Infinity) - 1) as EpochSeconds;
  const challenge = state.code?.codeChallenge?.challenge;
  return {
    type: 'RedeemCode',
    grantId: access.grantId,
    clientId: access.clientId,
    codeHash: redeemed.codeHash,
    resource,
    redirectUri: state.code?.redirectUri ?? null,
    verifier: challenge === undefined ? null : { S256: challenge, plain: challenge },
    replaces: state.management?.updates,
    ...accessTokenFields(access, now, changedSettings),
    ...refreshTokenFields(refresh, now, changedSettings),
  };
}

/** The recorded redemption succeeded, so it was in time. */
function redeemDeviceCode(
  { events: [first], data: { redeemed, access, refresh } }: RequestOf<'device-redemption'>,
  { state }: SimulatedGrant,
  resource: Resources,
  changedSettings: SimulatedSettings,
): RedeemDeviceCode {
  const now = Math.min(recordedSecond(first), (state.deviceCode?.expiresAt ?? Infinity) - 1) as EpochSeconds;
  return {
    type: 'RedeemDeviceCode',
    grantId: access.grantId,
    clientId: access.clientId,
    codeHash: redeemed.codeHash,
    resource,
    ...accessTokenFields(access, now, changedSettings),
    ...refreshTokenFields(refresh, now, changedSettings),
  };
}

function grantToClient(
  { events: [first], data: { access } }: RequestOf<'client-credentials'>,
  resource: Resources,
  changedSettings: SimulatedSettings,
): GrantToClient {
  const { grantId, clientId, scope } = access;
  return {
    type: 'GrantToClient',
    grantId,
    clientId,
    scope,
    resource,
    ...accessTokenFields(access, recordedSecond(first), changedSettings),
  };
}

function grantByPassword(
  { events: [first], data: { consent, access, refresh } }: RequestOf<'password'>,
  resource: Resources,
  changedSettings: SimulatedSettings,
): GrantByPassword {
  const { grantId, clientId, userId, scope, login, requested } = consent;
  const now = recordedSecond(first);
  return {
    type: 'GrantByPassword',
    grantId,
    clientId,
    userId,
    scope,
    resource,
    login,
    requested,
    ...accessTokenFields(access, now, changedSettings),
    ...refreshTokenFields(refresh, now, changedSettings),
  };
}

function refreshGrant(
  { data: { rotated, access } }: RequestOf<'refresh'>,
  resource: Resources,
  changedSettings: SimulatedSettings,
): RefreshGrant {
  const { rotatedAt: now, scope, spentHash, tokenHash, expiresAt, retired } = rotated;
  const { grantId, clientId } = access;
  return {
    type: 'RefreshGrant',
    grantId,
    clientId,
    presentedHash: spentHash,
    isPresentedTokenGenuine: true,
    scope,
    resource,
    reuseWindowSeconds: retired === undefined ? 0 : retired.endsAt - now,
    ...accessTokenFields(access, now, changedSettings),
    ...refreshTokenFields({ tokenHash, expiresAt }, now, changedSettings),
  };
}

/** The request presented the grant's only refresh token, and no new one was issued. */
function refreshWithoutRotation(
  { events: [first], data: { access } }: RequestOf<'refresh-without-rotation'>,
  { state: { refresh } }: SimulatedGrant,
  resource: Resources,
  changedSettings: SimulatedSettings,
): RefreshGrant {
  const { grantId, clientId, scope, tokenHash } = access;
  const presentedHash = refresh?.currentHash ?? tokenHash;
  const now = recordedSecond(first);
  return {
    type: 'RefreshGrant',
    keepRefreshToken: true,
    grantId,
    clientId,
    presentedHash,
    isPresentedTokenGenuine: true,
    scope,
    resource,
    reuseWindowSeconds: 0,
    ...accessTokenFields(access, now, changedSettings),
    refreshHash: presentedHash,
    refreshExpiresAt: refresh?.expiresAt ?? null,
  };
}

function accessTokenFields(
  { tokenHash, kid, confirmation, previousSecretUsed, clientKeyId, expiresAt }: IssuedAccess,
  now: EpochSeconds,
  changedSettings: SimulatedSettings,
): AccessTokenToIssue {
  const accessExpiresAt = accessTokenExpiry(changedSettings, now, expiresAt);
  return {
    now,
    accessHash: tokenHash,
    accessKid: kid,
    confirmation,
    accessExpiresAt,
    previousSecretUsed: previousSecretUsed === true,
    clientKeyId,
  };
}

function refreshTokenFields(
  { tokenHash, confirmation, expiresAt }: Pick<RefreshTokenData, 'tokenHash' | 'confirmation' | 'expiresAt'>,
  now: EpochSeconds,
  changedSettings: SimulatedSettings,
) {
  const bindRefreshToken = confirmation !== undefined;
  return {
    refreshHash: tokenHash,
    bindRefreshToken,
    refreshExpiresAt: refreshTokenExpiry(changedSettings, now, expiresAt),
  };
}
