import { ownersOf } from '../domain/members.ts';
import type { Broadcast } from '../platform/broadcast/broadcast.ts';
import type { CookieKeys } from '../platform/keys/cookie-keys.ts';
import type { RateLimits } from '../platform/limits/rate-limits.ts';
import type { Entropy } from '../platform/ports.ts';
import type { TokenDetails } from '../oauth/details/token-details.ts';
import { createDeviceApprovals } from '../oauth/devices/device-approvals.ts';
import { createDeviceAuthorizationEndpoint } from '../oauth/devices/device-authorization.ts';
import type { DeviceCodes } from '../oauth/devices/device-codes.ts';
import { createDeviceForms } from '../oauth/devices/device-forms.ts';
import { createPendingDevices } from '../oauth/devices/pending-devices.ts';
import { shareDevices, unsharedDevices } from '../oauth/devices/shared-devices.ts';
import type { ScopeSettings } from '../oauth/endpoints/requested-scope.ts';
import type { KnownResources } from '../oauth/resources/known-resources.ts';
import type { Projections } from '../projections/projections.ts';
import type { CommandHandlers } from './command-handlers.ts';

/** Creates the parts of the device authorization grant (RFC 8628). */
export function createDeviceParts(deps: {
  readonly projections: Pick<Projections, 'clients'>;
  readonly commands: Pick<CommandHandlers, 'grants'>;
  readonly deviceCodes: DeviceCodes;
  readonly cookieKeys: Pick<CookieKeys, 'pendingLogins'>;
  readonly entropy: Entropy;
  readonly broadcast: Broadcast | undefined;
  readonly limits: Pick<RateLimits, 'spend' | 'userCodes'>;
  readonly resources: KnownResources;
  readonly tokenDetails: Pick<TokenDetails, 'seal'>;
  readonly issuer: () => string;
  /** Seconds since the epoch. */
  readonly now: () => number;
  readonly settings: ScopeSettings;
}) {
  const { deviceCodes: codes, cookieKeys, entropy, broadcast, limits, resources, tokenDetails } = deps;
  const { issuer, now, settings } = deps;
  const { clients } = deps.projections;
  const { grants } = deps.commands;
  const localDevices = createPendingDevices({
    ownerOf(clientId) {
      const client = clients.find(clientId);
      return client && ownersOf(client)[0]?.userId;
    },
  });
  const devices =
    broadcast === undefined ? unsharedDevices(localDevices) : shareDevices(localDevices, { broadcast, codes, now });
  return {
    pendingDevices: devices,
    deviceAuthorization: createDeviceAuthorizationEndpoint({ codes, devices, limits, resources, issuer, settings }),
    deviceApprovals: createDeviceApprovals({ grants, devices, guesses: limits.userCodes, tokenDetails }),
    deviceForms: createDeviceForms(cookieKeys.pendingLogins, entropy),
  };
}
