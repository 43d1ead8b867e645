import type { Command } from 'commander';
import { foldedGroupName, normalizeGroupName } from '../domain/group.ts';
import { OperationRefused } from '../operations/control/operation-refused.ts';
import type { GroupRow } from '../operations/groups.ts';
import { callOnce, commandGroup, printList, printOne, withJsonOption, type CliContext } from './context.ts';
import { confirm, withYesOption } from './confirm.ts';
import { acceptOtherNames } from './named-things.ts';
import { printChanges } from './print-changes.ts';
import { pluralize, escapeControls } from './print.ts';

interface JsonOption {
  readonly json?: true;
}

/** Adds the arguments that identify a membership, and `--json`. */
function withMembershipArguments(command: Command): Command {
  return withJsonOption(command.argument('<group>', 'name of the group').argument('<user>', 'user name'));
}

/** Adds the `group` command group. */
export function groupCommands(program: Command, exactContext: CliContext): void {
  const context = acceptOtherNames(exactContext, ['name', 'group'], resolveGroupName);
  const group = commandGroup(program, 'group', 'groups of users');

  withJsonOption(group.command('add').description('create a group').argument('<name>', 'name of the group'))
    .option('--title <text>', 'title shown on pages; applications get the name')
    .action(async (name: string, { title, ...options }: JsonOption & { readonly title?: string }) => {
      await printOne(context, await callOnce(context, 'group add', { name, title }, { create: true }), options);
    });

  withJsonOption(group.command('list').description('list the groups')).action((options: JsonOption) =>
    printList(context, 'group list', ['id', 'name', 'title', 'members', 'created_at'], options),
  );

  withJsonOption(
    group.command('update').description('change the title of a group').argument('<name>', 'name of the group'),
  )
    .requiredOption('--title <text>', 'title shown on pages; an empty title removes it; applications get the name')
    .action(async (name: string, { title, ...options }: JsonOption & { readonly title: string }) => {
      const show = async () => ({ title: (await readGroup(name)).title });
      const change = () => callOnce(context, 'group update', { name, changes: { title } });
      const changeTitle = async () => (options.json ? change() : { title: (await change())['title'] });
      await printChanges(context, { name, show, change: changeTitle }, options);
    });

  withJsonOption(
    group.command('show').description('list the members of a group').argument('<name>', 'name of the group'),
  ).action(async (name: string, options: JsonOption) => {
    const { title } = await readGroup(name);
    const call: CliContext['call'] = async function* (...parameters) {
      for await (const member of context.call(...parameters)) yield { ...(member as object), group_title: title };
    };
    await printList({ ...context, call }, 'group show', ['id', 'username', 'active', 'since'], options, { name });
    if (title !== null && !options.json) await context.terminal.out(`title: ${escapeControls(title)}\n`);
  });

  withMembershipArguments(group.command('add-user').description('add a user to a group')).action(
    async (name: string, username: string, options: JsonOption) => {
      const { membership, isNewMember } = await addMember(name, username, context);
      if (options.json) return printOne(context, membership, options);
      const [user, groupName] = [escapeControls(username), escapeControls(name)];
      const text = isNewMember
        ? `is in the group ${groupName}`
        : `was already in the group ${groupName}; nothing changed`;
      await context.terminal.out(`${user} ${text}\n`);
    },
  );

  withMembershipArguments(group.command('remove-user').description('remove a user from a group')).action(
    async (name: string, username: string, options: JsonOption) => {
      const { membership, wasMember } = await removeMember(name, username, context);
      if (options.json) return printOne(context, membership, options);
      const [user, groupName] = [escapeControls(username), escapeControls(name)];
      const text = wasMember ? 'is no longer' : 'was not';
      const note = wasMember ? '' : '; nothing changed';
      await context.terminal.out(`${user} ${text} in the group ${groupName}${note}\n`);
    },
  );

  withYesOption(
    withJsonOption(
      group
        .command('remove')
        .description('remove a group and all its memberships')
        .argument('<name>', 'name of the group'),
    ),
    'required',
  ).action(async (name: string, { yes, ...options }: JsonOption & { readonly yes?: true }) => {
    await confirm(context.terminal, { yes, consequence: () => describeRemoval(name) });
    const result = await callOnce(context, 'group remove', { name });
    if (options.json) return printOne(context, result, options);
    const members = pluralize(Number(result['members']), 'member');
    await context.terminal.out(`the group ${escapeControls(String(result['name']))} was removed; it had ${members}\n`);
  });

  async function describeRemoval(name: string): Promise<string> {
    const { name: groupName, members } = await readGroup(name);
    return `the group ${escapeControls(groupName)} and its ${pluralize(members, 'membership')} will be removed`;
  }

  /**
   * Reads a group with an update that changes nothing.
   * @throws OperationRefused if there is no such group
   */
  async function readGroup(name: string): Promise<GroupRow> {
    return (await callOnce(context, 'group update', { name, changes: {} })) as unknown as GroupRow;
  }
}

/** Adds the user unless the user is already a member. Returns the user's groups, and whether the member is new. */
async function addMember(group: string, username: string, context: CliContext) {
  try {
    return { membership: await callOnce(context, 'group add-user', { group, username }), isNewMember: true };
  } catch (error) {
    if (!(error instanceof OperationRefused) || error.kind !== 'conflict') throw error;
    const user = await fetchUserGroups(username, context);
    if (!user.groups.includes(await resolveGroupName(group, context))) throw error;
    return { membership: user, isNewMember: false };
  }
}

/** Removes the user if the user is a member. Returns the user's groups, and whether the user was a member. */
async function removeMember(group: string, username: string, context: CliContext) {
  try {
    return { membership: await callOnce(context, 'group remove-user', { group, username }), wasMember: true };
  } catch (error) {
    if (!(error instanceof OperationRefused) || error.kind !== 'unknown') throw error;
    if ((await findGroup(group, context)) === undefined) throw error;
    return { membership: await fetchUserGroups(username, context), wasMember: false };
  }
}

/** Returns the user's id, name and groups, in the format that `group add-user` and `group remove-user` return. */
async function fetchUserGroups(username: string, context: CliContext) {
  const { id, username: name, groups } = await callOnce(context, 'user show', { username });
  return { id, username: name, groups: groups as readonly string[] };
}

/** Finds a group by name. If no name matches exactly, ignores case, provided that exactly one group then matches. */
async function findGroup(enteredName: string, { call }: CliContext): Promise<GroupRow | undefined> {
  const name = normalizeGroupName(enteredName);
  const similarGroups: GroupRow[] = [];
  for await (const item of call('group list', {})) {
    const row = item as GroupRow;
    if (row.name === name) return row;
    if (foldedGroupName(row.name) === foldedGroupName(name)) similarGroups.push(row);
  }
  // Groups from earlier releases can have names that differ only in case.
  return similarGroups.length === 1 ? similarGroups[0] : undefined;
}

/** Returns the group's stored name, or the entered name if there is no such group. */
async function resolveGroupName(enteredName: string, context: CliContext): Promise<string> {
  return (await findGroup(enteredName, context))?.name ?? enteredName;
}
