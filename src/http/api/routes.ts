import { managementRoutes, type ManagementDeps } from '../management/routes.ts';
import type { Route } from '../route.ts';
import { eventRoutes, type EventRoutesDeps } from './events.ts';
import { groupRoutes, type GroupRoutesDeps } from './groups.ts';
import { healthRoutes, type HealthRoutesDeps } from './health.ts';
import { logRoutes, type LogRoutesDeps } from './log.ts';
import { userRoutes, type UserRoutesDeps } from './users.ts';

export type SampleApiDeps = UserRoutesDeps & GroupRoutesDeps & { readonly settings: { readonly sampleApi: boolean } };

/** Returns the routes of the sample API, or none if the settings turn it off. */
export function sampleApiRoutes(deps: SampleApiDeps): readonly Route[] {
  return deps.settings.sampleApi ? [...userRoutes(deps), ...groupRoutes(deps)] : [];
}

export type ApiDeps = HealthRoutesDeps & EventRoutesDeps & LogRoutesDeps & ManagementDeps & SampleApiDeps;

/** Returns the routes for monitoring, auditors, verifiers, the management API and the sample API. */
export function apiRoutes(deps: ApiDeps): readonly Route[] {
  return [
    ...healthRoutes(deps),
    ...eventRoutes(deps),
    ...logRoutes(deps),
    ...managementRoutes(deps),
    ...sampleApiRoutes(deps),
  ];
}
