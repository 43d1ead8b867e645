import { message, type Text } from '../../../language/message.ts';
import type { GroupDirectory, GroupNameProblem } from '../../../accounts/group-directory.ts';
import { normalizeGroupName } from '../../../domain/group.ts';
import { MAX_LENGTH } from '../../../domain/lengths.ts';
import { observedGroup } from '../../../domain/streams.ts';
import type { Group, Groups } from '../../../projections/groups.ts';
import type { UpstreamProviders } from '../../../projections/upstream-providers.ts';
import type { User, Users } from '../../../projections/users.ts';
import { missingItemError, outdatedFormError } from '../../pipeline/page-error.ts';
import { formOf } from '../../pipeline/page-form.ts';
import { queryOf } from '../../pipeline/query.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import type { ResubmissionGuard } from '../../pipeline/resubmission-guard.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { pageContextFor, type FieldErrors } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import { sendPage } from '../send-page.ts';
import { readListRequest } from '../lists/list-request.ts';
import { selectionUrl } from '../lists/list-locals.ts';
import { addToGroup, REFUSAL_NOTICES } from './group-additions.ts';
import { additionList, groupList, membershipList, memberList, type Member } from './group-lists.ts';
import type { AdminGroup } from './group-locals.ts';
import type { AdminPages } from './locals.ts';
import { messageWithNames } from './removal-facts.ts';
import { sendAdminList } from './send-admin-list.ts';
import { adminUserPath, requireAccount } from './users.ts';

export interface AdminGroupDeps {
  readonly groupDirectory: Pick<GroupDirectory, 'create' | 'changeTitle' | 'remove' | 'changeGroups'>;
  readonly groups: Groups;
  readonly users: Pick<Users, 'all' | 'find' | 'findByPk'>;
  readonly upstreamProviders: Pick<UpstreamProviders, 'all'>;
  readonly resubmissionGuard: ResubmissionGuard;
  readonly pages: AdminPages;
}

const GROUPS_CRUMB = { href: '/admin/groups/', text: message('admin.groups') };

const TITLE_INVALID = message('group.title-invalid', { limit: MAX_LENGTH.groupName });

/** Adds the pages for groups, group members and a user's groups. */
export function addGroupPages(router: PageRouter, deps: AdminGroupDeps): void {
  const { groupDirectory, groups, users, resubmissionGuard, pages } = deps;

  router.get('/groups', (ctx) => {
    sendAdminList(ctx, groupList(groups), groups.all(), (list) => pages.adminGroups({ ...adminContext(ctx), list }));
  });

  function showCreationForm(ctx: RequestContext, name: string, errors: FieldErrors): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    sendPage(ctx, pages.adminGroupForm({ ...adminContext(ctx), values: { name }, errors }));
  }

  /** Returns the names of the providers whose logins can add users to this group. */
  const findProviderNames = ({ name }: Group): readonly string[] =>
    deps.upstreamProviders
      .all()
      .filter((provider) => provider.groups.some(({ group }) => group === name))
      .map((provider) => provider.name);

  router.get('/groups/add', (ctx) => showCreationForm(ctx, '', {}));

  router.post('/groups/add', async (ctx) => {
    const enteredName = formOf(ctx).input('group_name');
    const problem = await groupDirectory.create(enteredName, userCommandContext(ctx, actingUser(ctx)));
    if (problem !== undefined) return showCreationForm(ctx, enteredName, { group_name: nameError(problem) });
    const newGroup = groups.findByName(normalizeGroupName(enteredName));
    ctx.state.webSession.flash(message('groups.created', { group: normalizeGroupName(enteredName) }));
    ctx.redirect(newGroup === undefined ? GROUPS_CRUMB.href : groupPath(newGroup));
  });

  router.get('/groups/:group', (ctx) => {
    const group = requireGroup(ctx);
    const members = groups.membersOf(group.groupId).flatMap(({ userId, since }): readonly Member[] => {
      const user = users.find(userId);
      return user === undefined ? [] : [{ ...user, since }];
    });
    const shownGroup = { ...groupLocals(group), createdAt: group.createdAt };
    sendAdminList(ctx, memberList(groupPath(group), ctx.state.webSession.csrfToken()), members, (list) =>
      pages.adminGroup({ ...adminContext(ctx), group: shownGroup, list }),
    );
  });

  function showTitleForm(ctx: RequestContext, group: Group, value: string, errors: FieldErrors): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const formId = resubmissionGuard.mintId(versionOf(group));
    sendPage(ctx, pages.adminGroupTitle({ ...adminContext(ctx), group: groupLocals(group), value, formId, errors }));
  }

  router.get('/groups/:group/title', (ctx) => {
    const group = requireGroup(ctx);
    showTitleForm(ctx, group, group.title ?? '', {});
  });

  router.post('/groups/:group/title', async (ctx) => {
    const group = requireGroup(ctx);
    const enteredTitle = formOf(ctx).input('group_title');
    const isUnchanged = normalizeGroupName(enteredTitle) === (group.title ?? '');
    if (!isUnchanged && resubmissionGuard.isOutdated(ctx, versionOf(group))) throw outdatedFormError();
    const context = userCommandContext(ctx, actingUser(ctx), observedGroup(group));
    if ((await groupDirectory.changeTitle(group, enteredTitle, context)) !== undefined)
      return showTitleForm(ctx, group, enteredTitle, { group_title: TITLE_INVALID });
    ctx.state.webSession.flash(message('group.title-saved', { group: group.name }));
    ctx.redirect(groupPath(group));
  });

  function isMemberOf({ groupId }: Group): (user: User) => boolean {
    const memberIds = new Set(groups.membersOf(groupId).map(({ userId }) => userId));
    return ({ userId }) => memberIds.has(userId);
  }

  router.get('/groups/:group/add', (ctx) => {
    const group = requireGroup(ctx);
    sendAdminList(ctx, additionList(isMemberOf(group)), users.all(), (list) =>
      pages.adminGroupAddition({ ...adminContext(ctx), group: groupLocals(group), list }),
    );
  });

  /**
   * Adds the selected users and redirects to the list with the same search and filters, so that the administrator can
   * add more.
   */
  router.post('/groups/:group/add', async (ctx) => {
    const group = requireGroup(ctx);
    const selectedIds = new Set(formOf(ctx).list('new_member'));
    const { notice, tone } = await addToGroup(
      users.all().filter(({ id }) => selectedIds.has(String(id))),
      group,
      ctx,
      deps,
    );
    ctx.state.webSession.flash(notice, tone);
    const list = additionList(isMemberOf(group));
    ctx.redirect(selectionUrl(`${groupPath(group)}add/`, list, readListRequest(queryOf(ctx), list)));
  });

  router.get('/groups/:group/remove', (ctx) => {
    const group = requireGroup(ctx);
    const back = groupPath(group);
    sendPage(
      ctx,
      pages.adminConfirm({
        ...adminContext(ctx),
        trail: [GROUPS_CRUMB, { href: back, text: group.name }],
        back,
        action: `${back}remove/`,
        title: message('group.remove-title', { group: group.name }),
        button: message('group.remove-button'),
        text: removalTexts(groups.membersOf(group.groupId).length),
        facts: [
          {
            title: message('removal.providers'),
            text: messageWithNames('removal.providers-count', findProviderNames(group)),
          },
        ],
      }),
    );
  });

  router.post('/groups/:group/remove', async (ctx) => {
    const group = requireGroup(ctx);
    await groupDirectory.remove(group, userCommandContext(ctx, actingUser(ctx)));
    ctx.state.webSession.flash(message('group.removed', { group: group.name }));
    ctx.redirect(GROUPS_CRUMB.href);
  });

  router.get('/users/:pk/groups', (ctx) => {
    const account = requireAccount(ctx, users);
    const { id, username } = account;
    const groupIds = new Set(groups.listByUser(account.userId).map(({ groupId }) => groupId));
    const isMember = ({ groupId }: Group): boolean => groupIds.has(groupId);
    const memberships = membershipList(adminUserPath(account), isMember, ctx.state.webSession.csrfToken());
    sendAdminList(ctx, memberships, groups.all(), (list) =>
      pages.adminUserGroups({ ...adminContext(ctx), account: { id, username }, list }),
    );
  });

  for (const [change, outcome] of [
    ['add', 'group.added'],
    ['remove', 'group.left'],
  ] as const) {
    const changeMembership = async (
      ctx: RequestContext,
      returnPath: (account: User, group: Group) => string,
    ): Promise<void> => {
      const [account, group] = [requireAccount(ctx, users), requireGroup(ctx)];
      const changes = { add: [], remove: [], [change]: [group] };
      const context = userCommandContext(ctx, actingUser(ctx));
      const refusal = await groupDirectory.changeGroups(account, changes, context);
      if (refusal === undefined)
        ctx.state.webSession.flash(message(outcome, { username: account.username, group: group.name }));
      else ctx.state.webSession.flash(REFUSAL_NOTICES[refusal], 'warning');
      ctx.redirect(returnPath(account, group));
    };
    router.post(`/groups/:group/members/:pk/${change}`, (ctx) =>
      changeMembership(ctx, (_account, group) => groupPath(group)),
    );
    router.post(`/users/:pk/groups/:group/${change}`, (ctx) =>
      changeMembership(ctx, (account) => `${adminUserPath(account)}groups/`),
    );
  }

  /** @throws PageError 404 if the group does not exist */
  function requireGroup(ctx: RequestContext): Group {
    const id = pathParameter(ctx, 'group');
    const group = /^[1-9]\d{0,8}$/.test(id) ? groups.find(Number(id)) : undefined;
    if (group === undefined) throw missingItemError('group');
    return group;
  }
}

export function groupLocals({ id, name, title }: Group): AdminGroup {
  return { id, name, title };
}

/** Returns a value that changes with every change to the group and never recurs. */
function versionOf({ groupId, revision }: Group): string {
  return `${groupId} ${revision}`;
}

function groupPath({ id }: Group): string {
  return `${GROUPS_CRUMB.href}${id}/`;
}

function adminContext(ctx: RequestContext) {
  return pageContextFor(ctx, actingUser(ctx));
}

function nameError(problem: GroupNameProblem): Text {
  return problem === 'invalid'
    ? message('group.name-invalid', { limit: MAX_LENGTH.groupName })
    : message('group.name-taken', { group: problem.takenBy });
}

function removalTexts(memberCount: number): readonly Text[] {
  return [message('group.leaving', { count: memberCount }), message('group.tokens'), message('group.final')];
}
