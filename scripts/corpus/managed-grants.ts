import type { RunningService } from '../../test/support/running-service.ts';
import {
  addManager,
  callGrant,
  create,
  managementToken,
  merge,
  obtain,
  replace,
} from '../../test/support/managed-grants.ts';

/** Creates two managed grants, updates the first one twice, and revokes the second one. */
export async function recordManagedGrants(running: RunningService): Promise<void> {
  const client = await addManager(running, { name: 'Manages its grants' });
  const user = await running.addUser('manager');
  const [updatedGrant, revokedGrant] = [
    await obtain(running, client, user, { scope: 'read', ...create }),
    await obtain(running, client, user, { scope: 'read write', ...create }),
  ];
  await obtain(running, client, user, { scope: 'write', ...merge(updatedGrant.id) });
  await obtain(running, client, user, { scope: 'read', ...replace(updatedGrant.id) });
  await callGrant(running, 'DELETE', revokedGrant.id, await managementToken(running, client));
}
