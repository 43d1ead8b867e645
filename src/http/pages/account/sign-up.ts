import type { AccountMailer } from '../../../accounts/account-mailer.ts';
import type { Accounts } from '../../../accounts/accounts.ts';
import { passwordWeakness } from '../../../accounts/password-advice.ts';
import type { Setup } from '../../../accounts/setup.ts';
import type { CommandContext } from '../../../event-store/command-handler.ts';
import { callerFromAddress } from '../../../platform/hashing/hash-caller.ts';
import type { PasswordHashing } from '../../../platform/hashing/password-hashing.ts';
import type { RateLimits } from '../../../platform/limits/rate-limits.ts';
import type { PasswordHasher } from '../../../platform/ports.ts';
import type { User } from '../../../projections/users.ts';
import type { Text } from '../../../language/message.ts';
import type { Form } from '../../pipeline/form.ts';
import { PageError } from '../../pipeline/page-error.ts';
import { formOf, requireCsrfToken } from '../../pipeline/page-form.ts';
import { queryOf } from '../../pipeline/query.ts';
import { readerLanguage } from '../../pipeline/reader-language.ts';
import { safeNext } from '../../pipeline/require-login.ts';
import type { Handler, RequestContext } from '../../pipeline/state.ts';
import type { Route } from '../../route.ts';
import { definedErrors, pageContext, type FieldErrors } from '../page-context.ts';
import { createPageRouter } from '../page-router.ts';
import type { Pages } from '../render.ts';
import { sendPage } from '../send-page.ts';
import { ACCOUNT_CHANGED, beginSession } from './begin-session.ts';
import { createLoginPage, type LoginPageDeps } from './login-page.ts';
import { nextFromQuery } from './next-from-query.ts';
import { requestingApplication } from './requesting-application.ts';
import { message } from '../../../language/message.ts';

export interface SignUpDeps extends LoginPageDeps {
  readonly accounts: Pick<Accounts, 'validate' | 'register' | 'erase'>;
  readonly accountMailer: Pick<AccountMailer, 'isOn' | 'sendVerification'>;
  readonly hashing: Pick<PasswordHashing, 'hasherFor'>;
  readonly limits: Pick<RateLimits, 'spend'>;
  readonly addressOf: (ctx: RequestContext) => string;
  readonly mintBrowserId: () => string;
  readonly setup: Setup;
  readonly pages: Pick<Pages, 'login' | 'setup' | 'signup'>;
}

/** Routes that create accounts: the setup of the first administrator, and sign-up if it is open. */
export function signUpRoutes(deps: SignUpDeps): readonly Route[] {
  const { accounts, hashing, limits, addressOf, setup, clients, pages, settings } = deps;
  const router = createPageRouter();
  const loginPage = createLoginPage(deps);

  /**
   * Throws unless the token is correct. Only incorrect tokens count toward the limit. The correct token is accepted
   * even if the limit has been reached, because it is too long to guess.
   */
  function requireSetupToken(ctx: RequestContext, token: string): void {
    if (setup.matches(token)) return;
    limits.spend('set-up-by-address', addressOf(ctx), ctx.state.once);
    throw invalidSetupLinkError();
  }

  function showSetup(ctx: RequestContext, token: string, form: Form | undefined, errors: FieldErrors): void {
    requireSetupToken(ctx, token);
    if (form !== undefined) ctx.status = 422;
    sendPage(ctx, pages.setup({ ...pageContext(ctx), token, values: enteredValues(form), errors }));
  }

  router.get('/accounts/setup', (ctx) => showSetup(ctx, queryOf(ctx).text('token') ?? '', undefined, {}));

  router.post('/accounts/setup', requireCsrfToken, async (ctx) => {
    const form = formOf(ctx);
    const token = form.text('token');
    requireSetupToken(ctx, token);
    const errors = await setup.use((mayStillRegister) =>
      register(ctx, form, {
        method: 'set-up-link',
        next: '/',
        roles: ['administrator'],
        mayStillRegister,
        shouldKeep: setup.isFirstAdministrator,
      }),
    );
    if (errors !== undefined) showSetup(ctx, token, form, errors);
  });

  function showSignup(
    ctx: RequestContext,
    next: string,
    form?: Form,
    problems: { readonly errors?: FieldErrors; readonly error?: Text; readonly status?: number } = {},
  ): void {
    const { errors = {}, error = null, status = 422 } = problems;
    if (form !== undefined) ctx.status = status;
    const application = requestingApplication(next, clients);
    const locals = { ...pageContext(ctx), next, values: enteredValues(form), errors, error, application };
    sendPage(ctx, pages.signup(locals), 'anywhere');
  }

  const requireOpenSignup: Handler = (_ctx, next) => {
    if (settings.signup !== 'open' || deps.upstreamProviders.areRequired()) throw signupClosedError();
    return next();
  };

  router.get('/accounts/signup', requireOpenSignup, (ctx) => showSignup(ctx, nextFromQuery(ctx)));

  router.post('/accounts/signup', requireOpenSignup, requireCsrfToken, async (ctx) => {
    const form = formOf(ctx);
    const next = safeNext(form.text('next'));
    ctx.state.showFormAgain = (error, status) => showSignup(ctx, next, form, { error, status });
    const [address, { once }] = [addressOf(ctx), ctx.state];
    limits.spend('sign-up-by-address', address, once);
    // A form counts toward the server-wide limit only when its password is about to be hashed, so that invalid forms do
    // not use up the limit.
    const hasher = hashing.hasherFor(callerFromAddress(address, `sign-up ${address}`), () =>
      limits.spend('sign-up', '', once),
    );
    const errors = await register(ctx, form, { method: 'sign-up', next, hasher });
    if (errors !== undefined) showSignup(ctx, next, form, { errors });
  });

  /**
   * Creates the account, logs the user in and redirects to `next`. If the form is invalid, returns its errors and
   * creates no account.
   */
  async function register(ctx: RequestContext, form: Form, newAccount: NewAccount): Promise<FieldErrors | undefined> {
    const { method, next, roles = [], hasher, mayStillRegister, shouldKeep } = newAccount;
    const password = form.input('password');
    const account = { username: form.input('username'), email: form.input('email'), password, roles };
    const weakness = passwordWeakness(password, [account.username, account.email]);
    if (weakness !== undefined) return { ...definedErrors(accounts.validate(account) ?? {}), password: weakness };
    const context: CommandContext = { actor: { kind: 'server' }, ...ctx.state.metadata };
    const result = await accounts.register(account, { ...context, isStillValid: mayStillRegister }, hasher);
    if ('errors' in result) return definedErrors(result.errors);
    const { user } = result;
    if (shouldKeep?.(user) === false) {
      await accounts.erase(user, context);
      throw invalidSetupLinkError();
    }
    deps.accountMailer.sendVerification(user, ctx.state.once, readerLanguage(ctx));
    const check = { method, checkedAsOf: user.registeredPosition };
    const target = await beginSession(ctx, { user, check }, deps.mintBrowserId, next);
    if (target === undefined) loginPage.show(ctx, next, user.username, ACCOUNT_CHANGED);
    else ctx.redirect(target);
    return undefined;
  }

  return router.routes;
}

interface NewAccount {
  readonly method: 'set-up-link' | 'sign-up';
  readonly next: string;
  readonly roles?: readonly 'administrator'[];
  /** The hasher for the queue of the sender's address; by default, the hasher for the server's queue. */
  readonly hasher?: PasswordHasher;
  /** Called just before the account is recorded; false cancels the registration. */
  readonly mayStillRegister?: () => boolean;
  /** Called after the account has been recorded; false erases the account. */
  readonly shouldKeep?: (user: User) => boolean;
}

/** Returns the same error for used, expired and made-up links, so that the error reveals nothing about the link. */
function invalidSetupLinkError(): PageError {
  return new PageError(
    404,
    message('setup-error.title'),
    message('setup-error.text'),
    message('setup-error.advice'),
    undefined,
    [],
    ['login'],
  );
}

function signupClosedError(): PageError {
  return new PageError(
    403,
    message('signup-error.title'),
    message('signup-error.text'),
    message('signup-error.advice'),
  );
}

function enteredValues(form: Form | undefined): { username: string; email: string } {
  return { username: form?.input('username') ?? '', email: form?.input('email') ?? '' };
}
