import { isOwner } from '../../../domain/members.ts';
import { mayAdminister } from '../../../domain/roles.ts';
import type { Clients } from '../../../projections/clients.ts';
import type { User } from '../../../projections/users.ts';

/** Decides who may see why a request was refused: owners of its application, and administrators. */
export type MaySeeRefusal = (user: Pick<User, 'userId' | 'roles'>, clientId: string | null) => boolean;

export function createRefusalReaders(clients: Pick<Clients, 'find'>): MaySeeRefusal {
  return (user, clientId) => {
    if (mayAdminister(user.roles)) return true;
    const client = clientId === null ? undefined : clients.find(clientId);
    return client !== undefined && isOwner(client, user.userId);
  };
}
