import type { Router } from '@koa/router';
import type { AccountErrors } from '../../accounts/account-problems.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import { MIN_PASSWORD_LENGTH } from '../../accounts/password-advice.ts';
import { ROLES, type Role } from '../../domain/events.ts';
import { formatScope } from '../../domain/scope.ts';
import type { EpochSeconds } from '../../domain/values.ts';
import type { GrantCommands } from '../../oauth/grant-types/grant-type.ts';
import type { Entropy } from '../../ports.ts';
import type { Clients } from '../../projections/clients.ts';
import type { Grants } from '../../projections/grants.ts';
import type { User, Users } from '../../projections/users.ts';
import { actingContext } from '../acting-context.ts';
import type { AdminPages, AdminUserFormLocals, AdminUserLocals, AdminUserPageLocals } from '../admin-pages.ts';
import { formOf } from '../middleware/page-form.ts';
import { makePassword } from '../new-password.ts';
import { framedFor } from '../page-context.ts';
import { notFound } from '../page-error.ts';
import { pageOfItems } from '../page-of-items.ts';
import { pathParameter } from '../path-parameter.ts';
import type { FieldErrors } from '../render.ts';
import { actingPerson } from '../role-guard.ts';
import { sendPage } from '../send-page.ts';
import type { RequestContext, RequestState } from '../state.ts';

export interface AdminUserParts {
  readonly accounts: Pick<Accounts, 'check' | 'register' | 'changePassword' | 'changeRoles' | 'disable' | 'enable' | 'erase' | 'signOutEverywhere'>;
  readonly entropy: Entropy;
  readonly users: Users;
  readonly clients: Clients;
  readonly liveGrants: Grants;
  readonly grants: GrantCommands;
  readonly pages: AdminPages;
  readonly now: () => EpochSeconds;
}

const BLANK: AdminUserFormLocals['values'] = { username: '', email: '', firstName: '', lastName: '', roles: [] };

/** Everybody's accounts: the list, one that is added, and a page of each. */
export function addUserPages(router: Router<RequestState>, parts: AdminUserParts): void {
  const { accounts, entropy, users, pages } = parts;

  router.get('/users', (ctx) => {
    const { items, paging } = pageOfItems(ctx, (query) => users.search(query));
    sendPage(ctx, pages.adminUserList({ ...framedFor(ctx, actingPerson(ctx)), paging, users: items.map(toRow) }));
  });

  function showForm(ctx: RequestContext, values: AdminUserFormLocals['values'], errors: FieldErrors): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    sendPage(ctx, pages.adminUserForm({ ...framedFor(ctx, actingPerson(ctx)), values, errors }));
  }

  router.get('/users/add', (ctx) => showForm(ctx, BLANK, {}));

  router.post('/users/add', async (ctx) => {
    const actor = actingPerson(ctx);
    const form = formOf(ctx);
    const roles = chosenRoles(ctx);
    const [firstName, lastName] = [form.entered('first_name'), form.entered('last_name')];
    const values = { username: form.entered('username'), email: form.entered('email'), firstName, lastName, roles };
    const given = givenPassword(ctx);
    const password = given ?? makePassword(entropy);
    if (isTooShort(given)) return showForm(ctx, values, { ...present(accounts.check({ ...values, password }) ?? {}), ...TOO_SHORT });
    const added = await accounts.register({ ...values, password }, actingContext(ctx, actor));
    if ('errors' in added) return showForm(ctx, values, present(added.errors));
    const { id, username } = added.user;
    if (given === undefined) return sendPage(ctx, pages.adminPasswordMade({ ...framedFor(ctx, actor), account: { id, username }, password }));
    ctx.state.webSession.flash(`${username} was added.`);
    ctx.redirect(`/admin/users/${id}/`);
  });

  router.get('/users/:pk', (ctx) => {
    const actor = actingPerson(ctx);
    const account = accountAt(ctx, users);
    const fullName = [account.firstName, account.lastName].filter((name) => name !== '').join(' ');
    const isOwn = account.userId === actor.user.userId;
    sendPage(ctx, pages.adminUser({ ...framedFor(ctx, actor), account: { ...toRow(account), fullName }, isOwn, ...heldBy(account, parts) }));
  });
}

/** Nothing of the account that no page shows. */
function toRow({ id, username, email, active, roles }: User): AdminUserLocals {
  return { id, username, email, active, roles };
}

function heldBy({ userId }: User, { clients, liveGrants, now }: AdminUserParts): Pick<AdminUserPageLocals, 'applications' | 'grants'> {
  return {
    applications: clients.ownedBy(userId).map(({ clientId, name, lastUse }) => ({ id: clientId, name, lastUsed: lastUse.anySecret?.at ?? null })),
    grants: liveGrants.ofUser(userId, now()).map(({ grantId, clientId, scope, grantedAt }) => ({
      grantId, applicationId: clientId, applicationName: clients.find(clientId)?.name ?? clientId, scope: formatScope(scope), since: grantedAt as EpochSeconds,
    })),
  };
}

/** @throws PageError 404 no account has that number */
export function accountAt(ctx: RequestContext, users: Pick<Users, 'at'>): User {
  const pk = pathParameter(ctx, 'pk');
  const account = /^[1-9]\d{0,8}$/.test(pk) ? users.at(Number(pk)) : undefined;
  if (account === undefined) throw notFound();
  return account;
}

export function chosenRoles(ctx: RequestContext): readonly Role[] {
  const chosen = formOf(ctx).list('role');
  return ROLES.filter((role) => chosen.includes(role));
}

export const TOO_SHORT: FieldErrors = { password: `Use at least ${MIN_PASSWORD_LENGTH} characters, or none to have one made.` };

/** What the administrator chose for somebody; undefined when it was left to the server. */
export function givenPassword(ctx: RequestContext): string | undefined {
  return formOf(ctx).entered('password') || undefined;
}

export function isTooShort(password: string | undefined): boolean {
  return password !== undefined && password.length < MIN_PASSWORD_LENGTH;
}

export function present(errors: AccountErrors): FieldErrors {
  return Object.fromEntries(Object.entries(errors).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
