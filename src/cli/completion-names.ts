import { openControl } from '../operations/control/client.ts';
import { controlSocketPath } from './operation-target.ts';

/** The kinds of things whose names the running server completes. */
export const NAMED_THINGS = ['user', 'client', 'group', 'scope'] as const;
export type NamedThing = (typeof NAMED_THINGS)[number];

/** The member of the items of the operation `… list` that names the thing. */
const MEMBERS: Readonly<Record<NamedThing, string>> = {
  user: 'username',
  client: 'client_id',
  group: 'name',
  scope: 'scope',
};

/** More names would not help the person who types. */
const MAX_NAMES = 500;

const MAX_MILLISECONDS = 500;

/** A shell expands other characters, so names with them are left out. */
const SAFE = /^[\w@.+:/-]+$/;

/** The names that a running server returns in half a second; none if no server runs. Never rejects. */
export async function namesOf(dataDir: string, thing: NamedThing): Promise<readonly string[]> {
  const names: string[] = [];
  const channel = await openControl(controlSocketPath(dataDir)).catch(() => null);
  if (channel === null) return names;
  const timer = setTimeout(channel.close, MAX_MILLISECONDS);
  try {
    for await (const item of channel.call(`${thing} list`, {})) {
      const name = (item as Readonly<Record<string, unknown>>)[MEMBERS[thing]];
      if (typeof name === 'string' && SAFE.test(name)) names.push(name);
      if (names.length >= MAX_NAMES) break;
    }
  } catch {
    // the server is slow, and the names that it has sent must do
  } finally {
    clearTimeout(timer);
    channel.close();
  }
  return names;
}
