import { z } from 'zod';
import { ROLES } from '../domain/events.ts';
import type { User } from '../projections/users.ts';
import type { Administration } from './administration.ts';
import { answering, BY_OPERATOR, streaming, type Operation } from './operation.ts';
import { OperationRefused } from './refused.ts';

const username = z.string().min(1);
const account = z.strictObject({
  username,
  password: z.string().min(1),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  roles: z.array(z.enum(ROLES)),
});

/** How operators see an account. */
export interface UserRow {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly active: boolean;
  readonly roles: readonly string[];
}

function row({ id, username: name, email, firstName, lastName, active, roles }: User): UserRow {
  return { id, username: name, email, first_name: firstName, last_name: lastName, active, roles };
}

/** @throws OperationRefused nobody is called that */
export function userNamed(name: string, { users }: Administration): User {
  const user = users.named(name);
  if (user === undefined) throw new OperationRefused(`there is no user ${JSON.stringify(name)}; see: grantlog user list`);
  return user;
}

function changing(change: 'disable' | 'enable' | 'erase'): Operation {
  return answering(z.strictObject({ username }), async (input, admin) => {
    const user = userNamed(input.username, admin);
    await admin.accounts[change](user, BY_OPERATOR);
    return { id: user.id, username: user.username };
  });
}

export const userOperations: Readonly<Record<string, Operation>> = {
  'user add': answering(account, async (input, admin) => {
    const added = await admin.accounts.register(input, BY_OPERATOR);
    if ('problem' in added) throw new OperationRefused(added.problem);
    return { id: admin.users.find(added.userId)?.id, username: input.username };
  }),

  'user list': streaming(z.strictObject({}), async function* (_input, { users }) {
    for (const user of users.all()) yield row(user);
  }),

  'user passwd': answering(z.strictObject({ username, password: z.string().min(1) }), async (input, admin) => {
    const user = userNamed(input.username, admin);
    const refused = await admin.accounts.changePassword(user, input.password, BY_OPERATOR);
    if (refused !== undefined) throw new OperationRefused(refused.problem);
    return { id: user.id, username: user.username };
  }),

  'user disable': changing('disable'),
  'user enable': changing('enable'),
  'user erase': changing('erase'),
};
