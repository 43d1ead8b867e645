import type { Accounts } from '../../../accounts/accounts.ts';
import type { ProfileInput } from '../../../accounts/profile-change.ts';
import { message } from '../../../language/message.ts';
import { formOf, requireCsrfToken } from '../../pipeline/page-form.ts';
import { requireLogin } from '../../pipeline/require-login.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import type { Route } from '../../route.ts';
import { definedErrors, pageContextFor, type FieldErrors } from '../page-context.ts';
import { createPageRouter } from '../page-router.ts';
import { sendPage } from '../send-page.ts';
import type { AccountPages } from './locals.ts';
import { readProfile, profileFormGroups, timeZones } from './profile-form.ts';

export interface ProfileDeps {
  readonly accounts: Pick<Accounts, 'changeProfile'>;
  readonly pages: Pick<AccountPages, 'profile'>;
  readonly settings: { readonly loginUrl: string };
}

/** Routes for the profile that the logged-in user shares with applications. */
export function profileRoutes({ accounts, pages, settings }: ProfileDeps): readonly Route[] {
  const router = createPageRouter();

  function show(ctx: RequestContext, caller: LoggedInUser, values: ProfileInput, errors: FieldErrors = {}): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    sendPage(
      ctx,
      pages.profile({
        ...pageContextFor(ctx, caller),
        groups: profileFormGroups(values),
        timeZones: timeZones(caller.user.profile.zoneinfo ?? ''),
        errors,
      }),
    );
  }

  router.get(
    '/accounts/details',
    requireLogin(settings.loginUrl, (ctx, caller) => show(ctx, caller, caller.user.profile)),
  );

  router.post(
    '/accounts/details',
    requireCsrfToken,
    requireLogin(settings.loginUrl, async (ctx, caller) => {
      const form = formOf(ctx);
      const profile = readProfile((name) => form.trimmed(name));
      const failure = await accounts.changeProfile(caller.user, { profile }, userCommandContext(ctx, caller));
      if (failure !== undefined) return show(ctx, caller, profile, definedErrors(failure.errors));
      ctx.state.webSession.flash(message('profile.saved'));
      ctx.redirect('/accounts/');
    }),
  );

  return router.routes;
}
