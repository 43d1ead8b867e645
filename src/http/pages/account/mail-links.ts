import type { AccountLinks } from '../../../accounts/account-links.ts';
import type { AccountMailer } from '../../../accounts/account-mailer.ts';
import type { Accounts } from '../../../accounts/accounts.ts';
import type { GuardedPasswords } from '../../../accounts/guarded-passwords.ts';
import { passwordWeakness } from '../../../accounts/password-advice.ts';
import { FORM_FIELDS } from '../../../config/input-limits.ts';
import { observedAccount } from '../../../domain/streams.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { CommandContext } from '../../../event-store/command-handler.ts';
import { message, type Text } from '../../../language/message.ts';
import { callerFromAddress } from '../../../platform/hashing/hash-caller.ts';
import { hashOncePerRequest } from '../../../platform/hashing/hash-once-per-request.ts';
import type { PasswordHashing } from '../../../platform/hashing/password-hashing.ts';
import type { RateLimits } from '../../../platform/limits/rate-limits.ts';
import type { User } from '../../../projections/users.ts';
import { formOf, requireCsrfToken } from '../../pipeline/page-form.ts';
import { PageError, type ErrorOffer } from '../../pipeline/page-error.ts';
import { queryOf } from '../../pipeline/query.ts';
import { readerLanguage } from '../../pipeline/reader-language.ts';
import { requireLogin } from '../../pipeline/require-login.ts';
import type { Handler, RequestContext } from '../../pipeline/state.ts';
import type { Route } from '../../route.ts';
import { definedErrors, pageContext, type FieldErrors } from '../page-context.ts';
import { createPageRouter, WITHOUT_CHANGE_LIMIT } from '../page-router.ts';
import { sendPage } from '../send-page.ts';
import type { AccountPages } from './locals.ts';

export interface MailLinkDeps {
  readonly accounts: Pick<Accounts, 'changePassword' | 'verifyEmail'>;
  readonly accountLinks: Pick<AccountLinks, 'openVerification' | 'openReset'>;
  readonly accountMailer: Pick<AccountMailer, 'isOn' | 'requestReset' | 'sendVerification'>;
  readonly hashing: Pick<PasswordHashing, 'hasherFor'>;
  readonly passwords: Pick<GuardedPasswords, 'areOff'>;
  readonly limits: Pick<RateLimits, 'spend'>;
  readonly addressOf: (ctx: RequestContext) => string;
  readonly now: () => EpochSeconds;
  readonly pages: Pick<AccountPages, 'forgotPassword' | 'resetRequested' | 'resetPassword' | 'verifyEmail'>;
  readonly settings: { readonly loginUrl: string };
}

const NO_USERNAME = message('forgot.no-name');
const PASSWORD_NOT_CHANGED = message('reset.failed');

/**
 * Routes for the pages that e-mailed links open. Opening a link changes nothing, because mail scanners also open links;
 * pressing the button on the page makes the change. A request for a link gets the same response whether or not the
 * account exists.
 */
export function mailLinkRoutes(deps: MailLinkDeps): readonly Route[] {
  const { accounts, accountLinks, accountMailer, hashing, limits, addressOf, now, pages, settings } = deps;
  const router = createPageRouter();

  /** Refuses requests while a provider is required, because a new password could not be used. */
  const requirePasswords: Handler = (_ctx, next) => {
    if (deps.passwords.areOff()) throw passwordsOffError();
    return next();
  };

  function showForgotPassword(ctx: RequestContext, error: Text | null): void {
    if (error !== null) ctx.status = 422;
    sendPage(ctx, pages.forgotPassword({ ...pageContext(ctx), isMailOn: accountMailer.isOn, error }));
  }

  router.get('/accounts/forgot', requirePasswords, (ctx) => showForgotPassword(ctx, null));

  router.post('/accounts/forgot', requirePasswords, requireCsrfToken, (ctx) => {
    const username = formOf(ctx).input('username');
    if (username.trim() === '' || username.length > FORM_FIELDS.username) return showForgotPassword(ctx, NO_USERNAME);
    limits.spend('mail-links-by-address', addressOf(ctx), ctx.state.once);
    accountMailer.requestReset(username, ctx.state.once, readerLanguage(ctx));
    ctx.redirect('/accounts/forgot/sent/');
  });

  router.get('/accounts/forgot/sent', (ctx) => sendPage(ctx, pages.resetRequested(pageContext(ctx))));

  function showReset(ctx: RequestContext, token: string, { username }: User, errors: FieldErrors): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    sendLinkPage(ctx, pages.resetPassword({ ...pageContext(ctx), token, username, errors }));
  }

  router.get('/accounts/reset', requirePasswords, (ctx) => {
    const token = queryOf(ctx).text('token') ?? '';
    showReset(
      ctx,
      token,
      accountLinks.openReset(token, now()) ?? refuseDeadLink(RESET_ADVICE, ['new-reset-link', 'login']),
      {},
    );
  });

  router.with(WITHOUT_CHANGE_LIMIT).post('/accounts/reset', requirePasswords, requireCsrfToken, async (ctx) => {
    const form = formOf(ctx);
    const token = form.text('token');
    const user = accountLinks.openReset(token, now()) ?? refuseDeadLink(RESET_ADVICE, ['new-reset-link', 'login']);
    const password = form.input('new_password');
    const weakness = passwordWeakness(password, [user.username, user.email]);
    if (weakness !== undefined) return showReset(ctx, token, user, { new_password: weakness });
    const caller = callerFromAddress(addressOf(ctx), user.username);
    const hasher = hashOncePerRequest(hashing.hasherFor(caller), ctx.state.once);
    const context = linkCommandContext(ctx, user, () => accountLinks.openReset(token, now()) !== undefined);
    const result = await accounts.changePassword(user, password, context, hasher);
    if ('errors' in result) {
      const errors = { new_password: result.errors.password ?? PASSWORD_NOT_CHANGED };
      return showReset(ctx, token, user, definedErrors(errors));
    }
    ctx.state.webSession.flash(message('reset.done'));
    ctx.redirect('/accounts/login/');
  });

  router.get('/accounts/verify', (ctx) => {
    const token = queryOf(ctx).text('token') ?? '';
    const { username, email } = accountLinks.openVerification(token, now()) ?? refuseDeadLink(VERIFY_ADVICE);
    sendLinkPage(ctx, pages.verifyEmail({ ...pageContext(ctx), token, username, email }));
  });

  router.with(WITHOUT_CHANGE_LIMIT).post('/accounts/verify', requireCsrfToken, async (ctx) => {
    const token = formOf(ctx).text('token');
    const user = accountLinks.openVerification(token, now()) ?? refuseDeadLink(VERIFY_ADVICE);
    const isStillValid = (): boolean => accountLinks.openVerification(token, now()) !== undefined;
    await accounts.verifyEmail(user, linkCommandContext(ctx, user, isStillValid));
    ctx.state.webSession.flash(message('verify.done', { email: user.email }));
    const isOwnAccount = ctx.state.webSession.loggedInUser()?.user.userId === user.userId;
    ctx.redirect(isOwnAccount ? '/accounts/' : '/accounts/login/');
  });

  router.post(
    '/accounts/verify/send',
    requireCsrfToken,
    requireLogin(settings.loginUrl, (ctx, { user }) => {
      const isSent = accountMailer.sendVerification(user, ctx.state.once, readerLanguage(ctx));
      ctx.state.webSession.flash(isSent ? message('own-account.link-sent', { email: user.email }) : NOT_SENT);
      ctx.redirect('/accounts/');
    }),
  );

  return router.routes;
}

const NOT_SENT = message('own-account.link-not-sent');

const RESET_ADVICE = message('dead-link.reset-advice');
const VERIFY_ADVICE = message('dead-link.verify-advice');

/** Throws the same error for used, expired and made-up links, so that the error reveals nothing about the link. */
export function refuseDeadLink(advice: Text, offers: readonly ErrorOffer[] = ['login']): never {
  throw new PageError(404, message('dead-link.title'), message('dead-link.text'), advice, undefined, [], offers);
}

/**
 * Returns the context of a change made through a link. The actor is the user to whom the link was sent, whether or not
 * anyone is logged in.
 */
function linkCommandContext(ctx: RequestContext, user: User, isStillValid: () => boolean): CommandContext {
  const actor = { kind: 'user', id: user.userId } as const;
  return { actor, ...ctx.state.metadata, basedOn: [observedAccount(user)], isStillValid };
}

/** Sends a page whose URL contains a token, and tells browsers not to send that URL to other servers. */
export function sendLinkPage(ctx: RequestContext, html: string): void {
  sendPage(ctx, html);
  ctx.set('Referrer-Policy', 'no-referrer');
}

/** Returns the error that password pages show while a provider is required. */
export function passwordsOffError(): PageError {
  const advice = message('passwords-off.advice');
  return new PageError(
    403,
    message('passwords-off.title'),
    message('passwords-off.text'),
    advice,
    undefined,
    [],
    ['login'],
  );
}
