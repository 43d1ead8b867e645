import type { DeviceAuthorizationEndpoint } from '../../oauth/devices/device-authorization.ts';
import { DEVICE_GRANT_TYPE } from '../../oauth/grant-types/device-code.ts';
import { requireRegisteredGrantType } from '../../oauth/endpoints/token-endpoint.ts';
import { deviceAuthorizationOperation } from '../openapi/device-api.ts';
import { authenticateClient, type AuthenticateClientDeps } from '../pipeline/authenticate-client.ts';
import { describeBrowser } from '../pipeline/browser-description.ts';
import { readParameters, type BodySettings } from '../pipeline/read-parameters.ts';
import { attributeRefusals, type RefusalSubjectDeps } from '../pipeline/refusal-subject.ts';
import { header } from '../pipeline/request-head.ts';
import type { SendJson } from '../pipeline/response-headers.ts';
import { retryWhenOutdated } from '../pipeline/retry-when-outdated.ts';
import { fromState, type Handler } from '../pipeline/state.ts';
import type { Route } from '../route.ts';

export interface DeviceAuthorizationRouteDeps extends AuthenticateClientDeps, RefusalSubjectDeps {
  readonly deviceAuthorization: DeviceAuthorizationEndpoint;
  readonly sendJson: SendJson;
  readonly settings: BodySettings;
}

/**
 * Returns the routes for the device authorization endpoint (RFC 8628 §3.1), including the path that clients of
 * django-oauth-toolkit use.
 */
export function deviceAuthorizationRoutes(deps: DeviceAuthorizationRouteDeps): readonly Route[] {
  const { settings } = deps;
  const endpoint = {
    method: 'POST',
    kind: 'protocol',
    authentication: 'client',
    cors: { origins: 'clients', methods: 'POST' },
    pipeline: [
      attributeRefusals(deps),
      readParameters(settings),
      retryWhenOutdated,
      authenticateClient(deps),
      requireDeviceGrant,
      respond(deps),
    ],
  } as const satisfies Omit<Route, 'path'>;
  return [
    { ...endpoint, path: '/o/device_authorization', openApi: [deviceAuthorizationOperation(settings)] },
    { ...endpoint, path: '/o/device-authorization', openApi: [] },
  ];
}

const requireDeviceGrant: Handler = (ctx, next) => {
  requireRegisteredGrantType(fromState(ctx, 'client'), { name: DEVICE_GRANT_TYPE, registeredAs: ['device-code'] });
  return next();
};

function respond({ deviceAuthorization, sendJson, addressOf, now }: DeviceAuthorizationRouteDeps): Handler {
  return (ctx) => {
    const response = deviceAuthorization({
      parameters: fromState(ctx, 'parameters'),
      client: fromState(ctx, 'client'),
      address: addressOf(ctx),
      agent: describeBrowser(header(ctx, 'user-agent')),
      now: now(),
      once: ctx.state.once,
    });
    return sendJson(ctx, response);
  };
}
