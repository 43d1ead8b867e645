import { ownersNamed } from '../../platform/keys/lost-keys.ts';
import type { Clients } from '../../projections/clients.ts';

/** Clients that a reader of the stored log can test guesses of a valid secret against, and advice. */
export interface UnsealedSecretsProblem {
  readonly says: string;
  readonly todo: string;
}

/**
 * Undefined where every hash of a valid secret from elsewhere is sealed in the log.
 * @param now seconds since the epoch
 */
export function unsealedSecretsProblem(
  clients: Pick<Clients, 'all' | 'hasUnsealedSecret'>,
  now: number,
): UnsealedSecretsProblem | undefined {
  const unsealed = clients.all().filter((client) => clients.hasUnsealedSecret(client, now));
  const names = unsealed.map(({ clientId }) => clientId);
  if (names.length === 0) return undefined;
  return {
    says: ownersNamed(names, {
      owner: 'client',
      says:
        'a secret whose hash an earlier release recorded without a seal, so that readers of the stored log can ' +
        'test guesses of it',
    }),
    todo:
      'give each that may have a weak secret a new one (grantlog client rotate-secret ID --overlap 36h): its old ' +
      'hash is worth nothing once the overlap is over; grantlog client list --json has all of them ' +
      '(secret_unsealed: true)',
  };
}
