import { Router } from '@koa/router';
import type { GuardedPasswords } from '../../../accounts/guarded-passwords.ts';
import type { PasskeyLogIns } from '../../../accounts/passkeys.ts';
import type { RelyingParty } from '../../../accounts/relying-party.ts';
import type { PasskeyId } from '../../../domain/values.ts';
import type { Passkeys } from '../../../projections/passkeys.ts';
import { passkeyLocals, type AccountPages } from './account-locals.ts';
import { actingContext } from '../../pipeline/acting-context.ts';
import { readBrowserCookie } from '../../pipeline/browser-cookie.ts';
import { forLoggedIn } from '../log-in-redirect.ts';
import { formOf, requireCsrfToken } from '../../pipeline/page-form.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import { framedFor } from '../page-context.ts';
import { alreadyEnded, notFound } from '../../pipeline/page-error.ts';
import { pageOfItems } from '../page-of-items.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import { sendPage } from '../send-page.ts';
import type { RequestContext, RequestState } from '../../pipeline/state.ts';

export interface PasskeyRoutesParts {
  readonly passkeyLogIns: Omit<PasskeyLogIns, 'logIn'>;
  readonly passwords: Pick<GuardedPasswords, 'authenticateAgain'>;
  readonly passkeys: Pick<Passkeys, 'ofUser'>;
  readonly addressOf: (ctx: RequestContext) => string;
  readonly pages: Pick<AccountPages, 'passkeys' | 'addPasskey'>;
  readonly settings: { readonly loginUrl: string };
}

const REMOVED =
  'The passkey is removed, and every log-in that began with it has ended. You can delete it from your device as well.';
const REMOVED_AND_LOGGED_OUT = 'The passkey is removed. You were logged in with it, so please log in again.';

/** Passkeys of the logged-in user, and what a browser needs to know to ask for one. Who may log in with it, routes/accounts.ts says. */
export function passkeyRoutes(parts: PasskeyRoutesParts): Router<RequestState> {
  const { passkeyLogIns, passwords, passkeys, pages, settings } = parts;
  const router = new Router<RequestState>({ sensitive: true });

  function requireOffered(): RelyingParty {
    const party = passkeyLogIns.relyingParty();
    if (party === undefined) throw notFound();
    return party;
  }

  router.get('/accounts/login/passkey', async (ctx) => {
    requireOffered();
    ctx.body = await passkeyLogIns.requestOptions(ctx.state.webSession.csrfToken());
  });

  router.get(
    '/accounts/passkeys',
    forLoggedIn(settings.loginUrl, (ctx, person) => {
      const { items, paging } = pageOfItems(ctx, () => passkeys.ofUser(person.user.userId).toReversed());
      sendPage(ctx, pages.passkeys({ ...framedFor(ctx, person), paging, passkeys: items.map(passkeyLocals) }));
    }),
  );

  function show(ctx: RequestContext, person: LoggedInUser, name: string, error: string | null): void {
    const { origin } = requireOffered();
    if (error !== null) ctx.status = 422;
    sendPage(ctx, pages.addPasskey({ ...framedFor(ctx, person), origin, name, error }));
  }

  router.get(
    '/accounts/passkeys/add',
    forLoggedIn(settings.loginUrl, (ctx, person) => show(ctx, person, '', null)),
  );

  /** The password first: who finds a browser open must not be able to stay for ever. */
  router.post(
    '/accounts/passkeys/options',
    requireCsrfToken,
    forLoggedIn(settings.loginUrl, async (ctx, { user }) => {
      requireOffered();
      const password = formOf(ctx).entered('password');
      const proven = await passwords.authenticateAgain(user, password, {
        address: parts.addressOf(ctx),
        browser: readBrowserCookie(ctx),
        once: ctx.state.once,
      });
      if (proven !== undefined) ctx.body = await passkeyLogIns.creationOptions(user, ctx.state.webSession.csrfToken());
      else {
        ctx.status = 422;
        ctx.body = { detail: 'This is not your password.' };
      }
    }),
  );

  router.post(
    '/accounts/passkeys/add',
    requireCsrfToken,
    forLoggedIn(settings.loginUrl, async (ctx, person) => {
      const form = formOf(ctx);
      const session = ctx.state.webSession.csrfToken();
      const added = { name: form.entered('name'), answer: form.text('answer'), session, once: ctx.state.once };
      const problem = await passkeyLogIns.add(person.user, added, actingContext(ctx, person));
      if (problem !== undefined) return show(ctx, person, added.name, problem);
      ctx.state.webSession.flash('Your passkey is added: from now on you can log in with it.');
      ctx.redirect('/accounts/');
    }),
  );

  router.post(
    '/accounts/passkeys/:id/remove',
    requireCsrfToken,
    forLoggedIn(settings.loginUrl, async (ctx, person) => {
      const id = pathParameter(ctx, 'id') as PasskeyId;
      if (!passkeys.ofUser(person.user.userId).some(({ passkeyId }) => passkeyId === id))
        throw alreadyEnded('My account');
      await passkeyLogIns.remove(person.user, id, actingContext(ctx, person));
      const wasUsedHere = ctx.state.webSession.person() === undefined;
      ctx.state.webSession.flash(wasUsedHere ? REMOVED_AND_LOGGED_OUT : REMOVED);
      ctx.redirect('/accounts/');
    }),
  );

  return router;
}
