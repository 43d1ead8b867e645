import type { EpochSeconds, UserId } from '../../domain/values.ts';
import type { Clients } from '../../projections/clients.ts';
import type { Grants } from '../../projections/grants.ts';
import { authorizedApplications, authorizedApplicationLocals } from './account/authorization-lookup.ts';
import { take } from './take.ts';
import { pageContext } from './page-context.ts';
import type { HomeLocals, Pages } from './render.ts';
import { sendPage } from './send-page.ts';
import { createPageRouter } from './page-router.ts';
import type { Route } from '../route.ts';

export interface HomeParts {
  readonly clients: Pick<Clients, 'find' | 'newestOwnedBy' | 'countOwnedBy'>;
  readonly grants: Pick<Grants, 'listByUser'>;
  readonly pages: Pick<Pages, 'home'>;
  readonly now: () => EpochSeconds;
  readonly settings: { readonly signup: 'closed' | 'open'; readonly sampleApi: boolean };
}

type Overview = Pick<HomeLocals, 'applications' | 'applicationCount' | 'authorized' | 'authorizedCount'>;

const EMPTY_OVERVIEW: Overview = { applications: [], applicationCount: 0, authorized: [], authorizedCount: 0 };

/** The linked pages show the rest. */
const ITEMS_SHOWN = 3;

/** The home page: an introduction for visitors, an overview for logged-in users. */
export function homeRoutes(parts: HomeParts): readonly Route[] {
  const { pages, settings } = parts;
  const router = createPageRouter();
  router.get('/', (ctx) => {
    const caller = ctx.state.webSession.loggedInUser();
    const overview = caller === undefined ? EMPTY_OVERVIEW : overviewFor(caller.user.userId, parts);
    sendPage(
      ctx,
      pages.home({
        ...pageContext(ctx),
        signupOpen: settings.signup === 'open',
        documents: documentLinks(settings),
        ...overview,
      }),
    );
  });
  return router.routes;
}

function overviewFor(userId: UserId, parts: HomeParts): Overview {
  const { clients } = parts;
  const authorized = authorizedApplications(userId, parts);
  return {
    applications: take(clients.newestOwnedBy(userId), ITEMS_SHOWN).map(({ clientId, name, lastUse }) => ({
      id: clientId,
      name,
      lastUsed: lastUse.anySecret?.at ?? null,
    })),
    applicationCount: clients.countOwnedBy(userId),
    authorized: authorized.slice(0, ITEMS_SHOWN).map(authorizedApplicationLocals),
    authorizedCount: authorized.length,
  };
}

function documentLinks({ sampleApi }: HomeParts['settings']): HomeLocals['documents'] {
  return [
    { title: 'API reference', href: '/docs/' },
    { title: 'OpenAPI 3.1 document', href: '/openapi.json' },
    { title: 'Authorization server metadata', href: '/.well-known/oauth-authorization-server' },
    ...(sampleApi ? [{ title: 'Protected resource metadata', href: '/.well-known/oauth-protected-resource' }] : []),
  ];
}
