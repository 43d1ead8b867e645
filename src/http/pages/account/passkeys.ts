import type { GuardedPasswords } from '../../../accounts/guarded-passwords.ts';
import type { PasskeyLogins } from '../../../accounts/passkeys.ts';
import type { RelyingParty } from '../../../accounts/relying-party.ts';
import type { SecondFactorPolicy } from '../../../accounts/second-factor-policy.ts';
import type { PasskeyId } from '../../../domain/values.ts';
import type { Config } from '../../../config/config.ts';
import { message, type Message, type Text } from '../../../language/message.ts';
import type { Passkeys } from '../../../projections/passkeys.ts';
import type { AdminPages } from '../admin/locals.ts';
import { hasPassword, isFresh, reauthenticate, withPasswordOrFreshLogin } from './fresh-login.ts';
import type { Brand } from '../brand.ts';
import { passkeyLocals, type AccountPages } from './locals.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { describeBrowser } from '../../pipeline/browser-description.ts';
import { pageLanguage } from '../../pipeline/reader-language.ts';
import { header } from '../../pipeline/request-head.ts';
import { requireLogin } from '../../pipeline/require-login.ts';
import { formOf, requireCsrfToken } from '../../pipeline/page-form.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import { describeEndingAccess, type EndingAccessDeps } from '../ending-access.ts';
import { pageContextFor } from '../page-context.ts';
import { noLongerExistsError, notFound } from '../../pipeline/page-error.ts';
import { paginate } from '../paging.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import { sendPage } from '../send-page.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { secondStepPath } from './begin-session.ts';
import { lacksSecondStep } from './lacks-second-step.ts';
import { createPageRouter, WITHOUT_CHANGE_LIMIT } from '../page-router.ts';
import type { Route } from '../../route.ts';

export interface PasskeyDeps extends EndingAccessDeps {
  readonly passkeyLogins: Omit<PasskeyLogins, 'logIn'>;
  readonly passwords: Pick<GuardedPasswords, 'reauthenticate'>;
  readonly passkeys: Pick<Passkeys, 'listByUser'>;
  readonly secondFactorPolicy: Pick<SecondFactorPolicy, 'isOn'>;
  readonly addressOf: (ctx: RequestContext) => string;
  readonly pages: Pick<AccountPages, 'passkeys' | 'addPasskey'> & Pick<AdminPages, 'adminConfirm'>;
  readonly settings: Pick<Config, 'languages'> & { readonly loginUrl: string };
  readonly brand: Pick<Brand, 'translators'>;
}

const REMOVED = message('passkeys.removed');
const REMOVED_AND_LOGGED_OUT = message('passkeys.removed-and-logged-out');

const ADD_PATH = '/accounts/passkeys/add/';
const addPath = (): string => ADD_PATH;

function removalPath(ctx: RequestContext): string {
  return `/accounts/passkeys/${encodeURIComponent(pathParameter(ctx, 'id'))}/remove/`;
}

/**
 * Routes for the logged-in user's passkeys, and for the options that a browser needs to create a passkey or to log in
 * with one. The login itself is in `login.ts`.
 */
export function passkeyRoutes(deps: PasskeyDeps): readonly Route[] {
  const { passkeyLogins, passkeys, now, pages, settings } = deps;
  const router = createPageRouter();

  /**
   * Guards changes to passkeys. Like changes to other second factors, they require the second step if two-step login is
   * on.
   * @param getReturnPath returns the path to continue to after the second step
   */
  const withSecondStep = (
    getReturnPath: (ctx: RequestContext) => string,
    handler: (ctx: RequestContext, caller: LoggedInUser) => void | Promise<void>,
  ) =>
    requireLogin(settings.loginUrl, (ctx, caller) =>
      lacksSecondStep(deps.secondFactorPolicy, caller)
        ? ctx.redirect(secondStepPath(getReturnPath(ctx)))
        : handler(ctx, caller),
    );

  /**
   * Reports a problem to the script on the page.
   * @param field the form field that has the problem; undefined if the problem does not concern a field
   */
  function refuse(ctx: RequestContext, problem: Message, field?: string): void {
    ctx.status = 422;
    ctx.body = { detail: deps.brand.translators[pageLanguage(ctx, settings)].text(problem), field };
  }

  function requireRelyingParty(): RelyingParty {
    const party = passkeyLogins.relyingParty();
    if (party === undefined) throw notFound();
    return party;
  }

  router.get('/accounts/login/passkey', async (ctx) => {
    requireRelyingParty();
    ctx.body = await passkeyLogins.requestOptions(ctx.state.webSession.csrfToken());
  });

  router.get(
    '/accounts/passkeys',
    requireLogin(settings.loginUrl, (ctx, caller) => {
      const { items, paging } = paginate(ctx, () => passkeys.listByUser(caller.user.userId).toReversed());
      const passkeysOffered = passkeyLogins.relyingParty() !== undefined;
      const locals = { paging, passkeys: items.map(passkeyLocals), passkeysOffered };
      sendPage(ctx, pages.passkeys({ ...pageContextFor(ctx, caller), ...locals }));
    }),
  );

  function showAddPage(ctx: RequestContext, caller: LoggedInUser, name: string, error: Text | null): void {
    const { origin } = requireRelyingParty();
    if (error !== null) ctx.status = 422;
    sendPage(
      ctx,
      pages.addPasskey({
        ...pageContextFor(ctx, caller),
        origin,
        needsPassword: hasPassword(caller.user),
        name,
        error,
      }),
    );
  }

  router.get(
    '/accounts/passkeys/add',
    withSecondStep(
      addPath,
      withPasswordOrFreshLogin({ loginUrl: settings.loginUrl, now }, ADD_PATH, (ctx, caller) =>
        showAddPage(ctx, caller, describeBrowser(header(ctx, 'user-agent')) ?? '', null),
      ),
    ),
  );

  // Requires the password or, if the user has no password, a fresh login. Otherwise, anyone at an unattended browser
  // could add a passkey and keep access to the account.
  router.post(
    '/accounts/passkeys/options',
    requireCsrfToken,
    requireLogin(settings.loginUrl, async (ctx, caller) => {
      requireRelyingParty();
      const { user } = caller;
      if (lacksSecondStep(deps.secondFactorPolicy, caller)) return refuse(ctx, message('passkeys.second-step-first'));
      if (!hasPassword(user) && !isFresh(caller, now())) return refuse(ctx, message('passkeys.log-in-again'));
      if ((await reauthenticate(ctx, caller, formOf(ctx).input('password'), deps)) === undefined)
        return refuse(ctx, message('own-account.wrong-password'), 'password');
      ctx.body = await passkeyLogins.creationOptions(user, ctx.state.webSession.csrfToken());
    }),
  );

  router.post(
    '/accounts/passkeys/add',
    requireCsrfToken,
    withSecondStep(addPath, async (ctx, caller) => {
      const form = formOf(ctx);
      const session = ctx.state.webSession.csrfToken();
      const newPasskey = { name: form.input('name'), responseJson: form.text('answer'), session, once: ctx.state.once };
      const problem = await passkeyLogins.add(caller.user, newPasskey, userCommandContext(ctx, caller));
      if (problem !== undefined) return showAddPage(ctx, caller, newPasskey.name, problem);
      ctx.state.webSession.flash(message('passkeys.added'));
      ctx.redirect('/accounts/');
    }),
  );

  const endingAccessText = ({ user }: LoggedInUser, id: string): Text =>
    describeEndingAccess(user.userId, deps, ({ passkeyId }) => passkeyId === id);

  router.get(
    '/accounts/passkeys/:id/remove',
    withSecondStep(removalPath, (ctx, caller) => {
      const id = pathParameter(ctx, 'id');
      const passkey = passkeys.listByUser(caller.user.userId).find(({ passkeyId }) => passkeyId === id);
      if (passkey === undefined) throw noLongerExistsError(message('navigation.account'));
      sendPage(
        ctx,
        pages.adminConfirm({
          ...pageContextFor(ctx, caller),
          trail: [{ href: '/accounts/', text: message('navigation.account') }],
          title: message('passkeys.remove-title', { name: passkey.name }),
          text: [message('passkeys.remove-text'), endingAccessText(caller, id)],
          button: message('passkeys.remove-button'),
          action: removalPath(ctx),
          back: '/accounts/passkeys/',
        }),
      );
    }),
  );

  router.with(WITHOUT_CHANGE_LIMIT).post(
    '/accounts/passkeys/:id/remove',
    requireCsrfToken,
    withSecondStep(removalPath, async (ctx, caller) => {
      const id = pathParameter(ctx, 'id') as PasskeyId;
      if (!passkeys.listByUser(caller.user.userId).some(({ passkeyId }) => passkeyId === id))
        throw noLongerExistsError(message('navigation.account'));
      await passkeyLogins.remove(caller.user, id, userCommandContext(ctx, caller));
      const isLoggedOut = ctx.state.webSession.loggedInUser() === undefined;
      ctx.state.webSession.flash(isLoggedOut ? REMOVED_AND_LOGGED_OUT : REMOVED);
      ctx.redirect('/accounts/');
    }),
  );

  return router.routes;
}
