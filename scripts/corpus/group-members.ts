import type { Group } from '../../src/projections/groups.ts';
import type { User } from '../../src/projections/users.ts';
import type { RunningService } from '../../test/support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

/** Adds the users to groups, removes one from a group, changes a title, and removes a group that has a member. */
export async function recordGroupChanges(running: RunningService, first: User, second: User): Promise<void> {
  const { groupDirectory, projections } = running.service();
  for (const name of ['staff', 'guests']) await groupDirectory.create(name, OPERATOR);
  const [staff, guests, readers] = ['staff', 'guests', 'readers'].map(
    (name) => projections.groups.findByName(name) ?? fail(name),
  ) as [Group, Group, Group];
  await groupDirectory.changeGroups(first, { add: [staff, guests], remove: [] }, OPERATOR);
  await groupDirectory.changeGroups(second, { add: [readers], remove: [] }, OPERATOR);
  await groupDirectory.changeGroups(first, { add: [readers], remove: [staff] }, OPERATOR);
  await groupDirectory.changeTitle(staff, 'Everybody who works here', OPERATOR);
  await groupDirectory.remove(guests, OPERATOR);
}

function fail(name: string): never {
  throw new Error(`there is no group ${name}`);
}
