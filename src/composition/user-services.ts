import { createAccountExporter } from '../accounts/account-export.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { endedInvitationKeys } from '../accounts/invitation-keys.ts';
import { createInvitations } from '../accounts/invitations.ts';
import { createLoginSessions } from '../accounts/login-sessions.ts';
import type { LostAccountKeys } from '../accounts/lost-account-keys.ts';
import type { MailLinks } from '../accounts/mail-links.ts';
import type { Vault } from '../accounts/personal-data.ts';
import { createSetup } from '../accounts/setup.ts';
import type { LinkedAccounts } from '../accounts/upstream-accounts.ts';
import { createActivityDescriber } from '../audit/queries/own-activity.ts';
import type { Config } from '../config/config.ts';
import type { EpochSeconds } from '../domain/values.ts';
import type { EventLog } from '../event-store/event-log.ts';
import type { Emails } from '../language/emails.ts';
import { hashCredential, mintId } from '../oauth/credentials/credentials.ts';
import type { Keys } from '../platform/keys/keys.ts';
import type { PersonalKeys } from '../platform/keys/personal-keys.ts';
import type { Entropy } from '../platform/ports.ts';
import type { Projections } from '../projections/projections.ts';
import type { CommandHandlers } from './command-handlers.ts';

interface UserServiceDeps {
  readonly projections: Pick<
    Projections,
    | 'clients'
    | 'exchanges'
    | 'grants'
    | 'groups'
    | 'passkeys'
    | 'secondFactors'
    | 'sentInvitations'
    | 'sessions'
    | 'upstreamAccounts'
    | 'upstreamProviders'
    | 'users'
  >;
  readonly commands: Pick<CommandHandlers, 'invitations' | 'sessions'>;
  readonly log: EventLog;
  readonly accounts: Accounts;
  readonly linkedAccounts: Pick<LinkedAccounts, 'sessionBasis'>;
  readonly vault: Vault;
  readonly personalKeys: Pick<PersonalKeys, 'find'>;
  readonly lostKeys: Pick<LostAccountKeys, 'erase'>;
  readonly mailLinks: MailLinks;
  readonly emails: Emails;
  readonly keys: Pick<Keys, 'setup'>;
  readonly entropy: Entropy;
  readonly now: () => EpochSeconds;
  readonly issuer: () => string;
  readonly settings: Config;
}

/**
 * Creates the parts that manage sessions, invitations and the set-up link, and those that show users their activity and
 * export their data.
 */
export function createUserServices(deps: UserServiceDeps) {
  const { projections, commands, log, accounts, vault, entropy, now, issuer, settings } = deps;
  const { clients, exchanges, grants, groups, sentInvitations, sessions, upstreamProviders, users } = projections;
  return {
    loginSessions: createLoginSessions({
      commands: commands.sessions,
      sessions,
      vault,
      mintSessionId: () => mintId(entropy),
      hashSessionId: hashCredential,
      upstreamBasis: deps.linkedAccounts.sessionBasis,
      settings,
    }),
    describeActivity: createActivityDescriber({
      log,
      clients,
      exchanges,
      grants,
      groups,
      sessions,
      unseal: vault.tryUnseal,
    }),
    accountExport: createAccountExporter(projections, vault.tryUnseal),
    setup: createSetup(users, entropy, log.shared && deps.keys.setup),
    invitations: createInvitations({
      commands: commands.invitations,
      accounts,
      users,
      sentInvitations,
      providers: upstreamProviders,
      unneededKeyIds: () => endedInvitationKeys(sentInvitations, deps.personalKeys, now()),
      vault: { ...vault, erase: deps.lostKeys.erase },
      links: deps.mailLinks,
      emails: deps.emails,
      mintId: (source = entropy) => mintId(source),
      issuer,
      now,
    }),
  };
}
