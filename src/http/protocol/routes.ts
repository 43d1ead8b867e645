import type { OpenApiDocument } from '../openapi/document.ts';
import type { Route } from '../route.ts';
import { deviceAuthorizationRoutes, type DeviceAuthorizationRouteDeps } from './device-authorization.ts';
import { grantRoutes, type GrantRoutesDeps } from './grants.ts';
import { introspectionRoute, type IntrospectionRouteDeps } from './introspection.ts';
import { metadataRoutes, type MetadataRoutesDeps } from './metadata.ts';
import { openApiRoute } from './open-api.ts';
import { protectedResourceRoutes, type ProtectedResourceDeps } from './protected-resource.ts';
import { pushedRequestRoute, type PushedRequestRouteDeps } from './pushed-request.ts';
import { registrationRoutes, type RegistrationRoutesDeps } from './registration.ts';
import { revocationRoute, type RevocationRouteDeps } from './revocation.ts';
import { userinfoRoutes, type UserinfoRouteDeps } from './userinfo.ts';
import { tokenRoute, type TokenRouteDeps } from './token.ts';

export type ProtocolDeps = TokenRouteDeps &
  PushedRequestRouteDeps &
  RevocationRouteDeps &
  DeviceAuthorizationRouteDeps &
  RegistrationRoutesDeps &
  IntrospectionRouteDeps &
  GrantRoutesDeps &
  MetadataRoutesDeps &
  UserinfoRouteDeps &
  ProtectedResourceDeps & {
    readonly description: () => OpenApiDocument;
    readonly settings: { readonly sampleApi: boolean };
  };

/** Returns the routes for the protocol endpoints and for the public documents that describe this server. */
export function protocolRoutes(deps: ProtocolDeps): readonly Route[] {
  return [
    tokenRoute(deps),
    pushedRequestRoute(deps),
    revocationRoute(deps),
    ...deviceAuthorizationRoutes(deps),
    ...registrationRoutes(deps),
    introspectionRoute(deps),
    ...grantRoutes(deps),
    ...userinfoRoutes(deps),
    ...metadataRoutes(deps),
    ...protectedResourceRoutes(deps),
    openApiRoute(deps.description),
  ];
}
