import { z } from 'zod';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { MEMBER_ROLES, type MemberRole } from '../domain/values.ts';
import { decideAgain } from '../event-store/decide-again.ts';
import type { MembershipRefusal } from '../oauth/clients/memberships.ts';
import { requireClient } from './require-client.ts';
import { OperationRefused } from './control/operation-refused.ts';
import { isoTime } from './iso-time.ts';
import type { OperationContext } from './operation-context.ts';
import { streamingOperation, type Operation } from './operation.ts';
import { requireUser } from './users.ts';

/** An owner or a test user, as printed by the command line. */
interface MemberRow {
  readonly username: string;
  readonly role: MemberRole;
  readonly since: string;
  /** Whether the account is enabled. */
  readonly active: boolean;
}

const userName = z.string().min(1).max(OPERATION_TEXTS.userName);
const input = z.strictObject({
  clientId: z.string().min(1).max(OPERATION_TEXTS.clientId),
  role: z.enum(MEMBER_ROLES),
  add: z.array(userName),
  remove: z.array(userName),
});

/** The explanation of each refusal, as the part of a sentence that follows a name. */
export const MEMBERSHIP_REFUSALS: Readonly<Record<MembershipRefusal, string>> = {
  'client-unknown': 'the client was removed',
  'last-owner': 'no other owner could log in; add another owner first',
  'too-many-members': 'the client already has the maximum number of members with this role',
  'already-member': 'the user already has this role',
  'invitation-used': 'the invitation was used',
  'invitation-expired': 'the invitation has expired',
  'invitation-withdrawn': 'the invitation was withdrawn',
};

export const clientMemberOperations: Readonly<Record<string, Operation>> = {
  /** Adds users before it removes any, so that the only owner can be replaced. Then lists the members with the role. */
  'client members': streamingOperation(input, async function* ({ clientId, role, add, remove }, context) {
    for (const name of add) await decideAgain(() => addMember(clientId, name, role, context));
    for (const name of remove) await decideAgain(() => removeMember(clientId, name, role, context));
    const { users } = context.projections;
    for (const member of requireClient(clientId, context).members) {
      const user = users.find(member.userId);
      if (member.role !== role || user === undefined) continue;
      const { username, active } = user;
      yield { username, role, since: isoTime(member.since), active } satisfies MemberRow;
    }
  }),
};

async function addMember(clientId: string, name: string, role: MemberRole, context: OperationContext): Promise<void> {
  const [client, user] = [requireClient(clientId, context), requireUser(name, context)];
  throwIfRefused(await context.memberships.add(client, user, role, context.cause), name);
}

async function removeMember(
  clientId: string,
  name: string,
  role: MemberRole,
  context: OperationContext,
): Promise<void> {
  const [client, user] = [requireClient(clientId, context), requireUser(name, context)];
  const hasRole = client.members.some((member) => member.userId === user.userId && member.role === role);
  if (!hasRole)
    throw new OperationRefused(`${JSON.stringify(name)} does not have the role ${role} in ${clientId}`, 'unknown');
  throwIfRefused(await context.memberships.remove(client, user.userId, context.cause), name);
}

function throwIfRefused(refusal: MembershipRefusal | undefined, name: string): void {
  if (refusal === undefined) return;
  throw new OperationRefused(`${JSON.stringify(name)}: ${MEMBERSHIP_REFUSALS[refusal]}`, 'conflict');
}
