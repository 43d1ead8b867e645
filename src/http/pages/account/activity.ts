import type { DescribeActivity } from '../../../audit/queries/own-activity.ts';
import type { ActivityTexts } from '../../../audit/queries/own-activity-aftermath.ts';
import { mayAudit } from '../../../domain/roles.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { MessageKey } from '../../../language/catalog.ts';
import { message } from '../../../language/message.ts';
import type { TokenDetails } from '../../../oauth/details/token-details.ts';
import type { KnownResources } from '../../../oauth/resources/known-resources.ts';
import type { ActivityEntry, ActivityKind, UserActivity } from '../../../projections/user-activity.ts';
import { queryOf } from '../../pipeline/query.ts';
import { requireLogin } from '../../pipeline/require-login.ts';
import type { Route } from '../../route.ts';
import type { DescribeScope } from '../authorize/scope-descriptions.ts';
import { describeDetails, formatDetail } from '../authorize/described-details.ts';
import { pageContextFor } from '../page-context.ts';
import { createPageRouter } from '../page-router.ts';
import { paginate } from '../paging.ts';
import { sendPage } from '../send-page.ts';
import type { AccountPages } from './locals.ts';

export interface ActivityPageDeps {
  readonly userActivity: Pick<UserActivity, 'listByUser'>;
  readonly describeActivity: DescribeActivity;
  readonly describeScope: DescribeScope;
  readonly tokenDetails: Pick<TokenDetails, 'open'>;
  readonly resources: Pick<KnownResources, 'detailTypes'>;
  readonly pages: Pick<AccountPages, 'activity'>;
  readonly now: () => EpochSeconds;
  readonly settings: { readonly loginUrl: string };
}

/** A small number, because the description of one entry may require reading about two hundred events. */
const ENTRIES_PER_PAGE = 20;

const FILTERS: readonly { readonly kind: ActivityKind; readonly label: MessageKey }[] = [
  { kind: 'login', label: 'activity.logins' },
  { kind: 'application', label: 'activity.applications' },
  { kind: 'account', label: 'activity.account' },
];

/** Returns the routes for the history of the logged-in user's account. */
export function activityRoutes(deps: ActivityPageDeps): readonly Route[] {
  const { userActivity, describeActivity, describeScope, tokenDetails, resources, pages, now, settings } = deps;
  const texts: ActivityTexts = {
    describeScope,
    describeDetails: (owner, details) =>
      describeDetails(tokenDetails.open(owner, details), resources.detailTypes()).map(formatDetail),
  };
  const router = createPageRouter();

  router.get(
    '/accounts/activity',
    requireLogin(settings.loginUrl, async (ctx, caller) => {
      const { userId, roles } = caller.user;
      const chosenFilter = FILTERS.find(({ kind }) => kind === queryOf(ctx).list('type')[0]);
      const { items, paging } = paginate(
        ctx,
        () => entriesOfKind(userActivity.listByUser(userId), chosenFilter?.kind),
        ENTRIES_PER_PAGE,
        chosenFilter === undefined ? {} : { type: chosenFilter.kind },
      );
      const entries = await describeActivity(userId, items, now(), texts);
      const filters = [
        { href: '/accounts/activity/', label: message('activity.everything'), isCurrent: chosenFilter === undefined },
        ...FILTERS.map(({ kind, label }) => ({
          href: `/accounts/activity/?type=${kind}`,
          label: message(label),
          isCurrent: chosenFilter?.kind === kind,
        })),
      ];
      sendPage(
        ctx,
        pages.activity({ ...pageContextFor(ctx, caller), filters, paging, entries, linksToEvents: mayAudit(roles) }),
      );
    }),
  );

  return router.routes;
}

/**
 * Yields the entries of the given kind, or all entries if `kind` is undefined. A login that led to a consent is also an
 * application entry.
 */
function* entriesOfKind(entries: Iterable<ActivityEntry>, kind: ActivityKind | undefined): Generator<ActivityEntry> {
  for (const entry of entries) {
    if (kind === undefined || entry.kind === kind || (kind === 'application' && entry.consentAt !== undefined)) {
      yield entry;
    }
  }
}
