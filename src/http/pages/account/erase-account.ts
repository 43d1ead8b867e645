import type { Accounts } from '../../../accounts/accounts.ts';
import type { AdministratorLogins } from '../../../accounts/administrator-logins.ts';
import { normalizeUserName } from '../../../domain/user-name.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import { message } from '../../../language/message.ts';
import type { Clients } from '../../../projections/clients.ts';
import { formOf, requireCsrfToken } from '../../pipeline/page-form.ts';
import { requireLogin } from '../../pipeline/require-login.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import type { Route } from '../../route.ts';
import { erasureNote, type ErasureSettings } from '../erasure-note.ts';
import { pageContextFor, type FieldErrors } from '../page-context.ts';
import { createPageRouter, WITHOUT_CHANGE_LIMIT } from '../page-router.ts';
import { sendPage } from '../send-page.ts';
import { hasPassword, reauthenticate, withPasswordOrFreshLogin, type ReauthenticationDeps } from './fresh-login.ts';
import type { AccountPages } from './locals.ts';

export interface EraseAccountDeps extends ReauthenticationDeps {
  readonly accounts: Pick<Accounts, 'erase'>;
  readonly administratorLogins: Pick<AdministratorLogins, 'isLastAdministrator'>;
  readonly clients: Pick<Clients, 'countOwnedBy'>;
  readonly pages: Pick<AccountPages, 'eraseAccount'>;
  readonly now: () => EpochSeconds;
  readonly settings: ErasureSettings & { readonly loginUrl: string };
}

const PATH = '/accounts/erase';

/** Routes for users to erase their own accounts. */
export function eraseAccountRoutes(deps: EraseAccountDeps): readonly Route[] {
  const { accounts, administratorLogins, clients, pages, now, settings } = deps;
  const router = createPageRouter();
  const { loginUrl } = settings;
  const withConfirmedLogin = (handler: (ctx: RequestContext, caller: LoggedInUser) => void | Promise<void>) =>
    requireLogin(loginUrl, withPasswordOrFreshLogin({ loginUrl, now }, `${PATH}/`, handler));

  function show(ctx: RequestContext, caller: LoggedInUser, errors: FieldErrors): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    sendPage(
      ctx,
      pages.eraseAccount({
        ...pageContextFor(ctx, caller),
        isLastAdministrator: administratorLogins.isLastAdministrator(caller.user),
        needsPassword: hasPassword(caller.user),
        applicationCount: clients.countOwnedBy(caller.user.userId),
        keyNote: erasureNote(settings, 'yours') ?? null,
        errors,
      }),
    );
  }

  router.get(
    PATH,
    withConfirmedLogin((ctx, caller) => show(ctx, caller, {})),
  );

  router.with(WITHOUT_CHANGE_LIMIT).post(
    PATH,
    requireCsrfToken,
    withConfirmedLogin(async (ctx, caller) => {
      const form = formOf(ctx);
      const { user } = caller;
      if (administratorLogins.isLastAdministrator(user))
        return show(ctx, caller, { account: message('erase.administrator-first') });
      if (normalizeUserName(form.trimmed('username')) !== user.username)
        return show(ctx, caller, { username: message('erase.other-username') });
      const authentication = await reauthenticate(ctx, caller, form.input('password'), deps);
      if (authentication === undefined) return show(ctx, caller, { password: message('own-account.wrong-password') });
      await accounts.erase(authentication.user, userCommandContext(ctx, authentication));
      await ctx.state.webSession.logOut();
      ctx.state.webSession.flash(message('erase.done'));
      ctx.redirect('/');
    }),
  );

  return router.routes;
}
