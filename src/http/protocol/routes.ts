import type { OpenApiDocument } from '../openapi/document.ts';
import type { Route } from '../route.ts';
import { deviceAuthorizationRoutes, type DeviceAuthorizationRouteParts } from './device-authorization.ts';
import { grantRoutes, type GrantRoutesParts } from './grants.ts';
import { introspectionRoute, type IntrospectionRouteParts } from './introspection.ts';
import { metadataRoutes, type MetadataRoutesParts } from './metadata.ts';
import { openApiRoute } from './open-api.ts';
import { protectedResourceRoutes, type ProtectedResourceParts } from './protected-resource.ts';
import { pushedRequestRoute, type PushedRequestRouteParts } from './pushed-request.ts';
import { registrationRoutes, type RegistrationRoutesParts } from './registration.ts';
import { revocationRoute, type RevocationRouteParts } from './revocation.ts';
import { userinfoRoutes, type UserinfoRouteParts } from './userinfo.ts';
import { tokenRoute, type TokenRouteParts } from './token.ts';

export type ProtocolParts = TokenRouteParts &
  PushedRequestRouteParts &
  RevocationRouteParts &
  DeviceAuthorizationRouteParts &
  RegistrationRoutesParts &
  IntrospectionRouteParts &
  GrantRoutesParts &
  MetadataRoutesParts &
  UserinfoRouteParts &
  ProtectedResourceParts & {
    readonly description: () => OpenApiDocument;
    readonly settings: { readonly sampleApi: boolean };
  };

/** Returns the routes that clients call without a browser. */
export function protocolRoutes(parts: ProtocolParts): readonly Route[] {
  return [
    tokenRoute(parts),
    pushedRequestRoute(parts),
    revocationRoute(parts),
    ...deviceAuthorizationRoutes(parts),
    ...registrationRoutes(parts),
    introspectionRoute(parts),
    ...grantRoutes(parts),
    ...userinfoRoutes(parts),
    ...metadataRoutes(parts),
    ...protectedResourceRoutes(parts),
    openApiRoute(parts.description),
  ];
}
