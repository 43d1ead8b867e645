import { createHash } from 'node:crypto';
import type { Role } from '../domain/events.ts';
import type { AcceptInvitation, InvitationEvent, InvitationState } from '../domain/invitation.ts';
import { canAdminister } from '../domain/roles.ts';
import { accountAsRead, invitationStream } from '../domain/streams.ts';
import type { UserId } from '../domain/values.ts';
import type { CommandHandler, RequestMetadata } from '../event-store/command-handler.ts';
import type { StreamName } from '../event-store/event-log.ts';
import type { Once } from '../event-store/once.ts';
import type { Language } from '../language/languages.ts';
import type { Letters } from '../language/letters.ts';
import type { PasswordHasher } from '../platform/ports.ts';
import type { User, Users } from '../projections/users.ts';
import { accountInvitationLetter } from './account-letters.ts';
import type { AccountErrors } from './account-problems.ts';
import type { Accounts } from './accounts.ts';
import { LINK_LIFETIMES, type MailLinks } from './mail-links.ts';

/** The invited address and its roles. */
export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly roles: readonly Role[];
  /** The administrator who invites; null for the operator. */
  readonly invitedBy: UserId | null;
}

export interface SentInvitation {
  readonly link: string;
  readonly isSent: boolean;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Invitations to create an account. Sending one writes no event. It works once, for a week, unless the administrator
 * loses that role or the account first, or another account verifies the address.
 */
export interface Invitations {
  /**
   * Sends a link to the address, if mails are on.
   * @param language the language of the page of the administrator who invites
   */
  invite(invitation: Omit<Invitation, 'id'>, language?: Language | null): SentInvitation;
  /** The user who has verified the address. Nobody could use an invitation that was sent there. */
  findHolder(email: string): User | undefined;
  /** The invitation, if its link has not expired or been withdrawn. */
  open(token: string): Invitation | undefined;
  isUsed(invitation: Invitation): Promise<boolean>;
  /**
   * Uses the invitation, and creates the account with a verified address. Undefined if it was used before.
   * @param account without a password, the user logs in through a provider that links verified addresses
   * @param hasher hashes the password before the invitation is used, because that can fail
   */
  accept(
    invitation: Invitation,
    account: { readonly username: string; readonly password: string | null },
    request: { readonly metadata: RequestMetadata; readonly once: Once; readonly hasher: Pick<PasswordHasher, 'hash'> },
  ): Promise<{ readonly user: User } | { readonly errors: AccountErrors } | undefined>;
}

const BY_SERVER = { actor: { kind: 'server' } } as const;

export function createInvitations(parts: {
  readonly commands: CommandHandler<AcceptInvitation, InvitationState, InvitationEvent, 'invitation-used'>;
  readonly accounts: Pick<Accounts, 'validate' | 'importProblems' | 'importAccount' | 'verifyEmail'>;
  readonly users: Pick<Users, 'find' | 'findByVerifiedEmail'>;
  readonly links: MailLinks;
  readonly letters: Pick<Letters, 'isOn' | 'send'>;
  readonly mintId: () => string;
  readonly issuer: () => string;
  /** Seconds since the epoch. */
  readonly now: () => number;
}): Invitations {
  const { commands, accounts, users, links, letters, mintId, issuer, now } = parts;

  /** The administrator who invited; null for the operator, undefined if the invitation is withdrawn. */
  function inviterOf({ invitedBy }: Invitation): User | null | undefined {
    if (invitedBy === null) return null;
    const inviter = users.find(invitedBy);
    return inviter !== undefined && canAdminister(inviter) ? inviter : undefined;
  }

  function sendMail(email: string, url: string, language: Language | null): void {
    const letter = accountInvitationLetter({ server: new URL(issuer()).host }, url);
    letters.send({ email }, letter, language);
  }

  return {
    invite(invited, language = null) {
      const content: Invitation = { ...invited, id: mintId() };
      const link = `${issuer()}/accounts/invitation/?token=${links.seal('invitation', content, now())}`;
      if (letters.isOn) sendMail(invited.email, link, language);
      return { link, isSent: letters.isOn, expiresAt: now() + LINK_LIFETIMES.invitation };
    },

    findHolder: (email) => users.findByVerifiedEmail(email),

    open(token) {
      const invitation = links.open('invitation', token, now()) as Invitation | undefined;
      if (invitation === undefined || inviterOf(invitation) === undefined) return undefined;
      return users.findByVerifiedEmail(invitation.email) === undefined ? invitation : undefined;
    },

    isUsed: async (invitation) => (await commands.state(streamOf(invitation))).isUsed,

    async accept(invitation, { username, password }, { metadata, once, hasher }) {
      const { email, roles, invitedBy } = invitation;
      const details = { username, email, roles };
      const errors = password === null ? accounts.importProblems(details) : accounts.validate({ ...details, password });
      if (errors !== undefined) return { errors };
      const passwordHash = password === null ? null : await hasher.hash(password);
      const inviter = inviterOf(invitation);
      if (inviter === undefined) return undefined;
      const context = { ...BY_SERVER, ...metadata, basedOn: inviter === null ? [] : [accountAsRead(inviter)] };
      const command = { type: 'AcceptInvitation', invitedBy } as const;
      const use = () => commands.execute(streamOf(invitation), command, context);
      const { refusal } = await once(['invitation', invitation.id], use);
      if (refusal !== undefined) return undefined;
      const account = { ...details, password: { hash: passwordHash }, active: true };
      const created = await accounts.importAccount(account, context);
      if ('user' in created) await accounts.verifyEmail(created.user, { ...BY_SERVER, ...metadata });
      return created;
    },
  };
}

function streamOf({ id }: Invitation): StreamName {
  return invitationStream(createHash('sha256').update(id).digest('base64url'));
}
