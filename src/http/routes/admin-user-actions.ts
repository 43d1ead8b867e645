import type { Router } from '@koa/router';
import { grantStream } from '../../domain/streams.ts';
import type { GrantId } from '../../domain/values.ts';
import type { CommandContext } from '../../eventsourcing/command-handler.ts';
import type { User } from '../../projections/users.ts';
import { actingContext } from '../acting-context.ts';
import { makePassword } from '../new-password.ts';
import { framedFor } from '../page-context.ts';
import { notFound } from '../page-error.ts';
import { pathParameter } from '../path-parameter.ts';
import type { FieldErrors } from '../render.ts';
import { actingPerson } from '../role-guard.ts';
import { sendPage } from '../send-page.ts';
import type { RequestContext, RequestState } from '../state.ts';
import { accountAt, chosenRoles, givenPassword, isTooShort, present, TOO_SHORT, type AdminUserParts } from './admin-users.ts';

/** What ends something: it is said first, and done when it is confirmed. */
interface Ending {
  readonly name: 'disable' | 'erase' | 'sign_out';
  readonly title: (username: string) => string;
  readonly text: readonly string[];
  readonly button: string;
  readonly done: (username: string) => string;
  readonly run: (account: User, context: CommandContext) => Promise<void>;
}

function endings({ accounts }: AdminUserParts): readonly Ending[] {
  return [
    {
      name: 'disable',
      title: (username) => `Disable ${username}?`,
      text: [
        'They cannot log in until somebody enables them again. Every log-in, code and token of theirs ends at once and for good, and so does the access they gave to applications.',
        'Their own applications go on, and so do other people’s tokens there.',
      ],
      button: 'Disable the account',
      done: (username) => `${username} is disabled.`,
      run: accounts.disable,
    },
    {
      name: 'erase',
      title: (username) => `Erase ${username}?`,
      text: [
        'Every log-in, code and token of theirs ends at once, and so does the access they gave to applications. The key of their personal data is destroyed: what the log says of them can never be read again, and the name is free.',
        'Their own applications go on without an owner. This cannot be undone.',
      ],
      button: 'Erase the account for ever',
      done: (username) => `${username} is erased.`,
      run: accounts.erase,
    },
    {
      name: 'sign_out',
      title: (username) => `Log ${username} out everywhere?`,
      text: ['Every log-in of theirs to these pages ends at once, in every browser. Applications keep the access they were given, and the password stays.'],
      button: 'Log them out',
      done: (username) => `${username} is logged out everywhere.`,
      run: accounts.signOutEverywhere,
    },
  ];
}

const USERS = { href: '/admin/users/', text: 'Users' };

function addressOf({ id }: User): string {
  return `/admin/users/${id}/`;
}

/** What an administrator does to an account. */
export function addUserActions(router: Router<RequestState>, parts: AdminUserParts): void {
  const { accounts, users, liveGrants, grants, clients, entropy, pages } = parts;

  for (const { name, title, text, button, done, run } of endings(parts)) {
    router.get(`/users/:pk/${name}`, (ctx) => {
      const account = accountAt(ctx, users);
      const back = addressOf(account);
      const trail = [USERS, { href: back, text: account.username }];
      sendPage(ctx, pages.adminConfirm({ ...framedFor(ctx, actingPerson(ctx)), trail, title: title(account.username), text, button, action: `${back}${name}/`, back }));
    });
    router.post(`/users/:pk/${name}`, async (ctx) => {
      const account = accountAt(ctx, users);
      await run(account, actingContext(ctx, actingPerson(ctx)));
      leave(ctx, done(account.username), users.find(account.userId));
    });
  }

  router.post('/users/:pk/enable', async (ctx) => {
    const account = accountAt(ctx, users);
    await accounts.enable(account, actingContext(ctx, actingPerson(ctx)));
    leave(ctx, `${account.username} is enabled.`, account);
  });

  router.get('/users/:pk/roles', (ctx) => sendPage(ctx, pages.adminRoles({ ...framedFor(ctx, actingPerson(ctx)), account: rolesOf(accountAt(ctx, users)) })));

  router.post('/users/:pk/roles', async (ctx) => {
    const account = accountAt(ctx, users);
    await accounts.changeRoles(account, chosenRoles(ctx), actingContext(ctx, actingPerson(ctx)));
    leave(ctx, `${account.username} has the new roles.`, account);
  });

  function showPasswordForm(ctx: RequestContext, errors: FieldErrors): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    sendPage(ctx, pages.adminPassword({ ...framedFor(ctx, actingPerson(ctx)), account: nameOf(accountAt(ctx, users)), errors }));
  }

  router.get('/users/:pk/password', (ctx) => showPasswordForm(ctx, {}));

  router.post('/users/:pk/password', async (ctx) => {
    const account = accountAt(ctx, users);
    const actor = actingPerson(ctx);
    const frame = framedFor(ctx, actor); // one's own new password ends one's own session
    const given = givenPassword(ctx);
    if (isTooShort(given)) return showPasswordForm(ctx, TOO_SHORT);
    const password = given ?? makePassword(entropy);
    const changed = await accounts.changePassword(account, password, actingContext(ctx, actor));
    if ('errors' in changed) return showPasswordForm(ctx, present(changed.errors));
    if (given === undefined) return sendPage(ctx, pages.adminPasswordMade({ ...frame, account: nameOf(account), password }));
    leave(ctx, `${account.username} has a new password.`, account);
  });

  function grantAt(ctx: RequestContext, { userId }: User) {
    const grant = liveGrants.find(pathParameter(ctx, 'grant') as GrantId);
    if (grant === undefined || grant.userId !== userId) throw notFound();
    return { grantId: grant.grantId, application: clients.find(grant.clientId)?.name ?? grant.clientId };
  }

  router.get('/users/:pk/grants/:grant', (ctx) => {
    const account = accountAt(ctx, users);
    const { grantId, application } = grantAt(ctx, account);
    const back = addressOf(account);
    sendPage(ctx, pages.adminConfirm({
      ...framedFor(ctx, actingPerson(ctx)), trail: [USERS, { href: back, text: account.username }], back, action: `${back}grants/${grantId}/`,
      title: `End the access of ${application}?`, button: 'End the access',
      text: [`What ${account.username} let ${application} do ends at once: every access and refresh token that came of it. It can ask again.`],
    }));
  });

  router.post('/users/:pk/grants/:grant', async (ctx) => {
    const account = accountAt(ctx, users);
    const { grantId, application } = grantAt(ctx, account);
    await grants.execute(grantStream(grantId), { type: 'RevokeGrant', reason: 'revoked-by-operator' }, actingContext(ctx, actingPerson(ctx)));
    leave(ctx, `The access of ${application} has ended.`, account);
  });
}

function nameOf({ id, username }: User) {
  return { id, username };
}

function rolesOf({ id, username, roles }: User) {
  return { id, username, roles };
}

/** To the account's page; to the list where there is none any more. */
function leave(ctx: RequestContext, flash: string, account: User | undefined): void {
  ctx.state.webSession.flash(flash);
  ctx.redirect(account === undefined ? USERS.href : addressOf(account));
}
