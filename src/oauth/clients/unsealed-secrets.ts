import { formatOwners } from '../../platform/keys/lost-keys.ts';
import type { Clients } from '../../projections/clients.ts';

/** The clients that have a valid secret with an unencrypted hash in the log, and the remedy. */
export interface UnsealedSecretsProblem {
  readonly says: string;
  readonly todo: string;
}

/**
 * Returns the problem with imported secrets, or undefined if the hashes of all valid ones are sealed in the log.
 * @param now seconds since the epoch
 */
export function unsealedSecretsProblem(
  clients: Pick<Clients, 'all' | 'hasUnsealedSecret'>,
  now: number,
): UnsealedSecretsProblem | undefined {
  const affectedClients = clients.all().filter((client) => clients.hasUnsealedSecret(client, now));
  const ids = affectedClients.map(({ clientId }) => clientId);
  if (ids.length === 0) return undefined;
  return {
    says: formatOwners(ids, {
      owner: 'client',
      says:
        'a secret whose hash an earlier release recorded without encryption, so readers of the stored log can test ' +
        'guesses against it',
    }),
    todo:
      'rotate each secret that may be weak (grantlog client rotate-secret ID --overlap 36h), so that the old one is ' +
      'worthless once the overlap is over; grantlog client list --json lists all of them (secret_unsealed: true)',
  };
}
