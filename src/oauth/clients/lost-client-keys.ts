import { validPreviousSecret } from '../../domain/previous-secret.ts';
import type { ClientId } from '../../domain/values.ts';
import { createKeyRemoval } from '../../platform/keys/key-removal.ts';
import { dropUnneededLines, lostKeysProblem, type LostKeysProblem } from '../../platform/keys/lost-keys.ts';
import type { Clock } from '../../platform/ports.ts';
import type { Client, Clients } from '../../projections/clients.ts';
import type { ClientKeys } from '../../platform/keys/client-keys.ts';

/** Clients whose valid secret does not work, because the key that encrypts its hash is damaged or missing. */
export interface LostClientKeys {
  clients(): readonly Pick<Client, 'clientId'>[];
  /** Returns the problem with the keys, or undefined if every client has the key that it needs. */
  problem(): LostKeysProblem | undefined;
  /**
   * Destroys the key of a removed client, and removes damaged lines once every client has its key. Resolves to false if
   * the change cannot be written yet; in that case, the removal is retried.
   */
  destroy(clientId: ClientId): Promise<boolean>;
  /** Tries one last time if keys remain, then stops retrying. */
  close(): Promise<void>;
}

export interface LostClientKeysDeps {
  readonly keys: Pick<ClientKeys, 'location' | 'advice' | 'ids' | 'destroy' | 'damagedLines' | 'dropDamagedLines'>;
  readonly clients: Pick<Clients, 'find' | 'unreadable'>;
  /** Reports whether the client was registered and has been removed. */
  readonly isRemoved: (clientId: ClientId) => Promise<boolean>;
  readonly clock: Pick<Clock, 'now'>;
  /** Receives a line about clients without a key, removed lines, or keys that could not be removed. */
  readonly notice: (line: string) => void;
}

/** Destroys keys that a crash left behind after their clients were removed, and reports clients without a key. */
export async function createLostClientKeys(deps: LostClientKeysDeps): Promise<LostClientKeys> {
  const { keys, clients, isRemoved, clock, notice } = deps;
  const messages = {
    owner: 'client',
    says: `no key in ${keys.location} that decrypts the hash of a secret, so the secret does not work`,
    todo: `give each client a new secret (grantlog client rotate-secret ID), or ${keys.advice}`,
  };

  /** Returns the clients whose key is missing or damaged. A previous secret needs its key only until it expires. */
  function clientsWithoutKey(): readonly Client[] {
    const now = clock.now() / 1000;
    return clients
      .unreadable()
      .filter((client) => client.secret?.algorithm === 'unreadable' || validPreviousSecret(client, now) !== null);
  }

  const problem = (): LostKeysProblem | undefined =>
    lostKeysProblem(
      clientsWithoutKey().map(({ clientId }) => clientId),
      keys.damagedLines(),
      messages,
    );

  /**
   * Removes damaged lines once every client has its key. At that point, they can only be the keys of removed clients or
   * of replaced secrets.
   */
  async function tidy(): Promise<void> {
    if (clientsWithoutKey().length === 0) await dropUnneededLines(keys, { owner: messages.owner, notice });
  }

  const orphanedIds = keys.ids().filter((clientId) => clients.find(clientId) === undefined);
  const removedIds: ClientId[] = [];
  for (const clientId of orphanedIds) if (await isRemoved(clientId)) removedIds.push(clientId);
  const removal = createKeyRemoval<ClientId>({ destroy: keys.destroy, tidy, location: keys.location, notice });
  await removal.destroy(...removedIds);
  const initialProblem = problem();
  if (initialProblem !== undefined) notice(`${initialProblem.says}; ${initialProblem.todo}`);
  return {
    clients: clientsWithoutKey,
    problem,
    destroy: (clientId) => removal.destroy(clientId),
    close: removal.close,
  };
}
