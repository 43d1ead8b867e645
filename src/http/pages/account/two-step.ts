import type { GuardedPasswords } from '../../../accounts/guarded-passwords.ts';
import type { SecondFactorChanges } from '../../../accounts/second-factor-changes.ts';
import type { SecondFactorPolicy } from '../../../accounts/second-factor-policy.ts';
import type { PasskeyLogins } from '../../../accounts/passkeys.ts';
import { usedSecondFactor } from '../../../domain/login.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import { message, type Text } from '../../../language/message.ts';
import type { Passkeys } from '../../../projections/passkeys.ts';
import type { SecondFactors } from '../../../projections/second-factors.ts';
import { formOf, requireCsrfToken } from '../../pipeline/page-form.ts';
import { notFound, outdatedFormError } from '../../pipeline/page-error.ts';
import type { ResubmissionGuard } from '../../pipeline/resubmission-guard.ts';
import { queryOf } from '../../pipeline/query.ts';
import { requireLogin, safeNext } from '../../pipeline/require-login.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import type { Route } from '../../route.ts';
import type { SecretsShownOnce } from '../applications/secrets-shown-once.ts';
import { pageContextFor, type FieldErrors } from '../page-context.ts';
import { createPageRouter, WITHOUT_CHANGE_LIMIT } from '../page-router.ts';
import { sendPage } from '../send-page.ts';
import {
  beginSession,
  endSessionsWithoutSecondStep,
  secondStepPath,
  toUsedOrRethrow,
  type EndingDeps,
} from './begin-session.ts';
import type { AccountPages } from './locals.ts';
import { lacksSecondStep } from './lacks-second-step.ts';
import { NEW_CODES_PATH, offeredAppLocals, showNewCodes } from './offered-app.ts';
import { passwordSender } from './password-sender.ts';
import { twoStepStatus } from './two-step-status.ts';

export interface TwoStepDeps {
  readonly secondFactorChanges: SecondFactorChanges;
  readonly secondFactorPolicy: SecondFactorPolicy;
  readonly secondFactors: Pick<SecondFactors, 'totpOf' | 'recoveryCodesOf'>;
  readonly passkeys: Pick<Passkeys, 'listByUser'>;
  readonly passkeyLogins: Pick<PasskeyLogins, 'relyingParty'>;
  readonly passwords: Pick<GuardedPasswords, 'reauthenticate'>;
  readonly secretsShownOnce: SecretsShownOnce;
  readonly resubmissionGuard: ResubmissionGuard;
  readonly addressOf: (ctx: RequestContext) => string;
  readonly mintBrowserId: () => string;
  readonly loginSessions: EndingDeps['loginSessions'];
  readonly now: () => EpochSeconds;
  readonly pages: Pick<AccountPages, 'twoStep' | 'addApp' | 'confirmTwoStep' | 'recoveryCodes'>;
  readonly settings: { readonly loginUrl: string };
}

const WRONG_PASSWORD = message('own-account.wrong-password');
const WRONG_CODE = message('two-step.wrong-code');

/** The time after a login with a second step during which changes do not require the password. */
const RECENT_LOGIN_SECONDS = 600;

/**
 * The changes that a user must confirm. `done` is the message shown afterwards. After `new-codes`, the codes are shown
 * instead.
 */
const CHANGES = {
  'remove-app': { done: message('two-step.app-removed') },
  off: { done: message('two-step.turned-off') },
  'new-codes': { done: '' },
} as const;
type Change = keyof typeof CHANGES;

/** Routes that show the logged-in user's two-step login, change the app and recovery codes, and turn it off. */
export function twoStepRoutes(deps: TwoStepDeps): readonly Route[] {
  const { secondFactorChanges, secondFactorPolicy, secondFactors, passwords, secretsShownOnce } = deps;
  const { resubmissionGuard, pages, settings } = deps;
  const router = createPageRouter();
  const withLogin = (handler: (ctx: RequestContext, caller: LoggedInUser) => void | Promise<void>) =>
    requireLogin(settings.loginUrl, handler);

  async function isCorrectPassword(ctx: RequestContext, { user }: LoggedInUser): Promise<boolean> {
    return (
      (await passwords.reauthenticate(user, formOf(ctx).input('password'), passwordSender(ctx, deps))) !== undefined
    );
  }

  router.get(
    '/accounts/two-step',
    withLogin((ctx, caller) =>
      sendPage(ctx, pages.twoStep({ ...pageContextFor(ctx, caller), status: twoStepStatus(deps, caller.user) })),
    ),
  );

  function showApp(ctx: RequestContext, caller: LoggedInUser, next: string, errors: FieldErrors): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const offeredApp = secondFactorChanges.offerApp(caller.user, ctx.state.webSession.csrfToken());
    const locals = {
      ...pageContextFor(ctx, caller),
      ...offeredAppLocals(offeredApp),
      action: '/accounts/two-step/app/',
      next,
    };
    sendPage(ctx, pages.addApp({ ...locals, errors, isRequired: false, needsPassword: true }), 'anywhere');
  }

  const isWithoutSecondStep = (caller: LoggedInUser): boolean => lacksSecondStep(secondFactorPolicy, caller);
  const hasApp = ({ user }: LoggedInUser): boolean => secondFactors.totpOf(user.userId) !== undefined;

  router.get(
    '/accounts/two-step/app',
    withLogin((ctx, caller) => {
      if (hasApp(caller)) return ctx.redirect('/accounts/two-step/');
      if (isWithoutSecondStep(caller)) return ctx.redirect(secondStepPath('/accounts/two-step/app/'));
      return showApp(ctx, caller, safeNext(queryOf(ctx).text('next') ?? '/accounts/two-step/'), {});
    }),
  );

  router.with(WITHOUT_CHANGE_LIMIT).post(
    '/accounts/two-step/app',
    requireCsrfToken,
    withLogin(async (ctx, caller) => {
      const form = formOf(ctx);
      const next = safeNext(form.text('next'));
      if (hasApp(caller)) return ctx.redirect('/accounts/two-step/');
      if (isWithoutSecondStep(caller)) return ctx.redirect(secondStepPath('/accounts/two-step/app/'));
      if (!(await isCorrectPassword(ctx, caller))) return showApp(ctx, caller, next, { password: WRONG_PASSWORD });
      const session = ctx.state.webSession.csrfToken();
      const result = await secondFactorChanges.addApp(
        caller.user,
        { code: form.text('code'), session, first: { method: 'password' } },
        userCommandContext(ctx, caller),
      );
      if (result === 'exists') return ctx.redirect('/accounts/two-step/');
      if (result === undefined) return showApp(ctx, caller, next, { code: WRONG_CODE });
      await beginSession(ctx, result.authenticated, deps.mintBrowserId, next).catch(toUsedOrRethrow);
      await endSessionsWithoutSecondStep(ctx, caller.user, deps);
      showNewCodes(ctx, secretsShownOnce, result.recoveryCodes, next);
    }),
  );

  router.get(
    `${NEW_CODES_PATH}:page`,
    withLogin((ctx, caller) => {
      const json = secretsShownOnce.take(ctx, caller);
      const { recoveryCodes, next } =
        json === undefined
          ? { recoveryCodes: null, next: '/accounts/two-step/' }
          : (JSON.parse(json) as { readonly recoveryCodes: readonly string[]; readonly next: string });
      sendPage(ctx, pages.recoveryCodes({ ...pageContextFor(ctx, caller), recoveryCodes, next }), 'anywhere');
    }),
  );

  const isRecentLogin = ({ login, startedAt }: LoggedInUser): boolean =>
    usedSecondFactor(login) && deps.now() - startedAt < RECENT_LOGIN_SECONDS;

  function showConfirmation(ctx: RequestContext, caller: LoggedInUser, change: Change, error?: Text): void {
    if (error !== undefined) ctx.status = 422;
    const status = twoStepStatus(deps, caller.user);
    const formId = resubmissionGuard.mintId(codesIdOf(caller));
    const locals = { change, status, needsPassword: !isRecentLogin(caller), error, formId };
    sendPage(ctx, pages.confirmTwoStep({ ...pageContextFor(ctx, caller), ...locals }));
  }

  /** Returns the id of the current recovery codes, or of their absence. An id never recurs. */
  const codesIdOf = ({ user }: LoggedInUser): string =>
    secondFactors.recoveryCodesOf(user.userId)?.codesId ?? `none at revision ${user.revision}`;

  /**
   * Replaces the recovery codes and shows the new codes. A form that is submitted twice shows the same codes both
   * times.
   */
  async function replaceCodes(ctx: RequestContext, caller: LoggedInUser): Promise<void> {
    const newCodes = secondFactorChanges.generateRecoveryCodes(resubmissionGuard.entropyFor(ctx, caller));
    const currentCodesId = codesIdOf(caller);
    if (resubmissionGuard.isOutdated(ctx, currentCodesId) && newCodes.codesId !== currentCodesId)
      throw outdatedFormError();
    await secondFactorChanges.replaceRecoveryCodes(caller.user, newCodes, userCommandContext(ctx, caller));
    await endSessionsWithoutSecondStep(ctx, caller.user, deps);
    showNewCodes(ctx, secretsShownOnce, newCodes.recoveryCodes, '/accounts/two-step/');
  }

  async function applyChange(ctx: RequestContext, caller: LoggedInUser, change: Change): Promise<void> {
    if (change === 'new-codes') return replaceCodes(ctx, caller);
    const context = userCommandContext(ctx, caller);
    if (change === 'remove-app') await secondFactorChanges.removeApp(caller.user, context);
    else await secondFactorChanges.removeAll(caller.user, 'turned-off', context);
    ctx.state.webSession.flash(CHANGES[change].done);
    ctx.redirect('/accounts/two-step/');
  }

  for (const change of Object.keys(CHANGES) as readonly Change[]) {
    const path = `/accounts/two-step/${change}`;
    const redirectToSecondStep = (ctx: RequestContext): void => ctx.redirect(secondStepPath(`${path}/`));
    router.get(
      path,
      withLogin((ctx, caller) =>
        isWithoutSecondStep(caller) ? redirectToSecondStep(ctx) : showConfirmation(ctx, caller, change),
      ),
    );
    router.with(WITHOUT_CHANGE_LIMIT).post(
      path,
      requireCsrfToken,
      withLogin(async (ctx, caller) => {
        if (!secondFactorPolicy.hasFactor(caller.user.userId)) throw notFound();
        if (isWithoutSecondStep(caller)) return redirectToSecondStep(ctx);
        if (!isRecentLogin(caller) && !(await isCorrectPassword(ctx, caller)))
          return showConfirmation(ctx, caller, change, WRONG_PASSWORD);
        return applyChange(ctx, caller, change);
      }),
    );
  }

  return router.routes;
}
