import type { Grant } from '../../domain/authorization-grant.ts';
import { isOpenTo } from '../../domain/members.ts';
import { narrowResources, type Resources } from '../../domain/resource.ts';
import { grantStream } from '../../domain/streams.ts';
import type { EpochSeconds } from '../../domain/values.ts';
import type { Entropy } from '../../platform/ports.ts';
import type { FormatAccessToken, FormattedToken } from '../credentials/access-token-format.ts';
import { accessExpiry, type LifetimeSettings } from '../credentials/lifetimes.ts';
import type { RefreshTokens } from '../credentials/refresh-tokens.ts';
import type { TaggedCredentials } from '../credentials/tagged-credentials.ts';
import {
  DEVICE_CODE_SECONDS,
  deviceCodeExpiry,
  type DeviceCodes,
  type DeviceRequest,
} from '../devices/device-codes.ts';
import type { PendingDevices } from '../devices/pending-devices.ts';
import { requestedDetails } from '../details/requested-details.ts';
import { codeDetailsRequest, type TokenDetails } from '../details/token-details.ts';
import { oauthError } from '../endpoints/errors.ts';
import { requireParameter } from '../endpoints/parameters.ts';
import { noResourceLeftError, remainingResources, requestedResources } from '../endpoints/requested-resources.ts';
import type { EffectiveScope } from '../endpoints/restricted-scopes.ts';
import { idTokenContent, type IdTokens } from '../openid/id-token.ts';
import { credentialForm } from '../refusals/credential-form.ts';
import type { LiveGrants } from './authorization-code.ts';
import type { KnownResources } from '../resources/known-resources.ts';
import { tokenScope, tokenTerms, type TokenTerms } from '../resources/token-terms.ts';
import { tokenResponse, type GrantCommands, type GrantType, type TokenRequest } from './grant-type.ts';
import type { PostMortem } from './post-mortem.ts';
import { accessTokenToIssue, refreshTokenToIssue } from './tokens-to-issue.ts';

export const DEVICE_GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code';

/**
 * Creates the device code grant (RFC 8628 §3.4): a device polls until the user has decided, and gets its tokens once.
 */
export function deviceCodeGrant(deps: {
  readonly grants: GrantCommands;
  readonly liveGrants: LiveGrants;
  readonly deviceCodes: Pick<DeviceCodes, 'open'>;
  readonly pendingDevices: Pick<PendingDevices, 'add' | 'poll' | 'remove'>;
  readonly refreshTokens: Pick<RefreshTokens, 'mint'>;
  readonly entropy: Entropy;
  readonly credentials: Pick<TaggedCredentials, 'mintAccessToken'>;
  readonly postMortem: PostMortem;
  readonly formatAccessToken: FormatAccessToken;
  readonly idTokens: Pick<IdTokens, 'issue'>;
  readonly resources: KnownResources;
  readonly tokenDetails: TokenDetails;
  readonly effectiveScope: EffectiveScope;
  /** A monotonic clock, in milliseconds. */
  readonly ticks: () => number;
  readonly settings: LifetimeSettings;
}): GrantType {
  const { grants, liveGrants, deviceCodes, pendingDevices, refreshTokens, entropy, credentials } = deps;
  const { postMortem, formatAccessToken, idTokens, resources, tokenDetails, effectiveScope, ticks, settings } = deps;

  /**
   * Returns the request in the presented code.
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
   * Refuses the poll, because the user has not decided yet. Adds the request to the pending requests if this node does
   * not know it.
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

  return {
    name: DEVICE_GRANT_TYPE,
    registeredAs: ['device-code'],

    async exchange(tokenRequest) {
      const { parameters, client, confirmation, now, context, withinBudget } = tokenRequest;
      const request = readRequest(tokenRequest);
      const { grantId, codeHash } = request;
      const requestedUris = requestedResources(parameters, resources.uris());
      const requested = requestedDetails(parameters, client, resources);
      const stream = grantStream(grantId);
      const grant = await grants.state(stream);
      if (grant.status === 'absent') return refusePending(request, tokenRequest);
      pendingDevices.remove(request);
      // A denial counts even after an approval. A revocation before the redemption counts as a denial.
      if (grant.status === 'denied' || (grant.status === 'revoked' && grant.deviceCode !== null))
        throw oauthError({ rule: 'device-denied' });
      const refusedCode = { credential: { grantId, hash: codeHash }, client, now };
      const { deviceCode } = grant;
      if (deviceCode !== null) requireUnexpired(request, now);
      if (!liveGrants.isLive(grantId)) throw oauthError(await postMortem.explainEndedDeviceCode(refusedCode));
      const isRedeemable = deviceCode !== null && deviceCode.codeHash === codeHash;
      if (isRedeemable && !isOpenTo(client, deviceCode.userId))
        throw oauthError({ rule: 'client-in-test-mode', what: 'device_code' });
      const resource = isRedeemable
        ? currentResources(deviceCode.resource ?? [], requestedUris, resources.uris())
        : requestedUris;
      const audience = isRedeemable ? narrowResources(resource, deviceCode.resource ?? []) : [];
      const terms = tokenTerms(audience ?? [], client, settings, resources);
      const expiresAt = accessExpiry(now, terms);
      const times = { issuedAt: now, expiresAt };
      const secret = credentials.mintAccessToken(entropy);
      const details =
        audience && isRedeemable
          ? await tokenDetails.narrow(codeDetailsRequest(grant, deviceCode, terms, { requested, audience }))
          : undefined;
      const content = audience && accessTokenContent(grant, audience, terms);
      const access: FormattedToken =
        content === undefined
          ? secret
          : await formatAccessToken(terms, secret, {
              ...content,
              scope: effectiveScope(content.scope, client, content.userId),
              details: details?.contents,
              confirmation,
              login: grant.login,
              ...times,
            });
      const refresh = refreshTokens.mint(grantId, entropy);
      const openid = isRedeemable ? idTokenContent(grantId, grant, deviceCode.scope, client, access, times) : undefined;
      const idToken = openid && (await idTokens.issue(openid));
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
 * Returns the resource servers to request.
 * @throws OAuthError if all resource servers in the request have been removed
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

/** Returns the contents of the access token, or undefined if the grant has no code to redeem. */
function accessTokenContent({ deviceCode }: Grant, resource: Resources, terms: TokenTerms) {
  if (deviceCode === null) return undefined;
  const { clientId, userId, scope } = deviceCode;
  return { clientId, userId, scope: tokenScope(scope, terms), resource };
}
