import type { Router } from '@koa/router';
import type { RequestState } from '../pipeline/state.ts';
import { groupRoutes, type GroupRoutesParts } from './groups.ts';
import { userRoutes, type UserRoutesParts } from './users.ts';

/** The routers of the sample API; none when the settings turn it off. */
export function sampleApiRoutes(
  parts: UserRoutesParts & GroupRoutesParts & { readonly settings: { readonly sampleApi: boolean } },
): readonly Router<RequestState>[] {
  return parts.settings.sampleApi ? [userRoutes(parts), groupRoutes(parts)] : [];
}
