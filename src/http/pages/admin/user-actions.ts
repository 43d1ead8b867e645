import { otherVerifier } from '../../../accounts/same-address.ts';
import { normalUserName } from '../../../domain/user-name.ts';
import { isLastAdministrator } from '../../../domain/roles.ts';
import { accountAsRead } from '../../../domain/streams.ts';
import type { CommandContext } from '../../../event-store/command-handler.ts';
import { knownUser } from '../../../platform/hashing/hash-caller.ts';
import { hashOncePerRequest } from '../../../platform/hashing/hash-once-per-request.ts';
import { message, type Text } from '../../../language/message.ts';
import type { User } from '../../../projections/users.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { ACCOUNT_CHANGED, beginSession } from '../account/begin-session.ts';
import { factsOfEndingAccess } from '../ending-access.ts';
import { erasureNote } from '../erasure-note.ts';
import { definedErrors, pageContextFor, type FieldErrors } from '../page-context.ts';
import { outdatedForm } from '../../pipeline/page-error.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import { formOf } from '../../pipeline/page-form.ts';
import { sendPage } from '../send-page.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import type { RemovalFact } from './locals.ts';
import { factsOfUser } from './removal-facts.ts';
import {
  requireAccount,
  chosenRoles,
  enteredPassword,
  enteredPasswordProblem,
  generatePassword,
  generatedPasswordPath,
  adminUserPath,
  type AdminUserParts,
} from './users.ts';
import type { PageRouter } from '../page-router.ts';

/** An action that needs confirmation. */
interface ConfirmedAction {
  readonly name: 'disable' | 'erase' | 'remove_second_factors' | 'sign_out';
  readonly title: (username: string) => Text;
  readonly text: readonly Text[];
  /** The data that ends, with numbers. */
  readonly facts?: (account: User) => readonly RemovalFact[];
  readonly button: Text;
  readonly done: (username: string) => Text;
  /** Whether the user name must be typed, because the action cannot be undone. */
  readonly isTyped?: true;
  readonly run: (account: User, context: CommandContext) => Promise<unknown>;
  /**
   * For an action that can have an effect several times: a string that differs after each run, to detect a form that is
   * sent twice.
   */
  readonly lastRun?: (account: User) => string;
  /** Whether such an action has anything to end now. */
  readonly isNeeded?: (account: User) => boolean;
}

function confirmedActions(parts: AdminUserParts): readonly ConfirmedAction[] {
  const { accounts, secondFactorChanges, loginSessions, now, settings } = parts;
  const keyNote = erasureNote(settings, 'theirs');
  return [
    {
      name: 'disable',
      title: (username) => message('disable-user.title', { username }),
      text: [message('disable-user.text'), message('disable-user.applications')],
      facts: (account) => factsOfUser(account, parts),
      button: message('disable-user.button'),
      done: (username) => message('disable-user.done', { username }),
      run: accounts.disable,
    },
    {
      name: 'erase',
      title: (username) => message('erase-user.title', { username }),
      text: [
        message('erase-user.text'),
        ...(keyNote === undefined ? [] : [keyNote]),
        message('erase-user.applications'),
        message('erase-user.final'),
      ],
      facts: (account) => factsOfUser(account, parts),
      button: message('erase-user.button'),
      done: (username) => message('erase-user.done', { username }),
      isTyped: true,
      run: accounts.erase,
    },
    {
      name: 'remove_second_factors',
      title: (username) => message('remove-factors.title', { username }),
      text: [message('remove-factors.text'), message('ending-access.rule'), message('remove-factors.caution')],
      facts: ({ userId }) => factsOfEndingAccess(userId, parts),
      button: message('remove-factors.button'),
      done: (username) => message('remove-factors.done', { username }),
      run: (account, context) => secondFactorChanges.removeAll(account, 'lost', context),
    },
    {
      name: 'sign_out',
      title: (username) => message('logout-user.title', { username }),
      text: [message('logout-user.text'), message('ending-access.rule')],
      facts: ({ userId }) => factsOfEndingAccess(userId, parts),
      button: message('user.logout-everywhere'),
      done: (username) => message('logout-user.done', { username }),
      run: accounts.logOutEverywhere,
      lastRun: ({ userId }) => String(loginSessions.lastEndOf(userId) ?? 'never'),
      isNeeded: ({ userId }) => loginSessions.ofUser(userId, now()).length > 0,
    },
  ];
}

const USERS_CRUMB = { href: '/admin/users/', text: message('admin.users') };

/** The actions of administrators on an account. */
export function addUserActions(router: PageRouter, parts: AdminUserParts): void {
  const { accounts, users, entropy, hashing, secretsShownOnce, repeatedForms, secondFactorPolicy, pages } = parts;

  for (const action of confirmedActions(parts)) {
    const { name, title, text, facts, button, done, isTyped, run, lastRun, isNeeded } = action;
    const show = (ctx: RequestContext, error?: Text): void => {
      if (error !== undefined) ctx.status = 422;
      const account = requireAccount(ctx, users);
      const back = adminUserPath(account);
      const trail = [USERS_CRUMB, { href: back, text: account.username }];
      sendPage(
        ctx,
        pages.adminConfirm({
          ...pageContextFor(ctx, actingUser(ctx)),
          trail,
          title: title(account.username),
          text,
          ...(facts && { facts: facts(account) }),
          button,
          action: `${back}${name}/`,
          back,
          ...(isTyped && {
            typed: { field: 'username', label: message('account.username'), name: account.username },
          }),
          ...(lastRun && { hidden: { form_id: repeatedForms.mintId(lastRun(account)) } }),
          error,
        }),
      );
    };
    router.get(`/users/:pk/${name}`, (ctx) => show(ctx));
    router.post(`/users/:pk/${name}`, async (ctx) => {
      const account = requireAccount(ctx, users);
      if (isTyped && normalUserName(formOf(ctx).trimmed('username')) !== account.username)
        return show(ctx, message('confirm.mismatch'));
      const wasRun = lastRun !== undefined && repeatedForms.isOutdated(ctx, lastRun(account));
      if (!wasRun || isNeeded?.(account) !== false) await run(account, userCommandContext(ctx, actingUser(ctx)));
      redirectWithFlash(ctx, done(account.username), users.find(account.userId));
    });
  }

  router.post('/users/:pk/enable', async (ctx) => {
    const account = requireAccount(ctx, users);
    await accounts.enable(account, userCommandContext(ctx, actingUser(ctx)));
    redirectWithFlash(ctx, message('enable-user.done', { username: account.username }), account);
  });

  router.post('/users/:pk/verify_email', async (ctx) => {
    const account = requireAccount(ctx, users);
    // Nothing is recorded if the address has changed since the page was shown, because nobody has seen the new one.
    if (formOf(ctx).text('email') !== account.email) throw outdatedForm();
    const holder = otherVerifier(account, users);
    if (holder !== undefined) {
      const { username } = holder;
      ctx.state.webSession.flash(message('verify-user.taken', { username }), 'warning');
      return ctx.redirect(adminUserPath(account));
    }
    if (!account.emailVerified) await accounts.verifyEmail(account, userCommandContext(ctx, actingUser(ctx)));
    redirectWithFlash(ctx, message('verify-user.done', { username: account.username }), account);
  });

  router.get('/users/:pk/roles', (ctx) => {
    const account = requireAccount(ctx, users);
    const isLast = isLastAdministrator(account, users.all());
    const locals = { account: roleLocals(account), isLast };
    sendPage(ctx, pages.adminRoles({ ...pageContextFor(ctx, actingUser(ctx)), ...locals }));
  });

  router.post('/users/:pk/roles', async (ctx) => {
    const account = requireAccount(ctx, users);
    await accounts.changeRoles(account, chosenRoles(ctx), userCommandContext(ctx, actingUser(ctx)));
    redirectWithFlash(ctx, message('user-roles.changed', { username: account.username }), account);
  });

  function showPasswordForm(ctx: RequestContext, errors: FieldErrors): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const account = requireAccount(ctx, users);
    const formId = repeatedForms.mintId(account.passwordHash); // salted, hence unique
    const facts = factsOfEndingAccess(account.userId, parts);
    const locals = { account: nameLocals(account), facts, formId, errors };
    sendPage(ctx, pages.adminPassword({ ...pageContextFor(ctx, actingUser(ctx)), ...locals }));
  }

  router.get('/users/:pk/password', (ctx) => showPasswordForm(ctx, {}));

  router.post('/users/:pk/password', async (ctx) => {
    const account = requireAccount(ctx, users);
    const actor = actingUser(ctx);
    // The change ends this session, and a generated password could not be shown after the second step of the next one.
    const isOwn = account.userId === actor.user.userId;
    if (isOwn && secondFactorPolicy.nextStep(account) !== 'none') return ctx.redirect('/accounts/password/');
    const given = enteredPassword(ctx);
    const weakness = enteredPasswordProblem(given, account);
    if (weakness !== undefined) return showPasswordForm(ctx, weakness);
    const password = given ?? generatePassword(repeatedForms.entropyFor(ctx, actor) ?? entropy);
    const hasher = hashOncePerRequest(hashing.hasherFor(knownUser(actor.user.userId)), ctx.state.once);
    if (repeatedForms.isOutdated(ctx, account.passwordHash)) {
      // Only generated passwords are compared. Otherwise an administrator could test guesses of a user's password.
      const wasSent = given === undefined && (await hasher.verify(account.passwordHash, password));
      if (!wasSent) throw outdatedForm();
    } else {
      const context = userCommandContext(ctx, actor, accountAsRead(account));
      const changed = await accounts.changePassword(account, password, context, hasher);
      if ('errors' in changed) return showPasswordForm(ctx, definedErrors(changed.errors));
      // Changing one's own password also ended this session. Showing a generated password requires a new one.
      if (isOwn) {
        const check = { method: 'password', checkedAsOf: changed.position } as const;
        const target = await beginSession(ctx, { user: account, check }, parts.mintBrowserId, '/accounts/');
        if (target === undefined) return redirectWithFlash(ctx, ACCOUNT_CHANGED, account);
      }
    }
    if (given !== undefined)
      return redirectWithFlash(ctx, message('user-password.done', { username: account.username }), account);
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

/** Redirects to the account's page, or to the list if the account is gone. */
function redirectWithFlash(ctx: RequestContext, flash: Text, account: User | undefined): void {
  ctx.state.webSession.flash(flash);
  ctx.redirect(account === undefined ? USERS_CRUMB.href : adminUserPath(account));
}
