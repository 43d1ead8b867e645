import type { ExportAccount } from '../../../accounts/account-export.ts';
import type { AccountMailer } from '../../../accounts/account-mailer.ts';
import type { Accounts } from '../../../accounts/accounts.ts';
import type { GuardedPasswords } from '../../../accounts/guarded-passwords.ts';
import { passwordWeakness } from '../../../accounts/password-advice.ts';
import type { PasskeyLogins } from '../../../accounts/passkeys.ts';
import type { SecondFactorPolicy } from '../../../accounts/second-factor-policy.ts';
import { mayAdminister } from '../../../domain/roles.ts';
import { message, type Message } from '../../../language/message.ts';
import { callerFromUser } from '../../../platform/hashing/hash-caller.ts';
import { hashOncePerRequest } from '../../../platform/hashing/hash-once-per-request.ts';
import type { PasswordHashing } from '../../../platform/hashing/password-hashing.ts';
import type { Groups } from '../../../projections/groups.ts';
import type { Passkeys } from '../../../projections/passkeys.ts';
import type { SecondFactors } from '../../../projections/second-factors.ts';
import type { User, Users } from '../../../projections/users.ts';
import { hasPassword, reauthenticate, withPasswordOrFreshLogin } from './fresh-login.ts';
import { passwordsOffError } from './mail-links.ts';
import { passkeyLocals, type AccountLocals, type AccountPages } from './locals.ts';
import { twoStepStatus } from './two-step-status.ts';
import { createSessionList, type SessionListDeps } from './session-list.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { ACCOUNT_CHANGED, beginSession } from './begin-session.ts';
import { requireLogin } from '../../pipeline/require-login.ts';
import { formOf, requireCsrfToken } from '../../pipeline/page-form.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import { sendDownload } from '../../pipeline/download.ts';
import { describeEndingAccess } from '../ending-access.ts';
import { definedErrors, pageContextFor, type FieldErrors } from '../page-context.ts';
import { noLongerExistsError } from '../../pipeline/page-error.ts';
import { paginate } from '../paging.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import { readerLanguage } from '../../pipeline/reader-language.ts';
import { sendPage } from '../send-page.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { createPageRouter, WITHOUT_CHANGE_LIMIT } from '../page-router.ts';
import type { Route } from '../../route.ts';

export interface AccountDeps extends SessionListDeps {
  readonly accounts: Pick<Accounts, 'changeProfile' | 'changePassword'>;
  readonly passwords: Pick<GuardedPasswords, 'areOff' | 'reauthenticate'>;
  readonly hashing: Pick<PasswordHashing, 'hasherFor'>;
  readonly passkeyLogins: Pick<PasskeyLogins, 'relyingParty'>;
  readonly accountMailer: Pick<AccountMailer, 'isOn' | 'sendVerification'>;
  readonly accountExport: ExportAccount;
  readonly users: Pick<Users, 'find'>;
  readonly groups: Pick<Groups, 'namesOf'>;
  readonly passkeys: Pick<Passkeys, 'listByUser'>;
  readonly secondFactors: Pick<SecondFactors, 'totpOf' | 'recoveryCodesOf'>;
  readonly secondFactorPolicy: Pick<SecondFactorPolicy, 'isOn' | 'isRequired'>;
  readonly addressOf: (ctx: RequestContext) => string;
  readonly mintBrowserId: () => string;
  readonly pages: Pick<AccountPages, 'account' | 'sessions' | 'changePassword'>;
  readonly settings: { readonly loginUrl: string };
}

const SAVED = message('own-account.saved');
/** The number of sessions and of passkeys on the account page. Separate pages list all of them. */
const MAX_ITEMS_SHOWN = 2;

const PASSWORD_CHANGED = message('own-password.changed');
const PASSWORD_NOT_CHANGED = message('reset.failed');
const WRONG_PASSWORD = message('own-account.wrong-password');

/** Returns the routes for the user's own account: names, e-mail address, password, sessions and data export. */
export function accountRoutes(deps: AccountDeps): readonly Route[] {
  const {
    accounts,
    accountMailer,
    passwords,
    hashing,
    loginSessions,
    accountExport,
    users,
    passkeys,
    pages,
    now,
    settings,
  } = deps;
  const sessionList = createSessionList(deps);
  const router = createPageRouter();
  const withLogin = (handler: (ctx: RequestContext, caller: LoggedInUser) => void | Promise<void>) =>
    requireLogin(settings.loginUrl, handler);
  const withOwnPassword = (handler: Parameters<typeof withLogin>[0]) =>
    withLogin(
      withPasswordOrFreshLogin({ loginUrl: settings.loginUrl, now }, '/accounts/password/', (ctx, caller) => {
        if (!hasPassword(caller.user) && passwords.areOff()) throw passwordsOffError();
        return handler(ctx, caller);
      }),
    );

  function show(
    ctx: RequestContext,
    caller: LoggedInUser,
    values: AccountLocals['values'] = caller.user,
    errors: FieldErrors = {},
  ): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const openSessions = sessionList.openSessions(caller);
    const passkeyList = passkeys.listByUser(caller.user.userId);
    const { email, firstName, lastName } = values;
    sendPage(
      ctx,
      pages.account({
        ...pageContextFor(ctx, caller),
        values: { email, firstName, lastName },
        email: emailLocals(caller.user),
        needsPassword: mustReauthenticate(caller.user),
        errors,
        groups: deps.groups.namesOf(caller.user.userId),
        sessions: sessionList.locals(openSessions.slice(0, MAX_ITEMS_SHOWN), caller),
        sessionCount: openSessions.length,
        endingAccess: describeEndingAccess(caller.user.userId, deps),
        passkeys: passkeyList.slice(-MAX_ITEMS_SHOWN).map(passkeyLocals),
        passkeyCount: passkeyList.length,
        passkeysOffered: deps.passkeyLogins.relyingParty() !== undefined,
        twoStep: twoStepStatus(deps, caller.user),
      }),
    );
  }

  /**
   * Reports whether the user must enter the current password to change the e-mail address. If mail is on, anyone who
   * controls the new address can verify it, and then get a link for choosing a new password.
   */
  const mustReauthenticate = ({ passwordHash }: User): boolean => accountMailer.isOn && passwordHash !== '';

  function emailLocals({ id, email, emailVerified: isVerified, roles }: User): AccountLocals['email'] {
    if (email === '') return null;
    const adminPage = mayAdminister(roles) ? `/admin/users/${id}/` : null;
    return { isVerified, canSendLink: accountMailer.isOn && !isVerified, adminPage };
  }

  router.get(
    '/accounts',
    withLogin((ctx, caller) => show(ctx, caller)),
  );

  router.get(
    '/accounts/sessions',
    withLogin((ctx, caller) => {
      const { items, paging } = paginate(ctx, () => sessionList.openSessions(caller));
      const sessions = sessionList.locals(items, caller);
      const endingAccess = describeEndingAccess(caller.user.userId, deps);
      sendPage(ctx, pages.sessions({ ...pageContextFor(ctx, caller), paging, sessions, endingAccess }));
    }),
  );

  router.post(
    '/accounts/profile',
    requireCsrfToken,
    withLogin(async (ctx, caller) => {
      const form = formOf(ctx);
      const [firstName, lastName] = [form.trimmed('first_name'), form.trimmed('last_name')];
      const profile = { email: form.trimmed('email'), firstName, lastName };
      const isNewEmail = profile.email !== caller.user.email;
      if (isNewEmail && mustReauthenticate(caller.user)) {
        const authentication = await reauthenticate(ctx, caller, form.input('current_password'), deps);
        if (authentication === undefined) return show(ctx, caller, profile, { current_password: WRONG_PASSWORD });
      }
      const failure = await accounts.changeProfile(caller.user, profile, userCommandContext(ctx, caller));
      if (failure !== undefined) return show(ctx, caller, profile, definedErrors(failure.errors));
      const updatedUser = users.find(caller.user.userId);
      const language = readerLanguage(ctx);
      const isSent = isNewEmail && updatedUser && accountMailer.sendVerification(updatedUser, ctx.state.once, language);
      ctx.state.webSession.flash(isSent ? message('own-account.saved-and-sent', { email: profile.email }) : SAVED);
      ctx.redirect('/accounts/');
    }),
  );

  function showPassword(ctx: RequestContext, caller: LoggedInUser, errors: FieldErrors): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const locals = {
      needsPassword: hasPassword(caller.user),
      endingAccess: describeEndingAccess(caller.user.userId, deps),
      errors,
    };
    sendPage(ctx, pages.changePassword({ ...pageContextFor(ctx, caller), ...locals }));
  }

  router.get(
    '/accounts/password',
    withOwnPassword((ctx, caller) => showPassword(ctx, caller, {})),
  );

  router.with(WITHOUT_CHANGE_LIMIT).post(
    '/accounts/password',
    requireCsrfToken,
    withOwnPassword(async (ctx, caller) => {
      const form = formOf(ctx);
      const newPassword = form.input('new_password');
      const weakness = passwordWeakness(newPassword, [caller.user.username, caller.user.email]);
      const authentication = await reauthenticate(ctx, caller, form.input('current_password'), deps);
      const mismatch = authentication === undefined ? WRONG_PASSWORD : undefined;
      if (weakness !== undefined || authentication === undefined)
        return showPassword(ctx, caller, definedErrors({ current_password: mismatch, new_password: weakness }));
      const hasher = hashOncePerRequest(hashing.hasherFor(callerFromUser(caller.user.userId)), ctx.state.once);
      const context = userCommandContext(ctx, authentication);
      const result = await accounts.changePassword(authentication.user, newPassword, context, hasher);
      if ('errors' in result)
        return showPassword(ctx, caller, { new_password: result.errors.password ?? PASSWORD_NOT_CHANGED });
      // The password change also ended this session. The new session is based on the account after the change, so only
      // a later password change would end it.
      const check = { method: 'password', checkedAsOf: result.position } as const;
      const target = await beginSession(ctx, { user: authentication.user, check }, deps.mintBrowserId, '/accounts/');
      ctx.state.webSession.flash(target === undefined ? ACCOUNT_CHANGED : PASSWORD_CHANGED);
      ctx.redirect(target ?? '/accounts/');
    }),
  );

  router.with(WITHOUT_CHANGE_LIMIT).post(
    '/accounts/sessions/:id/end',
    requireCsrfToken,
    withLogin(async (ctx, caller) => {
      const id = pathParameter(ctx, 'id');
      const affectedApplications = sessionList.applicationsEndingWith(caller, id);
      if (!(await loginSessions.endByHash(id, caller.user.userId, now(), ctx.state.metadata)))
        throw noLongerExistsError(message('navigation.account'));
      if (id === caller.sessionHash) {
        await ctx.state.webSession.logOut();
        return ctx.redirect('/');
      }
      ctx.state.webSession.flash(sessionEndedMessage(affectedApplications));
      ctx.redirect('/accounts/');
    }),
  );

  router.get(
    '/accounts/export',
    withLogin((ctx, { user }) => {
      const mayStillRead = (): boolean => ctx.state.webSession.loggedInUser()?.user.userId === user.userId;
      sendDownload(ctx, {
        fileName: 'grantlog-account.json',
        contentType: 'application/json; charset=utf-8',
        generate: () => accountExport(user, now()),
        mayStillRead,
      });
    }),
  );

  return router.routes;
}

function sessionEndedMessage([application, ...otherNames]: readonly string[]): Message {
  if (application === undefined) return message('sessions.ended');
  return message('sessions.ended-with', { application, others: otherNames.length });
}
