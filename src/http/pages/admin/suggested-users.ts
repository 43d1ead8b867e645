import type { Users } from '../../../projections/users.ts';

/** A longer list would make the page large. */
const MAX_SUGGESTED = 200;

/** The names of some users who can log in, as suggestions for a field. */
export function suggestedUsers(users: Pick<Users, 'all'>): readonly string[] {
  const names: string[] = [];
  for (const { username, active } of users.all()) {
    if (active) names.push(username);
    if (names.length === MAX_SUGGESTED) break;
  }
  return names;
}
