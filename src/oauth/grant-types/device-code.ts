import type { Grant } from '../../domain/authorization-grant.ts';
import { isOpenTo } from '../../domain/members.ts';
import { grantStream } from '../../domain/streams.ts';
import type { CredentialHash, EpochSeconds, GrantId } from '../../domain/values.ts';
import type { RefreshTokens } from '../credentials/refresh-tokens.ts';
import {
  DEVICE_CODE_SECONDS,
  deviceCodeExpiry,
  type DeviceCodes,
  type DeviceRequest,
} from '../devices/device-codes.ts';
import type { PendingDevices } from '../devices/pending-devices.ts';
import { requestedDetails } from '../details/requested-details.ts';
import { oauthError } from '../endpoints/errors.ts';
import { requireParameter } from '../endpoints/parameters.ts';
import { noResourceLeftError, remainingResources, requestedResources } from '../endpoints/requested-resources.ts';
import { credentialForm } from '../refusals/credential-form.ts';
import type { LiveGrants } from './authorization-code.ts';
import { createCodeTokens, type CodeTokenDeps, type PreparedTokens, type Redemption } from './code-tokens.ts';
import { tokenResponse, type GrantCommands, type GrantType, type TokenRequest } from './grant-type.ts';
import type { PostMortem } from './post-mortem.ts';
import { accessTokenToIssue, refreshTokenToIssue } from './tokens-to-issue.ts';

type ApprovedGrant = Grant & { readonly deviceCode: NonNullable<Grant['deviceCode']> };

export const DEVICE_GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code';

/**
 * Creates the device code grant (RFC 8628 §3.4), in which a device polls until the user has decided. The device gets
 * its tokens only once.
 */
export function deviceCodeGrant(
  deps: CodeTokenDeps & {
    readonly grants: GrantCommands;
    readonly liveGrants: LiveGrants;
    readonly deviceCodes: Pick<DeviceCodes, 'open'>;
    readonly pendingDevices: Pick<PendingDevices, 'add' | 'poll' | 'remove'>;
    readonly refreshTokens: Pick<RefreshTokens, 'mint'>;
    readonly postMortem: PostMortem;
    /** A monotonic clock, in milliseconds. */
    readonly ticks: () => number;
  },
): GrantType {
  const { grants, liveGrants, deviceCodes, pendingDevices, refreshTokens, entropy, postMortem } = deps;
  const { resources, effectiveScope, ticks, settings } = deps;
  const codeTokens = createCodeTokens(deps);

  /**
   * Returns the device's original request, which the presented code contains.
   * @throws OAuthError if the code is missing or unknown, or was issued to a different client
   */
  function readRequest({ parameters, client }: TokenRequest): DeviceRequest {
    const value = requireParameter(parameters, 'device_code');
    const request = deviceCodes.open(value);
    const parameter = 'device_code';
    if (request === undefined) throw oauthError({ rule: 'credential-unknown', parameter, form: credentialForm(value) });
    if (request.clientId !== client.clientId) throw oauthError({ rule: 'credential-of-another-client', parameter });
    return request;
  }

  /**
   * Refuses the poll, because the user has not decided yet. Adds the request to this node's pending requests if it is
   * not among them.
   * @throws OAuthError always
   */
  function refusePending(request: DeviceRequest, { client, now, once }: TokenRequest): never {
    requireUnexpired(request, now);
    pendingDevices.add(request, client.clientType === 'public', now);
    const poll = once(['device-poll', request.grantId], () => pendingDevices.poll(request, ticks()));
    if (poll.pace === 'fine') throw oauthError({ rule: 'device-pending' });
    const { intervalSeconds, seenSeconds } = poll;
    throw oauthError({ rule: 'device-polls-too-fast', intervalSeconds, seenSeconds });
  }

  /**
   * Prepares the tokens for a device code that the user has approved and the client may redeem.
   * @throws OAuthError if the code cannot be redeemed now, or does not allow the requested access
   */
  function prepareTokens(
    grantId: GrantId,
    grant: ApprovedGrant,
    requestedAccess: Pick<Redemption, 'resource' | 'details'>,
    tokenRequest: TokenRequest,
  ): Promise<PreparedTokens> {
    const { deviceCode: code } = grant;
    if (!isOpenTo(tokenRequest.client, code.userId))
      throw oauthError({ rule: 'client-in-test-mode', what: 'device_code' });
    const resource = currentResources(code.resource ?? [], requestedAccess.resource, resources.uris());
    return codeTokens.prepare({ grantId, grant, code, resource, details: requestedAccess.details }, tokenRequest);
  }

  return {
    name: DEVICE_GRANT_TYPE,
    registeredAs: ['device-code'],

    async exchange(tokenRequest) {
      const { parameters, client, confirmation, now, context, withinBudget } = tokenRequest;
      const request = readRequest(tokenRequest);
      const { grantId, codeHash } = request;
      const requestedAccess = {
        resource: requestedResources(parameters, resources.uris()),
        details: requestedDetails(parameters, client, resources),
      };
      const stream = grantStream(grantId);
      const grant = await grants.state(stream);
      if (grant.status === 'absent') return refusePending(request, tokenRequest);
      pendingDevices.remove(request);
      // A denial takes precedence over an earlier approval. A revocation before the redemption counts as a denial.
      if (grant.status === 'denied' || (grant.status === 'revoked' && grant.deviceCode !== null))
        throw oauthError({ rule: 'device-denied' });
      const refusedCode = { credential: { grantId, hash: codeHash }, client, now };
      const { deviceCode } = grant;
      if (deviceCode !== null) requireUnexpired(request, now);
      if (!liveGrants.isLive(grantId)) throw oauthError(await postMortem.explainEndedDeviceCode(refusedCode));
      const { resource, terms, access, details, idToken } = isRedeemable(grant, codeHash)
        ? await prepareTokens(grantId, grant, requestedAccess, tokenRequest)
        : codeTokens.createPlaceholders(requestedAccess.resource, client);
      const refresh = refreshTokens.mint(grantId, entropy);
      const userId = deviceCode?.userId ?? grant.refresh?.userId ?? null;
      const { refusal, state } = await withinBudget(userId, () =>
        grants.execute(
          stream,
          {
            type: 'RedeemDeviceCode',
            grantId,
            codeHash,
            clientId: client.clientId,
            resource,
            ...accessTokenToIssue(tokenRequest, access, terms, details),
            ...refreshTokenToIssue(tokenRequest, refresh, settings),
            idToken: idToken?.record,
          },
          context,
        ),
      );
      if (refusal !== undefined)
        throw oauthError(await postMortem.explainRefusedDeviceCode(refusedCode, refusal, state, resource));
      if (!liveGrants.isLive(grantId)) throw oauthError(await postMortem.explainEndedGrant(refusedCode, 'device_code'));
      const grantedScope = effectiveScope(state.access?.scope ?? [], client, state.refresh?.userId ?? null);
      const lifetime = terms.accessTokenLifetimeSeconds;
      return tokenResponse(access.value, lifetime, grantedScope, confirmation, details, {
        refreshToken: refresh.value,
        idToken: idToken?.jws,
      });
    },
  };
}

/** @throws OAuthError if the code has expired */
function requireUnexpired(request: DeviceRequest, now: EpochSeconds): void {
  const expiresAt = deviceCodeExpiry(request);
  if (now < expiresAt) return;
  throw oauthError({
    rule: 'device-code-expired',
    secondsAgo: now - expiresAt,
    lifetimeSeconds: DEVICE_CODE_SECONDS,
  });
}

/**
 * Returns the resource servers to request from the grant.
 * @throws OAuthError if the request names no resource server and all of the grant's resource servers have been removed
 */
function currentResources(
  grantedUris: readonly string[],
  requestedUris: readonly string[],
  knownUris: readonly string[],
) {
  const remainingUris = remainingResources(requestedUris, grantedUris, knownUris);
  if (remainingUris === undefined) throw noResourceLeftError(grantedUris, knownUris);
  return remainingUris;
}

/** Reports whether the device code has not been redeemed yet. The decider refuses all other codes. */
function isRedeemable(grant: Grant, codeHash: CredentialHash): grant is ApprovedGrant {
  return grant.deviceCode?.codeHash === codeHash;
}
