import { createAccounts } from '../accounts/accounts.ts';
import { createAdministratorLogins } from '../accounts/administrator-logins.ts';
import { createConstantWorkVerifier } from '../accounts/constant-work-verifier.ts';
import { createGroupDirectory } from '../accounts/group-directory.ts';
import { createAdministratorKeeper } from '../accounts/last-administrator.ts';
import type { LostAccountKeys } from '../accounts/lost-account-keys.ts';
import type { Vault } from '../accounts/personal-data.ts';
import { relyingPartyFor } from '../accounts/relying-party.ts';
import type { GroupId, UserId } from '../domain/values.ts';
import type { Position } from '../event-store/event-log.ts';
import { mintId } from '../oauth/credentials/credentials.ts';
import { createPasswordHashing } from '../platform/hashing/password-hashing.ts';
import type { Keys } from '../platform/keys/keys.ts';
import type { Clock, Entropy, PasswordHasher } from '../platform/ports.ts';
import type { Projections } from '../projections/projections.ts';
import type { CommandHandlers } from './command-handlers.ts';

/**
 * Creates the parts that manage accounts and groups, and the check that at least one administrator can still log in.
 * Changes made through `silentAccounts` send no e-mails.
 */
export function createAccountParts(deps: {
  readonly projections: Pick<Projections, 'users' | 'passkeys' | 'upstreamAccounts' | 'upstreamProviders' | 'groups'>;
  readonly commands: Pick<CommandHandlers, 'users' | 'groups'>;
  readonly vault: Vault;
  readonly lostKeys: Pick<LostAccountKeys, 'erase'>;
  readonly keys: Pick<Keys, 'names'>;
  readonly hasher: PasswordHasher;
  readonly entropy: Entropy;
  readonly clock: Clock;
  readonly issuer: () => string;
  readonly position: () => Position;
}) {
  const { projections, commands, vault, hasher, entropy, issuer } = deps;
  const { users } = projections;
  const hashing = createPasswordHashing(hasher, deps.clock.ticks);
  const administratorLogins = createAdministratorLogins({
    users,
    passkeys: projections.passkeys,
    links: projections.upstreamAccounts,
    providers: projections.upstreamProviders,
    issuerOf: ({ userId, sealed }) => vault.tryUnseal(userId, sealed)?.upstream?.issuer,
    offersPasskeys: () => relyingPartyFor(issuer()) !== undefined,
  });
  const keepAnAdministrator = createAdministratorKeeper(administratorLogins);
  const silentAccounts = createAccounts({
    commands: commands.users,
    users,
    vault: { ...vault, erase: deps.lostKeys.erase },
    hashing,
    position: deps.position,
    mintUserId: () => mintId<UserId>(entropy),
    namesKey: deps.keys.names,
    keepAnAdministrator,
    verifier: createConstantWorkVerifier({ hasher, entropy, maxIterations: users.maxIterations }),
  });
  const groupDirectory = createGroupDirectory({
    groupCommands: commands.groups,
    userCommands: commands.users,
    groups: projections.groups,
    mintGroupId: () => mintId<GroupId>(entropy),
  });
  return { hashing, administratorLogins, keepAnAdministrator, silentAccounts, groupDirectory };
}
