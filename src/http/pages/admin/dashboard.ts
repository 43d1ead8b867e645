import { message } from '../../../language/message.ts';
import { periodsUpTo, type RecentHistory } from '../../../domain/recent-counts.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { Explanations } from '../../../oauth/refusals/explanations.ts';
import type { Activity } from '../../../projections/activity.ts';
import type { Clients } from '../../../projections/clients.ts';
import type { UpstreamProviders } from '../../../projections/upstream-providers.ts';
import type { Users } from '../../../projections/users.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import { pageContextFor } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import { sendPage } from '../send-page.ts';
import { attentionFacts, type AttentionDeps } from './attention-facts.ts';
import { attentionItems } from './attention.ts';
import { countUpTo, countText, type HealthDeps } from './health-figures.ts';
import type { AdminPages } from './locals.ts';
import { providerTable, type ProviderUse } from './provider-cells.ts';

export interface AdminDashboardDeps extends AttentionDeps, ProviderUse {
  readonly upstreamProviders: Pick<UpstreamProviders, 'all' | 'allEnabled' | 'lastLoginAt'>;
  readonly activity: Pick<Activity, 'ofServer'>;
  /** Failed logins on this node's login page since startup. */
  readonly failedLogins: RecentHistory;
  readonly explanations: Pick<Explanations, 'requests' | 'history'>;
  readonly users: Pick<Users, 'all' | 'size'>;
  readonly clients: Pick<Clients, 'all' | 'find' | 'size'>;
  readonly projections: Pick<HealthDeps['projections'], 'accessTokens' | 'sessions'>;
  readonly pages: Pick<AdminPages, 'adminDashboard'>;
  readonly now: () => EpochSeconds;
}

const SINCE_STARTUP = message('dashboard.since-start');

/**
 * Adds the home page of the administration area, with problems that need attention, totals, login providers and
 * charts.
 */
export function addDashboard(router: PageRouter, deps: AdminDashboardDeps): void {
  const { activity, explanations, users, clients, projections, upstreamProviders, pages, now } = deps;

  router.get('/', async (ctx) => {
    const moment = now();
    const tokens = await countUpTo(projections.accessTokens.live(moment));
    const sessions = await countUpTo(projections.sessions.all(moment));
    const { tokens: issuedTokens, logins } = activity.ofServer(moment);
    sendPage(
      ctx,
      pages.adminDashboard({
        ...pageContextFor(ctx, actingUser(ctx)),
        attention: attentionItems(attentionFacts(deps, moment)),
        totals: [
          {
            title: message('admin.users'),
            text: message('list.number', { number: users.size() }),
            href: '/admin/users/',
          },
          { title: message('dashboard.sessions'), text: countText(sessions), href: null },
          {
            title: message('admin.applications'),
            text: message('list.number', { number: clients.size() }),
            href: '/admin/applications/',
          },
          { title: message('dashboard.tokens'), text: countText(tokens), href: '/admin/applications/?sort=last_used' },
        ],
        providers: upstreamProviders.all().length === 0 ? null : providerTable(upstreamProviders.all(), deps),
        charts: [
          {
            id: 'tokens',
            title: message('dashboard.chart-tokens'),
            noun: 'tokens',
            note: '',
            link: null,
            counts: issuedTokens,
          },
          {
            id: 'logins',
            title: message('dashboard.chart-logins'),
            noun: 'logins',
            note: '',
            link: { href: '/audit/?type=SessionStarted', text: message('dashboard.see-logins') },
            counts: logins,
          },
          {
            id: 'failed-logins',
            title: message('dashboard.chart-failed'),
            noun: 'failed-logins',
            note: SINCE_STARTUP,
            link: null,
            counts: periodsUpTo(moment, deps.failedLogins),
          },
          {
            id: 'refusals',
            title: message('dashboard.chart-refusals'),
            noun: 'refusals',
            note: SINCE_STARTUP,
            link: { href: '/admin/refusals/', text: message('dashboard.see-refusals') },
            counts: explanations.history(moment),
          },
        ],
      }),
    );
  });
}
