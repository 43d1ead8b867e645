import { isOwner, ownersOf } from '../../domain/members.ts';
import type { ClientId } from '../../domain/values.ts';
import type { CommandContext } from '../../event-store/command-handler.ts';
import type { Clients } from '../../projections/clients.ts';
import type { User } from '../../projections/users.ts';
import type { MembershipRefusal, Memberships } from './memberships.ts';

interface TransferDeps {
  readonly memberships: Pick<Memberships, 'add' | 'remove'>;
  readonly clients: Pick<Clients, 'find'>;
}

/**
 * Makes the user, who must be able to log in, the only owner of the client. Adds the user first, so that the client
 * always has an owner.
 * @returns the refusal that stopped the transfer; undefined if the transfer is complete
 */
export async function transferClient(
  clientId: ClientId,
  newOwner: User,
  context: CommandContext,
  { memberships, clients }: TransferDeps,
): Promise<MembershipRefusal | undefined> {
  const findClient = () => clients.find(clientId);
  const initialClient = findClient();
  if (initialClient === undefined) return 'client-unknown';
  const addRefusal = isOwner(initialClient, newOwner.userId)
    ? undefined
    : await memberships.add(initialClient, newOwner, 'owner', context);
  if (addRefusal !== undefined) return addRefusal;
  for (const { userId } of ownersOf(initialClient)) {
    const client = findClient(); // each removal changes the client
    if (userId === newOwner.userId || client === undefined) continue;
    const refusal = await memberships.remove(client, userId, context);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
