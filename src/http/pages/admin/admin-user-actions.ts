import type { Router } from '@koa/router';
import { accountAsRead } from '../../../domain/streams.ts';
import type { CommandContext } from '../../../event-store/command-handler.ts';
import { knownUser } from '../../../platform/hashing/caller.ts';
import { hashingOnce } from '../../../platform/hashing/hashing-once.ts';
import type { User } from '../../../projections/users.ts';
import { actingContext } from '../../pipeline/acting-context.ts';
import { CHANGED_MEANWHILE, logInHere } from '../log-in-here.ts';
import { makePassword } from '../account/new-password.ts';
import { framedFor } from '../page-context.ts';
import { outdatedForm } from '../../pipeline/page-error.ts';
import type { FieldErrors } from '../render.ts';
import { actingPerson } from '../../pipeline/role-guard.ts';
import { sendPage } from '../send-page.ts';
import type { RequestContext, RequestState } from '../../pipeline/state.ts';
import {
  accountAt,
  chosenRoles,
  givenPassword,
  isTooShort,
  madePasswordAddress,
  present,
  TOO_SHORT,
  userAddress,
  type AdminUserParts,
} from './admin-users.ts';

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
      text: [
        'Every log-in of theirs to these pages ends at once, in every browser. Applications keep the access they were given, and the password stays.',
      ],
      button: 'Log them out',
      done: (username) => `${username} is logged out everywhere.`,
      run: accounts.signOutEverywhere,
    },
  ];
}

const USERS = { href: '/admin/users/', text: 'Users' };

/** What an administrator does to an account. */
export function addUserActions(router: Router<RequestState>, parts: AdminUserParts): void {
  const { accounts, users, entropy, hashing, secretsShownOnce, repeatedForms, pages } = parts;

  for (const { name, title, text, button, done, run } of endings(parts)) {
    router.get(`/users/:pk/${name}`, (ctx) => {
      const account = accountAt(ctx, users);
      const back = userAddress(account);
      const trail = [USERS, { href: back, text: account.username }];
      sendPage(
        ctx,
        pages.adminConfirm({
          ...framedFor(ctx, actingPerson(ctx)),
          trail,
          title: title(account.username),
          text,
          button,
          action: `${back}${name}/`,
          back,
        }),
      );
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

  router.get('/users/:pk/roles', (ctx) =>
    sendPage(ctx, pages.adminRoles({ ...framedFor(ctx, actingPerson(ctx)), account: rolesOf(accountAt(ctx, users)) })),
  );

  router.post('/users/:pk/roles', async (ctx) => {
    const account = accountAt(ctx, users);
    await accounts.changeRoles(account, chosenRoles(ctx), actingContext(ctx, actingPerson(ctx)));
    leave(ctx, `${account.username} has the new roles.`, account);
  });

  function showPasswordForm(ctx: RequestContext, errors: FieldErrors): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const account = accountAt(ctx, users);
    const formId = repeatedForms.mintId(account.passwordHash); // salted, so no two are alike
    const locals = { account: nameOf(account), formId, errors };
    sendPage(ctx, pages.adminPassword({ ...framedFor(ctx, actingPerson(ctx)), ...locals }));
  }

  router.get('/users/:pk/password', (ctx) => showPasswordForm(ctx, {}));

  router.post('/users/:pk/password', async (ctx) => {
    const account = accountAt(ctx, users);
    const actor = actingPerson(ctx);
    const given = givenPassword(ctx);
    if (isTooShort(given)) return showPasswordForm(ctx, TOO_SHORT);
    const password = given ?? makePassword(repeatedForms.entropyFor(ctx, actor) ?? entropy);
    const hasher = hashingOnce(hashing.for(knownUser(actor.user.userId)), ctx.state.once);
    if (repeatedForms.isOutdated(ctx, account.passwordHash)) {
      // Only a password that was made is compared: an administrator could guess a user's own one this way.
      const wasSent = given === undefined && (await hasher.verify(account.passwordHash, password));
      if (!wasSent) throw outdatedForm();
    } else {
      const context = actingContext(ctx, actor, accountAsRead(account));
      const changed = await accounts.changePassword(account, password, context, hasher);
      if ('errors' in changed) return showPasswordForm(ctx, present(changed.errors));
      // One's own new password has ended this session, too: only a new one can show a password that was made.
      if (account.userId === actor.user.userId) {
        const check = { method: 'password', checkedAsOf: changed.position } as const;
        const isLoggedIn = await logInHere(ctx, { user: account, check }, parts.mintBrowserId);
        if (!isLoggedIn) return leave(ctx, CHANGED_MEANWHILE, account);
      }
    }
    if (given !== undefined) return leave(ctx, `${account.username} has a new password.`, account);
    ctx.state.webSession.flash(`${account.username} has a new password.`);
    secretsShownOnce.redirect(ctx, actingPerson(ctx), madePasswordAddress(account), password);
  });

  router.get('/users/:pk/password/made/:page', (ctx) => {
    const actor = actingPerson(ctx);
    const account = nameOf(accountAt(ctx, users));
    const password = secretsShownOnce.take(ctx, actor) ?? null;
    sendPage(ctx, pages.adminPasswordMade({ ...framedFor(ctx, actor), account, password }));
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
  ctx.redirect(account === undefined ? USERS.href : userAddress(account));
}
