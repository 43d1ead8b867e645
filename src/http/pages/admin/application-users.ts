import { listAuthorizingUsers } from '../../../audit/queries/authorized-applications.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { Grants } from '../../../projections/grants.ts';
import type { Users } from '../../../projections/users.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import { pageContextFor } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import type { ApplicationLookup } from './application-people.ts';
import { AUTHORIZING_USERS } from './authorization-lists.ts';
import type { PeoplePages } from './people-locals.ts';
import { sendAdminList } from './send-admin-list.ts';

export interface ApplicationUsersDeps {
  readonly grants: Pick<Grants, 'listByClient'>;
  readonly users: Pick<Users, 'find'>;
  readonly pages: Pick<PeoplePages, 'adminApplicationUsers'>;
  readonly now: () => EpochSeconds;
}

/** Examining this many grants takes a few hundredths of a second. */
const MAX_GRANTS_EXAMINED = 20_000;

/** Adds the page that lists the users who have authorized an application. */
export function addApplicationUsers(
  router: PageRouter,
  { requireClient }: Pick<ApplicationLookup, 'requireClient'>,
  { grants: liveGrants, users, pages, now }: ApplicationUsersDeps,
): void {
  router.get('/applications/:id/users', (ctx) => {
    const client = requireClient(ctx);
    const { clientId: id, name } = client;
    const { grants, isComplete } = liveGrants.listByClient(id, now(), MAX_GRANTS_EXAMINED);
    sendAdminList(ctx, AUTHORIZING_USERS, listAuthorizingUsers(client, grants, users), (list) =>
      pages.adminApplicationUsers({
        ...pageContextFor(ctx, actingUser(ctx)),
        application: { id, name },
        examinedCount: isComplete ? null : MAX_GRANTS_EXAMINED,
        list,
      }),
    );
  });
}
