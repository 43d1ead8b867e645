import { message } from '../../../language/message.ts';
import { findOtherWithAddress } from '../../../accounts/same-address.ts';
import type { Accounts } from '../../../accounts/accounts.ts';
import { observedAccount } from '../../../domain/streams.ts';
import type { Users } from '../../../projections/users.ts';
import { changeByForm } from '../../pipeline/change-by-form.ts';
import { formOf } from '../../pipeline/page-form.ts';
import type { ResubmissionGuard } from '../../pipeline/resubmission-guard.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { definedErrors, pageContextFor, type FieldErrors } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import { sendPage } from '../send-page.ts';
import type { AdminPages, AdminUserNamesLocals } from './locals.ts';
import { accountVersion, adminUserLocals, adminUserPath, requireAccount } from './users.ts';

export interface AdminUserNamesDeps {
  readonly accounts: Pick<Accounts, 'changeProfile'>;
  readonly users: Pick<Users, 'findByPk' | 'all'>;
  readonly resubmissionGuard: ResubmissionGuard;
  readonly pages: Pick<AdminPages, 'adminUserNames'>;
}

/** Adds the form that administrators use to change a user's first name, last name and e-mail address. */
export function addUserNamesPages(router: PageRouter, deps: AdminUserNamesDeps): void {
  const { accounts, users, resubmissionGuard, pages } = deps;

  function showForm(
    ctx: RequestContext,
    enteredValues: AdminUserNamesLocals['values'] | undefined,
    errors: FieldErrors,
  ): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const account = requireAccount(ctx, users);
    const { email, firstName, lastName } = enteredValues ?? account;
    const values = { email, firstName, lastName };
    sendPage(
      ctx,
      pages.adminUserNames({
        ...pageContextFor(ctx, actingUser(ctx)),
        account: adminUserLocals(account),
        values,
        formId: resubmissionGuard.mintId(accountVersion(account)),
        errors,
      }),
    );
  }

  router.get('/users/:pk/profile', (ctx) => showForm(ctx, undefined, {}));

  router.post('/users/:pk/profile', async (ctx) => {
    const account = requireAccount(ctx, users);
    const form = formOf(ctx);
    const [firstName, lastName] = [form.trimmed('first_name'), form.trimmed('last_name')];
    const values = { email: form.trimmed('email'), firstName, lastName };
    const context = userCommandContext(ctx, actingUser(ctx), observedAccount(account));
    const isOutdated = resubmissionGuard.isOutdated(ctx, accountVersion(account));
    const refusal = await changeByForm(isOutdated, context, (current) =>
      accounts.changeProfile(account, values, current),
    );
    if (refusal !== undefined) return showForm(ctx, values, definedErrors(refusal.errors));
    const { username } = account;
    const otherUser = values.email === account.email ? undefined : findOtherWithAddress(account, values.email, users);
    if (otherUser === undefined) ctx.state.webSession.flash(message('user-names.saved', { username }));
    else ctx.state.webSession.flash(message('user-names.shared', { username, other: otherUser.username }), 'warning');
    ctx.redirect(adminUserPath(account));
  });
}
