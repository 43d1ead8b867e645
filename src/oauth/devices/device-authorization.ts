import { message } from '../../language/message.ts';
import type { EpochSeconds } from '../../domain/values.ts';
import type { Once } from '../../event-store/once.ts';
import type { RateLimits } from '../../platform/limits/rate-limits.ts';
import type { Client } from '../../projections/clients.ts';
import { oauthError } from '../endpoints/errors.ts';
import type { Parameters as RequestParameters } from '../endpoints/parameters.ts';
import type { ScopeSettings } from '../endpoints/requested-scope.ts';
import type { KnownResources } from '../resources/known-resources.ts';
import { requestedAccess } from '../resources/requested-access.ts';
import { DEVICE_CODE_SECONDS, type DeviceCodes } from './device-codes.ts';
import { MAX_PENDING, POLL_SECONDS } from './pending-devices.ts';
import type { AnnouncedDevices } from './shared-devices.ts';
import { formatUserCode } from './user-codes.ts';

/** A device authorization request from a client that is registered for the device grant. */
export interface DeviceAuthorizationRequest {
  readonly parameters: RequestParameters;
  readonly client: Client;
  readonly address: string;
  readonly agent: string | undefined;
  readonly now: EpochSeconds;
  readonly once: Once;
}

/** The response to a device authorization request (RFC 8628 §3.2). */
export interface DeviceAuthorizationResponse {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
}

/**
 * Handles a device authorization request (RFC 8628 §3.1), apart from HTTP and client authentication. Records no event.
 * @throws OAuthError if the request is refused, or if too many devices are waiting for approval
 * @throws TooManyAttemptsError if too many requests have come from the client, or from the address of a public client
 */
export type DeviceAuthorizationEndpoint = (request: DeviceAuthorizationRequest) => DeviceAuthorizationResponse;

/** The path of the page where users enter their user codes. */
export const VERIFICATION_PATH = '/o/device/';

/** The maximum length of `LIMITED_PARAMETERS`, which are limited because pending requests are kept in memory. */
const MAX_PARAMETER_LENGTH = 2_048;
const LIMITED_PARAMETERS = ['scope', 'authorization_details'] as const;

const COLLISION_RETRIES = 3;

export function createDeviceAuthorizationEndpoint(deps: {
  readonly codes: Pick<DeviceCodes, 'mint'>;
  readonly devices: Pick<AnnouncedDevices, 'add' | 'find' | 'announce'>;
  readonly limits: Pick<RateLimits, 'spend'>;
  readonly resources: KnownResources;
  readonly issuer: () => string;
  readonly settings: ScopeSettings;
}): DeviceAuthorizationEndpoint {
  const { codes, devices, limits, resources, issuer, settings } = deps;

  /**
   * Mints a device code, and retries a few times if the user code is already in use. If the last user code is also in
   * use, `add` refuses the request.
   */
  function mint(terms: Parameters<DeviceCodes['mint']>[0]): ReturnType<DeviceCodes['mint']> {
    let minted = codes.mint(terms);
    for (let retries = 0; retries < COLLISION_RETRIES; retries += 1) {
      if (devices.find(minted.request.userCode, terms.requestedAt) === undefined) break;
      minted = codes.mint(terms);
    }
    return minted;
  }

  return ({ parameters, client, address, agent = null, now, once }) => {
    const { clientId } = client;
    // If these parameters were ignored, the client would believe that the grant was managed, or that an earlier grant
    // had ended.
    if (parameters.has('grant_management_action') || parameters.has('grant_id'))
      throw oauthError({ rule: 'grant-management-for-device' });
    for (const parameter of LIMITED_PARAMETERS) {
      const { length } = parameters.get(parameter) ?? '';
      const form = message('refusal-form.device', { limit: MAX_PARAMETER_LENGTH });
      if (length > MAX_PARAMETER_LENGTH) throw oauthError({ rule: 'parameter-malformed', parameter, form, length });
    }
    const { scope, resource, details } = requestedAccess(parameters, 'device-code', client, settings, resources);
    // A confidential client is accountable for its requests from any address.
    const isAddressLimited = client.clientType === 'public';
    if (isAddressLimited) limits.spend('device-requests-by-address', address, once);
    limits.spend('device-requests-by-client', clientId, once);
    const { value, request } = mint({
      clientId,
      scope,
      resource,
      details: details.length === 0 ? undefined : details,
      requestedAt: now,
      address,
      agent,
    });
    const limit = devices.add(request, isAddressLimited, now);
    if (limit !== undefined) throw oauthError({ rule: 'devices-full', who: limit, most: MAX_PENDING[limit] });
    devices.announce(value, isAddressLimited);
    const userCode = formatUserCode(request.userCode);
    const uri = `${issuer()}${VERIFICATION_PATH}`;
    return {
      device_code: value,
      user_code: userCode,
      verification_uri: uri,
      verification_uri_complete: `${uri}?user_code=${userCode}`,
      expires_in: DEVICE_CODE_SECONDS,
      interval: POLL_SECONDS,
    };
  };
}
