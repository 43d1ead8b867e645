import { validPreviousSecret } from '../../domain/previous-secret.ts';
import type { ClientId } from '../../domain/values.ts';
import { createKeyRemoval } from '../../platform/keys/key-removal.ts';
import { dropUnneededLines, lostKeysProblem, type LostKeysProblem } from '../../platform/keys/lost-keys.ts';
import type { Clock } from '../../platform/ports.ts';
import type { Client, Clients } from '../../projections/clients.ts';
import type { ClientKeys } from '../../platform/keys/client-keys.ts';

/** Clients whose secret cannot be checked: a line of the key file is damaged or gone. */
export interface LostClientKeys {
  clients(): readonly Pick<Client, 'clientId'>[];
  /** Undefined where every client has the key that it needs. */
  problem(): LostKeysProblem | undefined;
  /**
   * Destroys the key of a client that was removed, and damaged lines with it once no client lacks its key.
   * @returns false if the file cannot be written now; this is retried
   */
  destroy(clientId: ClientId): boolean;
  /** Ends the retries, with a last one. */
  close(): void;
}

export interface LostClientKeysParts {
  readonly keys: Pick<ClientKeys, 'ids' | 'destroy' | 'damagedLines' | 'dropDamagedLines'>;
  readonly clients: Pick<Clients, 'find' | 'unreadable'>;
  /** Whether the client was registered once and is not any more. */
  readonly isRemoved: (clientId: ClientId) => Promise<boolean>;
  readonly clock: Pick<Clock, 'now'>;
  /** The path of the key file, for messages. */
  readonly file: string;
  /** Takes a line about clients without a key, and about lines that were removed. */
  readonly notice: (line: string) => void;
}

/** Destroys the keys of removed clients that a crash left, and reports clients without a key. */
export async function createLostClientKeys(parts: LostClientKeysParts): Promise<LostClientKeys> {
  const { keys, clients, isRemoved, clock, file, notice } = parts;
  const words = {
    owner: 'client',
    says: `no key in ${file} that opens the hash of their secret, and cannot authenticate with it`,
    todo:
      'give each a new secret (grantlog client rotate-secret ID), or stop the server, restore a backup into another ' +
      'directory (grantlog restore FILE DIR), and put the lines with these ids from DIR/keys/clients.keys in the ' +
      'place of the damaged ones',
  };

  /** A previous secret is needed only until its end. */
  function lost(): readonly Client[] {
    const now = clock.now() / 1000;
    return clients
      .unreadable()
      .filter((client) => client.secret?.algorithm === 'unreadable' || validPreviousSecret(client, now) !== null);
  }

  const problem = (): LostKeysProblem | undefined =>
    lostKeysProblem(
      lost().map(({ clientId }) => clientId),
      keys.damagedLines(),
      words,
    );

  /** Damaged lines that no client needs can only be those of removed clients, or of replaced secrets. */
  function tidy(): void {
    if (lost().length === 0) dropUnneededLines(keys, { file, owner: words.owner, notice });
  }

  const withoutClient = keys.ids().filter((clientId) => clients.find(clientId) === undefined);
  const removed: ClientId[] = [];
  for (const clientId of withoutClient) if (await isRemoved(clientId)) removed.push(clientId);
  const removal = createKeyRemoval<ClientId>({ destroy: keys.destroy, tidy, file, notice });
  removal.destroy(...removed);
  const found = problem();
  if (found !== undefined) notice(`${found.says}; ${found.todo}`);
  return {
    clients: lost,
    problem,
    destroy: (clientId) => removal.destroy(clientId),
    close: removal.close,
  };
}
