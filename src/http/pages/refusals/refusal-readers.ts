import { isOwner } from '../../../domain/members.ts';
import { mayAdminister } from '../../../domain/roles.ts';
import type { Clients } from '../../../projections/clients.ts';
import type { User } from '../../../projections/users.ts';

/** Reports whether a user may see why a request was refused. Only administrators and owners of the client may. */
export type MaySeeRefusal = (user: Pick<User, 'userId' | 'roles'>, clientId: string | null) => boolean;

export function createMaySeeRefusal(clients: Pick<Clients, 'find'>): MaySeeRefusal {
  return (user, clientId) => {
    if (mayAdminister(user.roles)) return true;
    const client = clientId === null ? undefined : clients.find(clientId);
    return client !== undefined && isOwner(client, user.userId);
  };
}
