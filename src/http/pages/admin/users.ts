import { message } from '../../../language/message.ts';
import type { SecondFactorChanges } from '../../../accounts/second-factor-changes.ts';
import type { SecondFactorPolicy } from '../../../accounts/second-factor-policy.ts';
import type { Accounts } from '../../../accounts/accounts.ts';
import type { AdministratorLogins } from '../../../accounts/administrator-logins.ts';
import type { LoginSessions } from '../../../accounts/login-sessions.ts';
import { MIN_PASSWORD_LENGTH, passwordWeakness } from '../../../accounts/password-advice.ts';
import { ROLES, type Role } from '../../../domain/events.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import { callerFromUser } from '../../../platform/hashing/hash-caller.ts';
import { hashOncePerRequest } from '../../../platform/hashing/hash-once-per-request.ts';
import type { PasswordHashing } from '../../../platform/hashing/password-hashing.ts';
import type { Entropy } from '../../../platform/ports.ts';
import type { UserActivity } from '../../../projections/user-activity.ts';
import { findOtherWithAddress } from '../../../accounts/same-address.ts';
import type { User, Users } from '../../../projections/users.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import type { AccountTimes, AdminPages, AdminUserFormLocals, AdminUserLocals } from './locals.ts';
import { formOf } from '../../pipeline/page-form.ts';
import type { ErasureSettings } from '../erasure-note.ts';
import { definedErrors, pageContextFor, type FieldErrors } from '../page-context.ts';
import { missingItemError } from '../../pipeline/page-error.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import type { ResubmissionGuard } from '../../pipeline/resubmission-guard.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import type { SecretsShownOnce } from '../applications/secrets-shown-once.ts';
import { sendPage } from '../send-page.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import type { PageRouter } from '../page-router.ts';
import { userList } from './user-list.ts';
import type { UserRemovalDeps } from './removal-facts.ts';
import { sendAdminList } from './send-admin-list.ts';

export interface AdminUserDeps extends Omit<UserRemovalDeps, 'loginSessions'> {
  readonly accounts: Omit<Accounts, 'importAccount' | 'importProblems'>;
  readonly administratorLogins: Pick<AdministratorLogins, 'canLogIn' | 'isLastAdministrator'>;
  readonly entropy: Entropy;
  readonly hashing: Pick<PasswordHashing, 'hasherFor'>;
  readonly users: Users;
  readonly userActivity: Pick<UserActivity, 'lastLoginAt' | 'registeredAt'>;
  readonly secretsShownOnce: SecretsShownOnce;
  readonly resubmissionGuard: ResubmissionGuard;
  readonly loginSessions: Pick<LoginSessions, 'lastEndPosition' | 'listByUser'>;
  readonly now: () => EpochSeconds;
  readonly mintBrowserId: () => string;
  readonly accountMailer: { readonly isOn: boolean };
  readonly secondFactorPolicy: Pick<SecondFactorPolicy, 'hasFactor' | 'isOn' | 'nextStep'>;
  readonly secondFactorChanges: Pick<SecondFactorChanges, 'removeAll'>;
  readonly pages: AdminPages;
  readonly settings: ErasureSettings;
}

const BLANK_VALUES: AdminUserFormLocals['values'] = { username: '', email: '', firstName: '', lastName: '', roles: [] };

/** Adds the list of all users and the form for adding a user. */
export function addUserPages(router: PageRouter, deps: AdminUserDeps): void {
  const { accounts, entropy, hashing, users, secretsShownOnce, resubmissionGuard, pages } = deps;

  router.get('/users', (ctx) =>
    sendAdminList(ctx, userList(deps, actingUser(ctx).user.userId), users.all(), (list) =>
      pages.adminUserList({ ...adminContext(ctx), isMailOn: deps.accountMailer.isOn, list }),
    ),
  );

  function showForm(ctx: RequestContext, values: AdminUserFormLocals['values'], errors: FieldErrors): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const formId = resubmissionGuard.mintId();
    sendPage(ctx, pages.adminUserForm({ ...adminContext(ctx), values, formId, errors }));
  }

  router.get('/users/add', (ctx) => showForm(ctx, BLANK_VALUES, {}));

  router.post('/users/add', async (ctx) => {
    const actor = actingUser(ctx);
    const values = readValues(ctx);
    const chosenPassword = readPassword(ctx);
    const formEntropy = resubmissionGuard.entropyFor(ctx, actor, values);
    const password = chosenPassword ?? generatePassword(formEntropy ?? entropy);
    const weaknessErrors = passwordErrors(chosenPassword, values);
    if (weaknessErrors !== undefined)
      return showForm(ctx, values, {
        ...definedErrors(accounts.validate({ ...values, password }) ?? {}),
        ...weaknessErrors,
      });
    const hasher = hashOncePerRequest(hashing.hasherFor(callerFromUser(actor.user.userId)), ctx.state.once);
    const result = await accounts.register({ ...values, password }, userCommandContext(ctx, actor), hasher);
    if ('errors' in result) {
      const isDerivedFromForm = chosenPassword === undefined && formEntropy !== undefined;
      // A password that was derived from this form is correct only if an earlier submission of the form added the user.
      const existing = isDerivedFromForm ? await accounts.verify(values.username, password, hasher) : undefined;
      if (existing === undefined) return showForm(ctx, values, definedErrors(result.errors));
      return redirectToGeneratedPassword(ctx, existing.user, password);
    }
    if (chosenPassword === undefined) return redirectToGeneratedPassword(ctx, result.user, password);
    flashAdded(ctx, result.user);
    ctx.redirect(adminUserPath(result.user));
  });

  function flashAdded(ctx: RequestContext, user: User): void {
    const { username } = user;
    const otherUser = findOtherWithAddress(user, user.email, users);
    if (otherUser === undefined) ctx.state.webSession.flash(message('users.added', { username }));
    else ctx.state.webSession.flash(message('users.added-shared', { username, other: otherUser.username }), 'warning');
  }

  function redirectToGeneratedPassword(ctx: RequestContext, user: User, generatedPassword: string): void {
    flashAdded(ctx, user);
    secretsShownOnce.redirect(ctx, actingUser(ctx), generatedPasswordPath(user), generatedPassword);
  }
}

function adminContext(ctx: RequestContext) {
  return pageContextFor(ctx, actingUser(ctx));
}

function readValues(ctx: RequestContext) {
  const form = formOf(ctx);
  return {
    username: form.input('username'),
    email: form.input('email'),
    firstName: form.input('first_name'),
    lastName: form.input('last_name'),
    roles: readRoles(ctx),
  };
}

/** Returns a value that changes with every change to the account and never recurs. */
export function accountVersion({ userId, revision }: Pick<User, 'userId' | 'revision'>): string {
  return `${userId} ${revision}`;
}

/** Returns the account data shown on the administration pages. */
export function adminUserLocals({ id, username, email, emailVerified, active, roles }: User): AdminUserLocals {
  return { id, username, email, emailVerified, active, roles };
}

export function accountTimes({ userId }: User, activity: AdminUserDeps['userActivity']): AccountTimes {
  return {
    registeredAt: activity.registeredAt(userId) ?? null,
    lastLoginAt: activity.lastLoginAt(userId) ?? null,
  };
}

export function adminUserPath({ id }: Pick<User, 'id'>): string {
  return `/admin/users/${id}/`;
}

/** Returns the base path of the pages that each show a generated password once: see `SecretsShownOnce`. */
export function generatedPasswordPath(user: Pick<User, 'id'>): string {
  return `${adminUserPath(user)}password/made/`;
}

/**
 * Returns the account identified by the URL.
 * @throws PageError 404 if there is no such account
 */
export function requireAccount(ctx: RequestContext, users: Pick<Users, 'findByPk'>): User {
  const pk = pathParameter(ctx, 'pk');
  const account = /^[1-9]\d{0,8}$/.test(pk) ? users.findByPk(Number(pk)) : undefined;
  if (account === undefined) throw missingItemError('user');
  return account;
}

export function readRoles(ctx: RequestContext): readonly Role[] {
  const selectedRoles = formOf(ctx).list('role');
  return ROLES.filter((role) => selectedRoles.includes(role));
}

/** Returns the password entered by the administrator, or undefined if one is to be generated. */
export function readPassword(ctx: RequestContext): string | undefined {
  return formOf(ctx).input('password') || undefined;
}

/** Returns the error if the password is refused, or undefined if it is accepted or no password was entered. */
export function passwordErrors(
  password: string | undefined,
  { username, email }: Pick<User, 'username' | 'email'>,
): FieldErrors | undefined {
  if (password === undefined) return undefined;
  const weakness =
    password.length < MIN_PASSWORD_LENGTH
      ? message('users.password-short', { count: MIN_PASSWORD_LENGTH })
      : passwordWeakness(password, [username, email]);
  return weakness && { password: weakness };
}

/** 96 bits cannot be guessed, and 16 characters are short enough to read out over the phone. */
const PASSWORD_BYTES = 12;

/** Generates a password, which will be shown to the administrator once. */
export function generatePassword(entropy: Entropy): string {
  return entropy.bytes(PASSWORD_BYTES).toString('base64url');
}
