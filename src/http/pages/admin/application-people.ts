import { message, type Message, type Text } from '../../../language/message.ts';
import { isOwner, ownersOf, roleOf, testUsersOf } from '../../../domain/members.ts';
import type { RemovalForecasts } from '../../../audit/queries/removal-forecasts.ts';
import { observedClient } from '../../../domain/streams.ts';
import { normalizeUserName } from '../../../domain/user-name.ts';
import { CLIENT_MODES, MEMBER_ROLES, type MemberRole } from '../../../domain/values.ts';
import { findOtherActiveOwner, type MembershipRefusal, type Memberships } from '../../../oauth/clients/memberships.ts';
import type { Registration } from '../../../oauth/clients/registration.ts';
import type { Client, ClientMember } from '../../../projections/clients.ts';
import type { User, Users } from '../../../projections/users.ts';
import { notFound } from '../../pipeline/page-error.ts';
import { formOf } from '../../pipeline/page-form.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { pageContextFor } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import { sendPage } from '../send-page.ts';
import { suggestedUserNames } from '../suggested-names.ts';
import type { AdminPages, ActionFact } from './locals.ts';
import { accessFacts } from './removal-facts.ts';
import type { AdminMember } from './people-locals.ts';

export interface AdminPeopleDeps {
  readonly memberships: Pick<Memberships, 'add' | 'remove'>;
  readonly registration: Pick<Registration, 'update'>;
  readonly users: Pick<Users, 'find' | 'findByName' | 'findByPk' | 'all'>;
  readonly removalForecasts: Pick<RemovalForecasts, 'ofClient'>;
  readonly pages: AdminPages;
}

/** Finds the application that a URL identifies, and returns the paths of applications' pages. */
export interface ApplicationLookup {
  /** @throws PageError 404 if there is no such application */
  readonly requireClient: (ctx: RequestContext) => Client;
  readonly pathOf: (client: Pick<Client, 'clientId'>) => string;
}

/**
 * Messages for the refusals that need an explanation. After any other refusal, a page says only that nothing changed.
 */
export const REFUSAL_MESSAGES: Readonly<Partial<Record<MembershipRefusal, Message>>> = {
  'last-owner': message('admin-people.last-owner'),
  'too-many-members': message('admin-people.too-many'),
};

/**
 * Adds the pages where administrators add members without an invitation, remove members, and switch between test mode
 * and live mode.
 */
export function addAdminPeople(
  router: PageRouter,
  { requireClient, pathOf }: ApplicationLookup,
  deps: AdminPeopleDeps,
): void {
  const { memberships, registration, removalForecasts, users, pages } = deps;
  const trailOf = (client: Client) => [
    { href: '/admin/applications/', text: message('admin.applications') },
    { href: pathOf(client), text: client.name },
  ];

  function show(ctx: RequestContext, client: Client, username: string, problem: Text | undefined): void {
    if (problem !== undefined) ctx.status = 422;
    const { clientId: id, name } = client;
    sendPage(
      ctx,
      pages.adminPeople({
        ...pageContextFor(ctx, actingUser(ctx)),
        application: { id, name },
        owners: adminMembers(ownersOf(client), users),
        testUsers: adminMembers(testUsersOf(client), users),
        username,
        userNames: suggestedUserNames(users),
        errors: problem === undefined ? {} : { username: problem },
      }),
    );
  }

  router.get('/applications/:id/people', (ctx) => show(ctx, requireClient(ctx), '', undefined));

  router.post('/applications/:id/people', async (ctx) => {
    const client = requireClient(ctx);
    const form = formOf(ctx);
    const username = form.input('username');
    const role = MEMBER_ROLES.find((name) => name === form.text('member_role')) ?? 'owner';
    const user = users.findByName(normalizeUserName(username));
    if (user === undefined) return show(ctx, client, username, message('admin-people.unknown'));
    if (role === 'test-user' && isOwner(client, user.userId))
      return show(ctx, client, username, message('admin-people.owner-can-test'));
    const refusal = await memberships.add(client, user, role, userCommandContext(ctx, actingUser(ctx)));
    if (refusal !== undefined)
      return show(ctx, client, username, REFUSAL_MESSAGES[refusal] ?? message('admin-people.unchanged'));
    ctx.state.webSession.flash(
      message('admin-people.added', { username: user.username, role, application: client.name }),
    );
    ctx.redirect(`${pathOf(client)}people/`);
  });

  function requireMember(ctx: RequestContext, client: Client) {
    const user = users.findByPk(Number(pathParameter(ctx, 'pk')));
    const role = user && roleOf(client, user.userId);
    if (user === undefined || role === undefined) throw notFound();
    return { user, role };
  }

  /** Asks for confirmation before a member is removed, or explains why an owner cannot be removed. */
  function showRemoval(ctx: RequestContext, client: Client, { user, role }: { user: User; role: MemberRole }): void {
    const back = `${pathOf(client)}people/`;
    const names = { username: user.username, application: client.name };
    const mustRemainOwner = role === 'owner' && findOtherActiveOwner(client, user.userId, users) === undefined;
    const consequence = role === 'owner' ? 'admin-people.remove-owner' : 'admin-people.remove-test-user';
    sendPage(
      ctx,
      pages.adminConfirm({
        ...pageContextFor(ctx, actingUser(ctx)),
        trail: [...trailOf(client), { href: back, text: message('admin-people.crumb') }],
        title: message(mustRemainOwner ? 'admin-people.only-owner-title' : 'admin-people.remove', {
          username: user.username,
        }),
        text: [message(mustRemainOwner ? 'admin-people.only-owner' : consequence, names)],
        instead: mustRemainOwner ? { href: `${back}#add-title`, text: message('admin-people.add-owner') } : undefined,
        button: message(role === 'owner' ? 'admin-people.remove-owner-button' : 'admin-people.remove-test-user-button'),
        action: `${back}${user.id}/remove/`,
        back,
      }),
    );
  }

  router.get('/applications/:id/people/:pk/remove', (ctx) => {
    const client = requireClient(ctx);
    showRemoval(ctx, client, requireMember(ctx, client));
  });

  router.post('/applications/:id/people/:pk/remove', async (ctx) => {
    const client = requireClient(ctx);
    const { user, role } = requireMember(ctx, client);
    const refusal = await memberships.remove(client, user.userId, userCommandContext(ctx, actingUser(ctx)));
    if (refusal === 'last-owner') {
      ctx.status = 422;
      return showRemoval(ctx, client, { user, role });
    }
    if (refusal !== undefined) {
      ctx.state.webSession.flash(message('admin-people.unchanged'), 'warning');
      return ctx.redirect(`${pathOf(client)}people/`);
    }
    ctx.state.webSession.flash(
      message('admin-people.removed', { username: user.username, role, application: client.name }),
    );
    ctx.redirect(`${pathOf(client)}people/`);
  });

  router.get('/applications/:id/mode', (ctx) => {
    const client = requireClient(ctx);
    const isLive = client.mode === 'live';
    const back = pathOf(client);
    sendPage(
      ctx,
      pages.adminConfirm({
        ...pageContextFor(ctx, actingUser(ctx)),
        trail: trailOf(client),
        title: message('admin-mode.title', { application: client.name, mode: isLive ? 'test' : 'live' }),
        text: [message(isLive ? 'admin-mode.to-test' : 'admin-mode.to-live')],
        facts: isLive ? [...accessFacts(removalForecasts.ofClient(client)), ...memberFacts(client, users)] : [],
        tone: 'primary',
        button: message(isLive ? 'admin-mode.test-button' : 'admin-mode.live-button'),
        action: `${back}mode/`,
        back,
        hidden: { mode: isLive ? 'test' : 'live' },
      }),
    );
  });

  router.post('/applications/:id/mode', async (ctx) => {
    const client = requireClient(ctx);
    const mode = CLIENT_MODES.find((name) => name === formOf(ctx).text('mode')) ?? client.mode;
    const context = userCommandContext(ctx, actingUser(ctx), observedClient(client));
    const refusal =
      mode === client.mode ? undefined : await registration.update(client.clientId, { ...client, mode }, context);
    if (refusal === undefined)
      ctx.state.webSession.flash(message('admin-mode.done', { application: client.name, mode }));
    else ctx.state.webSession.flash(message('admin-mode.refused', { application: client.name }), 'warning');
    ctx.redirect(pathOf(client));
  });
}

/** Counts the owners and the test users: in test mode, only they can authorize the application. */
function memberFacts(client: Client, users: Pick<Users, 'find'>): readonly ActionFact[] {
  const formatCount = (members: readonly ClientMember[]): Text =>
    message('removal.number', { count: adminMembers(members, users).length });
  return [
    { title: message('removal.owners'), text: formatCount(ownersOf(client)) },
    { title: message('admin-application.test-users'), text: formatCount(testUsersOf(client)) },
  ];
}

/** Returns the members whose accounts still exist, as the administration pages show them. */
export function adminMembers(members: readonly ClientMember[], users: Pick<Users, 'find'>): readonly AdminMember[] {
  return members.flatMap(({ userId, since }) => {
    const user = users.find(userId);
    return user === undefined ? [] : [{ id: user.id, username: user.username, since, isActive: user.active }];
  });
}
