import { createLostAccountKeys, type LostAccountKeys } from '../accounts/lost-account-keys.ts';
import { createVault, type Vault } from '../accounts/personal-data.ts';
import type { ClientState } from '../domain/client.ts';
import { clientStream } from '../domain/streams.ts';
import { createLostClientKeys, type LostClientKeys } from '../oauth/clients/lost-client-keys.ts';
import { createSecretVault, type SecretVault } from '../oauth/clients/secret-vault.ts';
import type { Clock, Entropy } from '../platform/ports.ts';
import type { SealOpeners, Projections } from '../projections/projections.ts';
import { CLIENT_KEYS, type ClientKeys } from '../platform/keys/client-keys.ts';
import { PERSONAL_KEYS, type PersonalKeys } from '../platform/keys/personal-keys.ts';

/** The keys beside the log that open seals in it. */
export interface SealKeys {
  readonly personalKeys: PersonalKeys;
  readonly clientKeys: ClientKeys;
}

export interface Vaults {
  readonly users: Vault;
  readonly clients: SecretVault;
  /** What projections open seals with. */
  readonly open: SealOpeners;
}

/** @param mustHaveSpace throws an error if no key can be stored now */
export function createVaults(
  { personalKeys, clientKeys }: SealKeys,
  entropy: Entropy,
  mustHaveSpace?: () => void,
): Vaults {
  const users = createVault(personalKeys, entropy, mustHaveSpace);
  const clients = createSecretVault(clientKeys, entropy, mustHaveSpace);
  return { users, clients, open: { users: users.tryUnseal, clients: clients.open } };
}

/** The keys, and those that are missing although something was sealed with them. */
export interface SealKeyWatch {
  readonly personalKeys: Pick<PersonalKeys, 'find'>;
  readonly clientKeys: Pick<ClientKeys, 'find'>;
  readonly lostKeys: LostAccountKeys;
  readonly lostClientKeys: LostClientKeys;
}

/** Looks for keys that are missing. Once the log is replayed. */
export async function watchSealKeys(
  { personalKeys, clientKeys }: SealKeys,
  parts: {
    readonly projections: Pick<Projections, 'users' | 'clients'>;
    readonly clientState: (stream: string) => Promise<ClientState>;
    readonly clock: Clock;
    readonly dataDir: string;
    readonly notice: (line: string) => void;
  },
): Promise<SealKeyWatch> {
  const {
    projections: { users, clients },
    clientState,
    clock,
    dataDir,
    notice,
  } = parts;
  const fileAt = (name: string): string => `${dataDir}/keys/${name}`;
  return {
    personalKeys,
    clientKeys,
    lostKeys: createLostAccountKeys({ keys: personalKeys, users, file: fileAt(PERSONAL_KEYS.file), notice }),
    lostClientKeys: await createLostClientKeys({
      keys: clientKeys,
      clients,
      clock,
      file: fileAt(CLIENT_KEYS.file),
      notice,
      isRemoved: async (clientId) => (await clientState(clientStream(clientId))).status === 'removed',
    }),
  };
}
