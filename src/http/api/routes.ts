import { managementRoutes, type ManagementParts } from '../management/routes.ts';
import type { Route } from '../route.ts';
import { eventRoutes, type EventRoutesParts } from './events.ts';
import { groupRoutes, type GroupRoutesParts } from './groups.ts';
import { healthRoutes, type HealthRoutesParts } from './health.ts';
import { logRoutes, type LogRoutesParts } from './log.ts';
import { userRoutes, type UserRoutesParts } from './users.ts';

export type SampleApiParts = UserRoutesParts &
  GroupRoutesParts & { readonly settings: { readonly sampleApi: boolean } };

/** Returns the routes of the sample API, or none if the settings turn it off. */
export function sampleApiRoutes(parts: SampleApiParts): readonly Route[] {
  return parts.settings.sampleApi ? [...userRoutes(parts), ...groupRoutes(parts)] : [];
}

export type ApiParts = HealthRoutesParts & EventRoutesParts & LogRoutesParts & ManagementParts & SampleApiParts;

/** Returns the routes for monitoring, auditors, verifiers and the management API, and those of the sample API. */
export function apiRoutes(parts: ApiParts): readonly Route[] {
  return [
    ...healthRoutes(parts),
    ...eventRoutes(parts),
    ...logRoutes(parts),
    ...managementRoutes(parts),
    ...sampleApiRoutes(parts),
  ];
}
