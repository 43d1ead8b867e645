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

/** The keys that decrypt sealed data in the log. They are stored outside the log. */
export interface SealKeys {
  readonly personalKeys: PersonalKeys;
  readonly clientKeys: ClientKeys;
}

export interface Vaults {
  readonly users: Vault;
  readonly clients: SecretVault;
  /** Opens sealed data for the projections. */
  readonly open: Unsealers;
}

/**
 * Creates the vaults that seal data with these keys.
 * @param mustHaveSpace throws if there is not enough disk space for a new key
 */
export function createVaults(
  { personalKeys, clientKeys }: SealKeys,
  entropy: Entropy,
  mustHaveSpace?: () => void,
): Vaults {
  const users = createVault(personalKeys, entropy, mustHaveSpace);
  const clients = createSecretVault(clientKeys, entropy, mustHaveSpace);
  return { users, clients, open: { users: users.tryUnseal, clients: clients.open } };
}

/** The keys, and reports of keys that are missing although data was sealed under them. */
export interface SealKeyWatch {
  readonly personalKeys: Pick<PersonalKeys, 'find'>;
  readonly clientKeys: Pick<ClientKeys, 'find'>;
  readonly lostKeys: LostAccountKeys;
  readonly lostClientKeys: LostClientKeys;
}

/** Checks for missing keys, and destroys keys that a crash left behind. Call this after the replay. */
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
