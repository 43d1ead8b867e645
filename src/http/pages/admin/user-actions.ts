import { findOtherVerifier } from '../../../accounts/same-address.ts';
import { normalizeUserName } from '../../../domain/user-name.ts';
import { mayAdminister } from '../../../domain/roles.ts';
import type { Role } from '../../../domain/events.ts';
import { observedAccount } from '../../../domain/streams.ts';
import { callerFromUser } from '../../../platform/hashing/hash-caller.ts';
import { hashOncePerRequest } from '../../../platform/hashing/hash-once-per-request.ts';
import { message, type Text } from '../../../language/message.ts';
import type { User } from '../../../projections/users.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { ACCOUNT_CHANGED, beginSession } from '../account/begin-session.ts';
import { endingAccessFacts } from '../ending-access.ts';
import { definedErrors, pageContextFor, type FieldErrors } from '../page-context.ts';
import { changeByForm } from '../../pipeline/change-by-form.ts';
import { outdatedFormError } from '../../pipeline/page-error.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import { formOf } from '../../pipeline/page-form.ts';
import { sendPage } from '../send-page.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { confirmedActions, type ConfirmedAction } from './confirmed-actions.ts';
import { otherAdministratorsFact } from './removal-facts.ts';
import {
  accountVersion,
  requireAccount,
  readRoles,
  readPassword,
  passwordErrors,
  generatePassword,
  generatedPasswordPath,
  adminUserPath,
  type AdminUserDeps,
} from './users.ts';
import type { PageRouter } from '../page-router.ts';

const USERS_CRUMB = { href: '/admin/users/', text: message('admin.users') };

/** Adds the routes that administrators use to act on an account. */
export function addUserActions(router: PageRouter, deps: AdminUserDeps): void {
  const { accounts, users, entropy, hashing, secretsShownOnce, resubmissionGuard, secondFactorPolicy, pages } = deps;
  const { isLastAdministrator } = deps.administratorLogins;

  for (const action of confirmedActions(deps)) {
    const { name, requiresTypedName, lastRun } = action;
    const show = (ctx: RequestContext, error?: Text): void => {
      if (error !== undefined) ctx.status = 422;
      const account = requireAccount(ctx, users);
      const back = adminUserPath(account);
      const { title, text, facts, button } = questionFor(ctx, action, account);
      sendPage(
        ctx,
        pages.adminConfirm({
          ...pageContextFor(ctx, actingUser(ctx)),
          trail: [USERS_CRUMB, { href: back, text: account.username }],
          title,
          text,
          facts,
          button,
          action: `${back}${name}/`,
          back,
          ...(requiresTypedName && {
            typedConfirmation: { field: 'username', label: message('account.username'), name: account.username },
          }),
          ...(lastRun && { hidden: { form_id: resubmissionGuard.mintId(lastRun(account)) } }),
          error,
        }),
      );
    };
    router.get(`/users/:pk/${name}`, (ctx) => show(ctx));
    router.post(`/users/:pk/${name}`, async (ctx) => {
      const account = requireAccount(ctx, users);
      if (requiresTypedName && normalizeUserName(formOf(ctx).trimmed('username')) !== account.username)
        return show(ctx, message('confirm.mismatch'));
      const { notice } = questionFor(ctx, action, account);
      const hasAlreadyRun = lastRun !== undefined && resubmissionGuard.isOutdated(ctx, lastRun(account));
      if (!hasAlreadyRun || action.isNeeded?.(account) !== false)
        await action.run(account, userCommandContext(ctx, actingUser(ctx)));
      await redirectWithNotice(ctx, notice, users.find(account.userId));
    });
  }

  router.post('/users/:pk/enable', async (ctx) => {
    const account = requireAccount(ctx, users);
    await accounts.enable(account, userCommandContext(ctx, actingUser(ctx)));
    await redirectWithNotice(ctx, message('enable-user.done', { username: account.username }), account);
  });

  router.post('/users/:pk/verify_email', async (ctx) => {
    const account = requireAccount(ctx, users);
    // An administrator must not verify an address that was not shown on the page.
    if (formOf(ctx).text('email') !== account.email) throw outdatedFormError();
    const otherUser = findOtherVerifier(account, users);
    if (otherUser !== undefined) {
      const { username } = otherUser;
      ctx.state.webSession.flash(message('verify-user.taken', { username }), 'warning');
      return ctx.redirect(adminUserPath(account));
    }
    if (!account.emailVerified) await accounts.verifyEmail(account, userCommandContext(ctx, actingUser(ctx)));
    await redirectWithNotice(ctx, message('verify-user.done', { username: account.username }), account);
  });

  router.get('/users/:pk/roles', (ctx) => {
    const account = requireAccount(ctx, users);
    const formId = resubmissionGuard.mintId(accountVersion(account));
    const locals = {
      account: roleLocals(account),
      isLastAdministrator: isLastAdministrator(account),
      isOwnAccount: isOwnAccount(ctx, account),
      formId,
    };
    sendPage(ctx, pages.adminRoles({ ...pageContextFor(ctx, actingUser(ctx)), ...locals }));
  });

  function askToConfirmRoleLoss(ctx: RequestContext, account: User, roles: readonly Role[]): void {
    const back = `${adminUserPath(account)}roles/`;
    sendPage(
      ctx,
      pages.adminConfirm({
        ...pageContextFor(ctx, actingUser(ctx)),
        trail: [USERS_CRUMB, { href: adminUserPath(account), text: account.username }],
        title: message('own-roles.title'),
        text: [message('own-roles.lede')],
        facts: [otherAdministratorsFact(account, deps)],
        button: message('own-roles.button'),
        action: back,
        back,
        hidden: { confirmed: 'yes', role: roles, form_id: formOf(ctx).text('form_id') },
      }),
    );
  }

  router.post('/users/:pk/roles', async (ctx) => {
    const account = requireAccount(ctx, users);
    const roles = readRoles(ctx);
    const isConfirmed = formOf(ctx).text('confirmed') === 'yes';
    const losesAdminRole = isOwnAccount(ctx, account) && !mayAdminister(roles);
    if (losesAdminRole && !isConfirmed && !isLastAdministrator(account))
      return askToConfirmRoleLoss(ctx, account, roles);
    const context = userCommandContext(ctx, actingUser(ctx), observedAccount(account));
    const isOutdated = resubmissionGuard.isOutdated(ctx, accountVersion(account));
    await changeByForm(isOutdated, context, (current) => accounts.changeRoles(account, roles, current));
    const isUnchanged = users.find(account.userId) === account;
    const notice = isUnchanged
      ? message('admin.unchanged')
      : message('user-roles.changed', { username: account.username });
    if (!losesAdminRole) return redirectWithNotice(ctx, notice, account);
    ctx.state.webSession.flash(message('own-roles.done'));
    ctx.redirect('/');
  });

  function showPasswordForm(ctx: RequestContext, errors: FieldErrors): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const account = requireAccount(ctx, users);
    const formId = resubmissionGuard.mintId(account.passwordHash); // salted, so it is unique
    const facts = endingAccessFacts([account.userId], deps);
    const locals = { account: nameLocals(account), isOwnAccount: isOwnAccount(ctx, account), facts, formId, errors };
    sendPage(ctx, pages.adminPassword({ ...pageContextFor(ctx, actingUser(ctx)), ...locals }));
  }

  router.get('/users/:pk/password', (ctx) => showPasswordForm(ctx, {}));

  router.post('/users/:pk/password', async (ctx) => {
    const account = requireAccount(ctx, users);
    const actor = actingUser(ctx);
    // Changing one's own password ends this session. If the next login needs a second step, a generated password cannot
    // be shown.
    const changesOwnPassword = isOwnAccount(ctx, account);
    if (changesOwnPassword && secondFactorPolicy.nextStep(account) !== 'none')
      return ctx.redirect('/accounts/password/');
    const chosenPassword = readPassword(ctx);
    const errors = passwordErrors(chosenPassword, account);
    if (errors !== undefined) return showPasswordForm(ctx, errors);
    const password = chosenPassword ?? generatePassword(resubmissionGuard.entropyFor(ctx, actor) ?? entropy);
    const hasher = hashOncePerRequest(hashing.hasherFor(callerFromUser(actor.user.userId)), ctx.state.once);
    if (resubmissionGuard.isOutdated(ctx, account.passwordHash)) {
      // Only a generated password is verified. Otherwise, an administrator could use this form to guess passwords.
      const wasSubmittedBefore = chosenPassword === undefined && (await hasher.verify(account.passwordHash, password));
      if (!wasSubmittedBefore) throw outdatedFormError();
    } else {
      const context = userCommandContext(ctx, actor, observedAccount(account));
      const result = await accounts.changePassword(account, password, context, hasher);
      if ('errors' in result) return showPasswordForm(ctx, definedErrors(result.errors));
      // Changing one's own password has also ended this session. A new session keeps the administrator logged in and
      // makes it possible to show a generated password.
      if (changesOwnPassword) {
        const check = { method: 'password', checkedAsOf: result.position } as const;
        const target = await beginSession(ctx, { user: account, check }, deps.mintBrowserId, '/accounts/');
        if (target === undefined) return redirectWithNotice(ctx, ACCOUNT_CHANGED, account);
      }
    }
    if (chosenPassword !== undefined)
      return redirectWithNotice(ctx, message('user-password.done', { username: account.username }), account);
    ctx.state.webSession.flash(message('user-password.done', { username: account.username }));
    secretsShownOnce.redirect(ctx, actingUser(ctx), generatedPasswordPath(account), password);
  });

  router.get('/users/:pk/password/made/:page', (ctx) => {
    const actor = actingUser(ctx);
    const account = nameLocals(requireAccount(ctx, users));
    const password = secretsShownOnce.take(ctx, actor) ?? null;
    sendPage(ctx, pages.adminGeneratedPassword({ ...pageContextFor(ctx, actor), account, password }));
  });
}

function nameLocals({ id, username }: User) {
  return { id, username };
}

function roleLocals({ id, username, roles }: User) {
  return { id, username, roles };
}

function isOwnAccount(ctx: RequestContext, { userId }: User): boolean {
  return userId === actingUser(ctx).user.userId;
}

function questionFor(ctx: RequestContext, { question, ownQuestion }: ConfirmedAction, account: User) {
  return isOwnAccount(ctx, account) ? ownQuestion(account) : question(account);
}

/**
 * Redirects to the account's page, or to the list of users if it has been erased. Administrators whose own session has
 * ended are redirected to the home page.
 */
async function redirectWithNotice(ctx: RequestContext, notice: Text, account: User | undefined): Promise<void> {
  const { webSession } = ctx.state;
  const isLoggedIn = webSession.loggedInUser() !== undefined;
  if (!isLoggedIn) await webSession.logOut();
  webSession.flash(notice);
  if (isLoggedIn) ctx.redirect(account === undefined ? USERS_CRUMB.href : adminUserPath(account));
  else ctx.redirect('/');
}
