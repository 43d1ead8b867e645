import type { PasskeyLogins } from '../../../accounts/passkeys.ts';
import type { SecondFactorChanges } from '../../../accounts/second-factor-changes.ts';
import type { SecondFactorPolicy } from '../../../accounts/second-factor-policy.ts';
import type { FirstStep, PresentedFactor, SecondSteps } from '../../../accounts/second-steps.ts';
import { usedSecondFactor } from '../../../domain/login.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { Passkeys } from '../../../projections/passkeys.ts';
import type { SecondFactors } from '../../../projections/second-factors.ts';
import { formOf, requireCsrfToken } from '../../pipeline/page-form.ts';
import { queryOf } from '../../pipeline/query.ts';
import { redirectToLogin, safeNext } from '../../pipeline/require-login.ts';
import type { Text } from '../../../language/message.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import type { Route } from '../../route.ts';
import type { SecretsShownOnce } from '../applications/secrets-shown-once.ts';
import type { Brand } from '../brand.ts';
import { pageContext, type FieldErrors } from '../page-context.ts';
import type { Config } from '../../../config/config.ts';
import { pageLanguage } from '../../pipeline/reader-language.ts';
import { createPageRouter, WITHOUT_CHANGE_LIMIT } from '../page-router.ts';
import { sendPage } from '../send-page.ts';
import {
  ACCOUNT_CHANGED,
  beginSession,
  endSessionsWithoutSecondStep,
  secondStepPath,
  toUsedOrRethrow,
  type EndingDeps,
} from './begin-session.ts';
import type { AccountPages } from './locals.ts';
import { offeredAppLocals, showNewCodes } from './offered-app.ts';
import { message } from '../../../language/message.ts';
import { passwordSender } from './password-sender.ts';

export interface SecondStepDeps {
  readonly secondSteps: SecondSteps;
  readonly secondFactorChanges: Pick<SecondFactorChanges, 'offerApp' | 'addApp'>;
  readonly secondFactorPolicy: SecondFactorPolicy;
  readonly secondFactors: Pick<SecondFactors, 'totpOf' | 'recoveryCodesOf'>;
  readonly passkeys: Pick<Passkeys, 'listByUser'>;
  readonly passkeyLogins: Pick<PasskeyLogins, 'relyingParty' | 'secondStepOptions'>;
  readonly secretsShownOnce: Pick<SecretsShownOnce, 'redirect'>;
  readonly addressOf: (ctx: RequestContext) => string;
  readonly mintBrowserId: () => string;
  readonly loginSessions: EndingDeps['loginSessions'];
  readonly now: () => EpochSeconds;
  readonly pages: Pick<AccountPages, 'secondStep' | 'addApp'>;
  readonly settings: Pick<Config, 'languages'> & { readonly loginUrl: string };
  readonly brand: Pick<Brand, 'translators'>;
}

/** The time limit for the second step, measured from the first step. */
const SECOND_STEP_SECONDS = 300;

const WRONG_FACTOR = message('second-step.wrong-factor');
const WRONG_APP_CODE = message('two-step.wrong-code');
const TOO_LATE = message('second-step.too-late');

/**
 * Routes for the second step of a login and for setting up an authenticator app, which some users must do before their
 * session begins.
 */
export function secondStepRoutes(deps: SecondStepDeps): readonly Route[] {
  const { secondSteps, secondFactorChanges, secondFactorPolicy, passkeyLogins, pages, settings, now } = deps;
  const router = createPageRouter();

  /**
   * Returns the first step recorded in this browser's ticket or in a session that was started without a second step;
   * undefined if there is neither. `isLate` is true if the ticket is too old for the second step.
   */
  function findFirstStep(ctx: RequestContext): (FirstStep & { readonly isLate: boolean }) | undefined {
    const { webSession } = ctx.state;
    const pendingUser = webSession.pendingUser();
    if (pendingUser !== undefined) return { ...pendingUser, isLate: now() >= pendingUser.at + SECOND_STEP_SECONDS };
    const caller = webSession.loggedInUser();
    if (caller?.login === undefined || usedSecondFactor(caller.login)) return undefined;
    const { user, login, firstFactor = { method: 'password' } } = caller;
    return { ...firstFactor, user, authenticatedAt: login.authTime, isLate: false };
  }

  /**
   * Returns the first step of a user who can complete the second step now, or undefined if the user must first log in
   * or set up a second factor.
   */
  function findReadyStep(ctx: RequestContext): FirstStep | undefined {
    const firstStep = findFirstStep(ctx);
    return firstStep === undefined || firstStep.isLate || !secondFactorPolicy.hasFactor(firstStep.user.userId)
      ? undefined
      : firstStep;
  }

  /** Redirects a user who has completed the second step to `next`, and anyone else to the login page. */
  function leave(ctx: RequestContext, next: string): void {
    const caller = ctx.state.webSession.loggedInUser();
    if (caller !== undefined && usedSecondFactor(caller.login)) return ctx.redirect(next);
    if (ctx.method === 'POST') ctx.state.webSession.flash(TOO_LATE, 'warning');
    redirectToLogin(ctx, settings.loginUrl, next);
  }

  function show(ctx: RequestContext, { user }: FirstStep, next: string, error: Text | null, status = 422): void {
    if (error !== null) ctx.status = status;
    const { userId, username } = user;
    const origin = passkeyLogins.relyingParty()?.origin;
    const hasPasskey = deps.passkeys.listByUser(userId).length > 0;
    const codes = deps.secondFactors.recoveryCodesOf(userId);
    const locals = {
      ...pageContext(ctx),
      username,
      next,
      error,
      hasApp: deps.secondFactors.totpOf(userId) !== undefined,
      passkeyOrigin: hasPasskey && origin !== undefined ? origin : null,
      codesLeft: codes === undefined ? 0 : codes.hashes.length - codes.used.length,
    };
    sendPage(ctx, pages.secondStep(locals), 'anywhere');
  }

  router.get('/accounts/login/second-step', (ctx) => {
    const next = safeNext(queryOf(ctx).text('next') ?? '');
    const [firstStep, readyStep] = [findFirstStep(ctx), findReadyStep(ctx)];
    if (readyStep !== undefined) return show(ctx, readyStep, next, null);
    if (firstStep === undefined || secondFactorPolicy.hasFactor(firstStep.user.userId)) return leave(ctx, next);
    const isPending = firstStep.authenticatedAt === undefined;
    // The requirement, or the user's only factor, may have been removed since the first step.
    if (isPending && findEnrollingUser(ctx) === undefined) return leave(ctx, next);
    const setUpPath = isPending ? SET_UP_PATH : '/accounts/two-step/app/';
    return ctx.redirect(`${setUpPath}?${new URLSearchParams({ next }).toString()}`);
  });

  async function completeLogin(ctx: RequestContext, factor: PresentedFactor): Promise<void> {
    const next = safeNext(formOf(ctx).text('next'));
    const firstStep = findReadyStep(ctx);
    if (firstStep === undefined) return leave(ctx, next);
    ctx.state.showFormAgain = (text, status) => show(ctx, firstStep, next, text, status);
    const context = userCommandContext(ctx, firstStep);
    const authentication = await secondSteps.complete(firstStep, factor, { ...passwordSender(ctx, deps), context });
    if (authentication === undefined) return show(ctx, firstStep, next, WRONG_FACTOR);
    const target = await beginSession(ctx, authentication, deps.mintBrowserId, next).catch(toUsedOrRethrow);
    if (target === 'used') return show(ctx, firstStep, next, WRONG_FACTOR);
    if (target === undefined) return show(ctx, firstStep, next, ACCOUNT_CHANGED);
    ctx.redirect(target);
  }

  router.with(WITHOUT_CHANGE_LIMIT).post('/accounts/login/second-step', requireCsrfToken, (ctx) => {
    const form = formOf(ctx);
    const recoveryCode = form.text('recovery_code');
    if (recoveryCode !== '') return completeLogin(ctx, { kind: 'recovery-code', code: recoveryCode });
    return completeLogin(ctx, { kind: 'code', code: form.text('code') });
  });

  router.get('/accounts/login/second-step/passkey', async (ctx) => {
    const firstStep = findReadyStep(ctx);
    if (firstStep === undefined || passkeyLogins.relyingParty() === undefined) {
      ctx.status = 422;
      ctx.body = { detail: deps.brand.translators[pageLanguage(ctx, settings)].text(TOO_LATE) };
    } else ctx.body = await passkeyLogins.secondStepOptions(firstStep.user, ctx.state.webSession.csrfToken());
  });

  router.with(WITHOUT_CHANGE_LIMIT).post('/accounts/login/second-step/passkey', requireCsrfToken, (ctx) => {
    const session = ctx.state.webSession.csrfToken();
    return completeLogin(ctx, { kind: 'passkey', responseJson: formOf(ctx).text('answer'), session });
  });

  /** Returns the user named in this browser's ticket if that user must set up a second factor before logging in. */
  function findEnrollingUser(ctx: RequestContext) {
    const pendingUser = ctx.state.webSession.pendingUser();
    return pendingUser !== undefined && secondFactorPolicy.nextStep(pendingUser.user) === 'enrollment'
      ? pendingUser
      : undefined;
  }

  function showSetUp(ctx: RequestContext, { user }: FirstStep, next: string, errors: FieldErrors): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const offeredApp = secondFactorChanges.offerApp(user, ctx.state.webSession.csrfToken());
    const locals = { ...pageContext(ctx), ...offeredAppLocals(offeredApp), action: SET_UP_PATH, next, errors };
    sendPage(ctx, pages.addApp({ ...locals, isRequired: true, needsPassword: false }), 'anywhere');
  }

  router.get(SET_UP_ROUTE, (ctx) => {
    const next = safeNext(queryOf(ctx).text('next') ?? '');
    const pendingUser = findEnrollingUser(ctx);
    if (pendingUser === undefined) return ctx.redirect(secondStepPath(next));
    return showSetUp(ctx, pendingUser, next, {});
  });

  router.post(SET_UP_ROUTE, requireCsrfToken, async (ctx) => {
    const form = formOf(ctx);
    const next = safeNext(form.text('next'));
    const pendingUser = findEnrollingUser(ctx);
    if (pendingUser === undefined) return ctx.redirect(secondStepPath(next));
    const { user } = pendingUser;
    const session = ctx.state.webSession.csrfToken();
    const enrollment = { code: form.text('code'), session, first: pendingUser };
    const result = await secondFactorChanges.addApp(user, enrollment, userCommandContext(ctx, pendingUser));
    if (result === 'exists') return ctx.redirect(secondStepPath(next));
    if (result === undefined) return showSetUp(ctx, pendingUser, next, { code: WRONG_APP_CODE });
    const target = await beginSession(ctx, result.authenticated, deps.mintBrowserId, next).catch(toUsedOrRethrow);
    await endSessionsWithoutSecondStep(ctx, user, deps);
    if (target === undefined || target === 'used') return redirectToLogin(ctx, settings.loginUrl, next);
    showNewCodes(ctx, deps.secretsShownOnce, result.recoveryCodes, next);
  });

  return router.routes;
}

const SET_UP_ROUTE = '/accounts/login/second-step/set-up';
const SET_UP_PATH = `${SET_UP_ROUTE}/`;
