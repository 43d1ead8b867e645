import type { Users } from '../../../projections/users.ts';

/** More would make the page large. */
const MOST = 200;

/** The names of some users who can log in, as suggestions for a field. */
export function suggestedUsers(users: Pick<Users, 'all'>): readonly string[] {
  const names: string[] = [];
  for (const { username, active } of users.all()) {
    if (active) names.push(username);
    if (names.length === MOST) break;
  }
  return names;
}
