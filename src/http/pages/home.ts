import { mayAdminister } from '../../domain/roles.ts';
import { periodsUpTo, type PeriodCounts, type RecentHistory } from '../../domain/recent-counts.ts';
import type { EpochSeconds } from '../../domain/values.ts';
import type { Activity } from '../../projections/activity.ts';
import { message, type Text } from '../../language/message.ts';
import type { Explanations, RefusedRequest } from '../../oauth/refusals/explanations.ts';
import type { Client, Clients } from '../../projections/clients.ts';
import type { Grants } from '../../projections/grants.ts';
import type { User, Users } from '../../projections/users.ts';
import { listAuthorizedApplications } from '../../audit/queries/authorized-applications.ts';
import { attentionFacts, type AttentionDeps } from './admin/attention-facts.ts';
import { attentionItems } from './admin/attention.ts';
import { authorizedApplicationLocals } from './account/grant-locals.ts';
import type { DescribeScope } from './authorize/scope-descriptions.ts';
import { take } from './take.ts';
import { pageContext, type PageContext } from './page-context.ts';
import { refusalPath } from './refusals/refusal-locals.ts';
import type { HomeLocals, Pages } from './render.ts';
import { sendPage } from './send-page.ts';
import { createPageRouter } from './page-router.ts';
import type { Route } from '../route.ts';

export interface HomeDeps extends AttentionDeps {
  readonly clients: Pick<Clients, 'all' | 'find' | 'newestOwnedBy' | 'countOwnedBy' | 'size'>;
  readonly grants: Pick<Grants, 'listByUser'>;
  readonly users: Pick<Users, 'all' | 'hasAdministrator' | 'size'>;
  readonly explanations: Pick<Explanations, 'history' | 'newest' | 'requests'>;
  readonly activity: Pick<Activity, 'ofServer'>;
  /** The failed logins on the pages of this node since startup. */
  readonly failedLogins: RecentHistory;
  readonly pages: Pick<Pages, 'home'>;
  readonly describeScope: DescribeScope;
  readonly now: () => EpochSeconds;
  readonly settings: { readonly signup: 'closed' | 'open'; readonly sampleApi: boolean };
}

type Overview = Omit<HomeLocals, keyof PageContext | 'signupOpen' | 'lacksAdministrator' | 'documents'>;

const EMPTY_OVERVIEW: Overview = {
  applications: [],
  applicationCount: 0,
  authorized: [],
  authorizedCount: 0,
  refusals: [],
  server: null,
};

/** The maximum number of items in each list. The linked pages show all items. */
const MAX_ITEMS = 3;

/** If the user owns more applications, only the most recently registered ones are considered. */
const MAX_APPLICATIONS = 200;

/** Returns the routes for the home page: an introduction for visitors, an overview for logged-in users. */
export function homeRoutes(deps: HomeDeps): readonly Route[] {
  const { pages, settings, users } = deps;
  const router = createPageRouter();
  router.get('/', (ctx) => {
    const caller = ctx.state.webSession.loggedInUser();
    const overview = caller === undefined ? EMPTY_OVERVIEW : overviewFor(caller.user, deps);
    sendPage(
      ctx,
      pages.home({
        ...pageContext(ctx),
        signupOpen: settings.signup === 'open',
        lacksAdministrator: !users.hasAdministrator(),
        documents: documentLinks(settings),
        ...overview,
      }),
    );
  });
  return router.routes;
}

const lastUseTime = ({ lastUse }: Client): number => lastUse.anySecret?.at ?? 0;

function overviewFor({ userId, roles }: User, deps: HomeDeps): Overview {
  const { clients } = deps;
  const allAuthorized = listAuthorizedApplications(userId, deps);
  const ownedClients = take(clients.newestOwnedBy(userId), MAX_APPLICATIONS);
  return {
    applications: ownedClients
      .toSorted((a, b) => lastUseTime(b) - lastUseTime(a))
      .slice(0, MAX_ITEMS)
      .map(({ clientId, name, lastUse }) => ({ id: clientId, name, lastUsed: lastUse.anySecret?.at ?? null })),
    applicationCount: clients.countOwnedBy(userId),
    authorized: allAuthorized.slice(0, MAX_ITEMS).map((application) => ({
      ...authorizedApplicationLocals(application),
      permissions: application.scope.map((name) => deps.describeScope(name).description),
    })),
    authorizedCount: allAuthorized.length,
    refusals: recentRefusals(ownedClients, mayAdminister(roles), deps),
    server: mayAdminister(roles) ? serverOverview(deps) : null,
  };
}

/**
 * Returns the newest refusals of requests from the user's applications; for administrators, from all applications.
 * Omits refusals of unauthenticated requests, because anyone can cause them.
 */
function recentRefusals(
  ownedClients: readonly Client[],
  includesAllApplications: boolean,
  { clients, explanations }: HomeDeps,
): HomeLocals['refusals'] {
  const ownedIds = new Set<string>(ownedClients.map(({ clientId }) => clientId));
  if (ownedIds.size === 0 && !includesAllApplications) return [];
  const isShown = ({ clientId, isProven }: RefusedRequest): boolean =>
    clientId !== null && isProven && (includesAllApplications || ownedIds.has(clientId));
  return explanations.newest(MAX_ITEMS, isShown).map(({ id, at, headline, clientId }) => ({
    href: refusalPath(id),
    at: at as EpochSeconds,
    headline,
    application: clients.find(clientId ?? '')?.name ?? null,
  }));
}

/** Returns the dashboard's warnings, the numbers of users and applications, and the counts for the last 24 hours. */
function serverOverview(deps: HomeDeps): Overview['server'] {
  const { users, clients, activity, failedLogins, explanations, now } = deps;
  const moment = now();
  return {
    attention: attentionItems(attentionFacts(deps, moment)),
    totals: [
      totalLocals(message('admin.users'), users.size(), '/admin/users/'),
      totalLocals(message('admin.applications'), clients.size(), '/admin/applications/'),
      totalLocals(
        message('home.logins'),
        lastDayCount(activity.ofServer(moment).logins),
        '/audit/?type=SessionStarted',
      ),
      totalLocals(
        message('home.failed-logins'),
        lastDayCount(periodsUpTo(moment, failedLogins)),
        '/admin/#failed-logins-title',
      ),
      totalLocals(message('home.refusals'), lastDayCount(explanations.history(moment)), '/admin/refusals/'),
    ],
  };
}

function totalLocals(title: Text, number: number, href: string) {
  return { title, text: message('list.number', { number }), href };
}

const lastDayCount = ({ hours }: PeriodCounts): number => hours.reduce((sum, { count }) => sum + count, 0);

function documentLinks({ sampleApi }: HomeDeps['settings']): HomeLocals['documents'] {
  return [
    { title: message('home.api-reference'), href: '/docs/' },
    { title: message('home.openapi'), href: '/openapi.json' },
    { title: message('home.server-metadata'), href: '/.well-known/oauth-authorization-server' },
    ...(sampleApi ? [{ title: message('home.resource-metadata'), href: '/.well-known/oauth-protected-resource' }] : []),
  ];
}
