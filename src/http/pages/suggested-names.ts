import type { Clients } from '../../projections/clients.ts';
import type { Users } from '../../projections/users.ts';

/** The maximum number of suggestions. A longer list would make the page too large. */
const MAX_SUGGESTIONS = 200;

/** Returns the names of some users whose accounts are not disabled, as suggestions for a field. */
export function suggestedUserNames(users: Pick<Users, 'all'>): readonly string[] {
  const names: string[] = [];
  for (const { username, active } of users.all()) {
    if (active) names.push(username);
    if (names.length === MAX_SUGGESTIONS) break;
  }
  return names;
}

/** Returns the names of some applications, as suggestions for a field. */
export function suggestedApplicationNames(clients: Pick<Clients, 'all'>): readonly string[] {
  const names = new Set<string>();
  for (const { name } of clients.all()) {
    names.add(name);
    if (names.size === MAX_SUGGESTIONS) break;
  }
  return [...names];
}
