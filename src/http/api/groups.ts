import { GROUPS_SCOPE } from '../../domain/scope.ts';
import { declareForRoute } from '../../policy/declaration.ts';
import { allScopes } from '../../policy/policies.ts';
import type { Groups } from '../../projections/groups.ts';
import { LIST_GROUPS } from '../openapi/sample-api.ts';
import { byMethod } from '../pipeline/by-method.ts';
import { requirePolicy } from '../pipeline/require-policy.ts';
import { respondWithList } from './list-response.ts';
import type { Route } from '../route.ts';
import { SAMPLE_API } from './sample-api.ts';

export interface GroupRoutesDeps {
  readonly groups: Groups;
  /** The URL of the API's metadata. */
  readonly resourceMetadata: string;
}

/** Returns the sample API's routes for groups, which the all-scopes policy guards. */
export function groupRoutes({ groups, resourceMetadata }: GroupRoutesDeps): readonly Route[] {
  return [
    {
      ...SAMPLE_API,
      path: '/groups',
      openApi: [LIST_GROUPS],
      pipeline: [
        declareForRoute('/groups/', () => requirePolicy(allScopes([GROUPS_SCOPE]), { resourceMetadata })),
        byMethod({ GET: (ctx) => respondWithList(ctx, groups.page, ({ name }) => ({ name })) }),
      ],
    },
  ];
}
