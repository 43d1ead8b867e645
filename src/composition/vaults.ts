import { createLostAccountKeys, type LostAccountKeys } from '../accounts/lost-account-keys.ts';
import { endedInvitationKeys } from '../accounts/invitation-keys.ts';
import { createVault, type Vault } from '../accounts/personal-data.ts';
import type { ClientState } from '../domain/client.ts';
import { clientStream } from '../domain/streams.ts';
import type { EpochSeconds } from '../domain/values.ts';
import { createLostClientKeys, type LostClientKeys } from '../oauth/clients/lost-client-keys.ts';
import { createSecretVault, type SecretVault } from '../oauth/clients/secret-vault.ts';
import type { Clock, Entropy } from '../platform/ports.ts';
import type { Unsealers, Projections } from '../projections/projections.ts';
import type { ClientKeys } from '../platform/keys/client-keys.ts';
import type { PersonalKeys } from '../platform/keys/personal-keys.ts';

/** The keys under which data in the log is sealed. They are stored outside the log. */
export interface SealKeys {
  readonly personalKeys: PersonalKeys;
  readonly clientKeys: ClientKeys;
}

export interface Vaults {
  readonly users: Vault;
  readonly clients: SecretVault;
  /** The functions with which the projections decrypt sealed data. */
  readonly unsealers: Unsealers;
}

/**
 * Creates the vaults that seal data with these keys.
 * @param assertSpace throws an error if the disk has no space for a key and the event that needs it
 */
export function createVaults(
  { personalKeys, clientKeys }: SealKeys,
  entropy: Entropy,
  assertSpace?: () => void,
): Vaults {
  const users = createVault(personalKeys, entropy, assertSpace);
  const clients = createSecretVault(clientKeys, entropy, assertSpace);
  return { users, clients, unsealers: { users: users.tryUnseal, clients: clients.open } };
}

/** The keys under which data is sealed, and the parts that report missing keys and destroy unneeded ones. */
export interface SealKeyWatch {
  readonly personalKeys: Pick<PersonalKeys, 'find'>;
  readonly clientKeys: Pick<ClientKeys, 'find'>;
  readonly lostKeys: LostAccountKeys;
  readonly lostClientKeys: LostClientKeys;
}

/** Reports missing keys, and destroys keys that a crash left behind. Call this function after the replay. */
export async function watchSealKeys(
  { personalKeys, clientKeys }: SealKeys,
  deps: {
    readonly projections: Pick<Projections, 'users' | 'clients' | 'sentInvitations'>;
    readonly clientState: (stream: string) => Promise<ClientState>;
    readonly clock: Clock;
    readonly notice: (line: string) => void;
  },
): Promise<SealKeyWatch> {
  const {
    projections: { users, clients, sentInvitations },
    clientState,
    clock,
    notice,
  } = deps;
  const now = Math.floor(clock.now() / 1000) as EpochSeconds;
  return {
    personalKeys,
    clientKeys,
    lostKeys: await createLostAccountKeys({
      keys: personalKeys,
      users,
      otherKeys: endedInvitationKeys(sentInvitations, personalKeys, now),
      notice,
    }),
    lostClientKeys: await createLostClientKeys({
      keys: clientKeys,
      clients,
      clock,
      notice,
      isRemoved: async (clientId) => (await clientState(clientStream(clientId))).status === 'removed',
    }),
  };
}
