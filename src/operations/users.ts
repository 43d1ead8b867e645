import { z } from 'zod';
import { NoAdministratorLeft } from '../accounts/last-administrator.ts';
import { ROLES } from '../domain/events.ts';
import { ownersOf } from '../domain/members.ts';
import { normalizeUserName } from '../domain/user-name.ts';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import type { User } from '../projections/users.ts';
import { containsText } from '../lists/folded-text.ts';
import type { OperationContext } from './operation-context.ts';
import { isoTime } from './iso-time.ts';
import { invalidFields } from './invalid-fields.ts';
import { operation, streamingOperation, type Operation } from './operation.ts';
import { OperationRefused } from './control/operation-refused.ts';
import { acceptedWeakness } from './password-rule.ts';
import { rolesInput } from './import/roles-input.ts';
import { sharedAddressWarning } from './shared-address.ts';

const username = z.string().min(1).max(OPERATION_TEXTS.userName);
const text = z.string().max(OPERATION_TEXTS.checkedText);
/** The same password rules apply as on the pages, unless the caller accepts a weak password. */
const password = { password: text.min(1), acceptsWeakPassword: z.boolean().optional() };
const account = z.strictObject({
  username,
  ...password,
  email: text,
  firstName: text,
  lastName: text,
  roles: rolesInput,
});

/** The filters for the user list, the same as on the page. */
const listInput = z.strictObject({
  search: text.optional(),
  role: z.enum([...ROLES, 'none']).optional(),
  status: z.enum(['active', 'disabled']).optional(),
});

/** An account, as shown to operators. */
export interface UserRow {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly first_name: string;
  readonly last_name: string;
  readonly active: boolean;
  readonly roles: readonly string[];
  readonly created_at: string | null;
  /** Null if the user has never logged in. */
  readonly last_login_at: string | null;
}

export function toUserRow(user: User, { userActivity }: OperationContext['projections']): UserRow {
  const { id, username: name, email, emailVerified, firstName, lastName, active, roles, userId } = user;
  const [createdAt, lastLoginAt] = [userActivity.registeredAt(userId), userActivity.lastLoginAt(userId)];
  return {
    id,
    username: name,
    email,
    email_verified: emailVerified,
    first_name: firstName,
    last_name: lastName,
    active,
    roles,
    created_at: createdAt === undefined ? null : isoTime(createdAt),
    last_login_at: lastLoginAt === undefined ? null : isoTime(lastLoginAt),
  };
}

function matchesFilters(
  { id, username: name, email, firstName, lastName, active, roles }: User,
  { search = '', role, status }: z.output<typeof listInput>,
): boolean {
  if (status !== undefined && (status === 'active') !== active) return false;
  if (role !== undefined && !(role === 'none' ? roles.length === 0 : roles.includes(role))) return false;
  return containsText([name, email, `${firstName} ${lastName}`, String(id)], search);
}

/**
 * Finds a user by name.
 * @throws OperationRefused if there is no user with this name
 */
export function requireUser(name: string, { projections }: OperationContext): User {
  const user = projections.users.findByName(normalizeUserName(name));
  if (user === undefined)
    throw new OperationRefused(`no user is named ${JSON.stringify(name)}; see: grantlog user list`, 'unknown');
  return user;
}

function statusOperation(change: 'disable' | 'enable'): Operation {
  return operation(z.strictObject({ username }), async (input, context) => {
    const user = requireUser(input.username, context);
    await refuseIfNoAdministratorLeft(user, context.accounts[change](user, context.cause));
    return { id: user.id, username: user.username };
  });
}

/**
 * Awaits the change.
 * @throws OperationRefused if the change would leave no administrator able to log in
 */
async function refuseIfNoAdministratorLeft({ username: name }: User, change: Promise<void>): Promise<void> {
  await change.catch((error: unknown) => {
    if (!(error instanceof NoAdministratorLeft)) throw error;
    throw lastAdministratorRefusal(name);
  });
}

/** Returns the warning about a change to a disabled account. */
export function disabledAccountWarning(name: string): string {
  return `the account ${name} is disabled; to enable it: grantlog user enable ${name}`;
}

/** Returns the refusal for a change that would leave no administrator able to log in. */
export function lastAdministratorRefusal(name: string): OperationRefused {
  return new OperationRefused(
    `${JSON.stringify(name)} is the last administrator who can log in; add another first: ` +
      'grantlog user roles NAME --admin',
    'conflict',
  );
}

export const userOperations: Readonly<Record<string, Operation>> = {
  'user add': operation(account, async ({ acceptsWeakPassword = false, ...input }, context) => {
    const weakness = acceptedWeakness(input.password, input, acceptsWeakPassword);
    const result = await context.accounts.register(input, context.cause);
    if ('errors' in result) throw invalidFields(result.errors);
    const { id, username: name } = result.user;
    const warning = sharedAddressWarning(result.user, context);
    return { id, username: name, ...warning, ...(weakness === undefined ? {} : { weakness }) };
  }),

  'user list': streamingOperation(listInput, async function* (input, { projections }) {
    for (const user of projections.users.all()) if (matchesFilters(user, input)) yield toUserRow(user, projections);
  }),

  'user passwd': operation(z.strictObject({ username, ...password }), async (input, context) => {
    const user = requireUser(input.username, context);
    const weakness = acceptedWeakness(input.password, user, input.acceptsWeakPassword ?? false);
    const result = await context.accounts.changePassword(user, input.password, context.cause);
    if ('errors' in result) throw invalidFields(result.errors);
    const warning = user.active ? undefined : disabledAccountWarning(user.username);
    return {
      id: user.id,
      username: user.username,
      ...(weakness === undefined ? {} : { weakness }),
      ...(warning === undefined ? {} : { warning }),
    };
  }),

  'user roles': operation(z.strictObject({ username, roles: rolesInput }), async (input, context) => {
    const user = requireUser(input.username, context);
    await refuseIfNoAdministratorLeft(user, context.accounts.changeRoles(user, input.roles, context.cause));
    return { id: user.id, username: user.username, roles: input.roles };
  }),

  'user disable': statusOperation('disable'),
  'user enable': statusOperation('enable'),

  'user erase': operation(z.strictObject({ username }), async (input, context) => {
    const user = requireUser(input.username, context);
    const ownedClients = [...context.projections.clients.ownedBy(user.userId)];
    const solelyOwnedClients = ownedClients.filter((client) => ownersOf(client).length === 1);
    await refuseIfNoAdministratorLeft(user, context.accounts.erase(user, context.cause));
    return { id: user.id, username: user.username, ownerless_applications: solelyOwnedClients.length };
  }),
};
