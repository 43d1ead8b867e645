import { createHash } from 'node:crypto';
import type { Role } from '../domain/events.ts';
import {
  hasEnded,
  type InvitationCommand,
  type InvitationEvent,
  type InvitationRefusal,
  type InvitationState,
} from '../domain/invitation.ts';
import { invitationKeyId } from '../domain/invitation-keys.ts';
import { invitedLogin } from '../domain/invited-login.ts';
import { foldedEmail } from '../domain/user-name.ts';
import { isActiveAdministrator } from '../domain/roles.ts';
import { observedAccount, invitationStream } from '../domain/streams.ts';
import type { EpochSeconds, UserId } from '../domain/values.ts';
import type { CommandContext, CommandHandler, RequestMetadata } from '../event-store/command-handler.ts';
import type { StreamName } from '../event-store/event-log.ts';
import type { Once } from '../event-store/once.ts';
import type { Language } from '../language/languages.ts';
import type { Emails } from '../language/emails.ts';
import type { Entropy, PasswordHasher } from '../platform/ports.ts';
import type { SentInvitation, SentInvitations } from '../projections/sent-invitations.ts';
import type { UpstreamProvider, UpstreamProviders } from '../projections/upstream-providers.ts';
import type { User, Users } from '../projections/users.ts';
import { accountInvitationEmail } from './account-emails.ts';
import type { AccountErrors } from './account-problems.ts';
import type { Accounts } from './accounts.ts';
import { LINK_LIFETIMES, type MailLinks } from './mail-links.ts';
import type { Vault } from './personal-data.ts';

/** An invited address, and the roles of the account that will be created for it. */
export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly roles: readonly Role[];
  /** The administrator who sends the invitation; null for the operator or a client. */
  readonly invitedBy: UserId | null;
}

/** An invitation whose links still work, and its address. */
export interface PendingInvitation extends Omit<SentInvitation, 'sealed'> {
  readonly email: string;
}

export interface SentLink {
  readonly link: string;
  /** Whether the link is sent by e-mail; false if mail is off. */
  readonly isSent: boolean;
  /** In seconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Invitations to create an account. An invitation works once, for a week after it was last sent. It ends if it is
 * withdrawn, or if the administrator who last sent it loses that role or the account, even if the administrator regains
 * the role. It does not work while an account has verified the address.
 */
export interface Invitations {
  /**
   * Records the invitation, and sends a link to the address, if mail is on. Returns undefined if this invitation has
   * already ended, which is possible if a form is submitted again.
   * @param language the language of the page where the administrator entered the invitation
   * @param entropy the source of the id; the same if a form is submitted again
   */
  invite(
    invitation: Omit<Invitation, 'id'>,
    context: CommandContext,
    language?: Language | null,
    entropy?: Entropy,
  ): Promise<SentLink | undefined>;
  /**
   * Sends a new link, which works for a week. Earlier links keep their expiry. Returns undefined if the invitation has
   * ended.
   * @param invitedBy the administrator who sends it again; null for the operator or a client
   */
  resend(
    invitation: PendingInvitation,
    invitedBy: UserId | null,
    context: CommandContext,
    language?: Language | null,
  ): Promise<SentLink | undefined>;
  /** Invalidates all links of the invitation. Returns false if it had already ended. */
  withdraw(invitation: PendingInvitation, context: CommandContext): Promise<boolean>;
  /** Lists the invitations whose links still work, oldest first. Leaves out invitations from earlier releases. */
  listPending(): readonly PendingInvitation[];
  /** Returns the pending invitation with this number, if any. Does not decrypt other invitations. */
  findByNumber(number: string): PendingInvitation | undefined;
  /**
   * Returns the pending invitation that was last sent to the address, if any.
   * @param entropy the source of the id that `invite` uses for the same form. An invitation with this id is ignored,
   *   because it comes from an earlier submission of the form
   */
  findPending(email: string, entropy?: Entropy): PendingInvitation | undefined;
  /**
   * Returns the user who has verified the address, or undefined if nobody has. While an account has verified the
   * address, invitations to that address do not work.
   */
  findHolder(email: string): User | undefined;
  /**
   * Returns the invitation if its link has not expired, no account has verified the address, and this node does not
   * know that the invitation has ended.
   */
  open(token: string): Invitation | undefined;
  /**
   * Returns how a user who is invited at the address will log in: with a password, or through the returned provider.
   * Returns undefined if an invitation to the address could not be used, because passwords are off and no required
   * provider links the address.
   */
  loginFor(email: string): 'password' | UpstreamProvider | undefined;
  /**
   * Reports whether the invitation was accepted or withdrawn, or ended because its sender lost the role or the account.
   * May read the invitation's stream.
   */
  hasEnded(invitation: Invitation): Promise<boolean>;
  /**
   * Uses the invitation, and creates the account with a verified address. Returns undefined if the invitation has
   * ended.
   * @param account if its password is null, the user logs in through a provider that links verified addresses
   * @param request its `hasher` hashes the password before the invitation is used, because hashing can fail
   */
  accept(
    invitation: Invitation,
    account: { readonly username: string; readonly password: string | null },
    request: { readonly metadata: RequestMetadata; readonly once: Once; readonly hasher: Pick<PasswordHasher, 'hash'> },
  ): Promise<{ readonly user: User } | { readonly errors: AccountErrors } | undefined>;
  /** Destroys the keys that encrypt the addresses of invitations that have ended or expired. */
  forgetExpired(): Promise<void>;
}

const BY_SERVER = { actor: { kind: 'server' } } as const;

export function createInvitations(deps: {
  readonly commands: CommandHandler<InvitationCommand, InvitationState, InvitationEvent, InvitationRefusal>;
  readonly accounts: Pick<Accounts, 'validate' | 'importProblems' | 'importAccount' | 'verifyEmail'>;
  readonly users: Pick<Users, 'find' | 'findByVerifiedEmail'>;
  readonly sentInvitations: Pick<SentInvitations, 'all' | 'find' | 'hasEnded' | 'findByStream'>;
  readonly providers: Pick<UpstreamProviders, 'allEnabled'>;
  /** Returns the ids of the keys for invitations that have ended or expired. */
  readonly unneededKeyIds: () => readonly UserId[];
  readonly vault: Pick<Vault, 'createKey' | 'trySeal' | 'tryUnseal' | 'erase'>;
  readonly links: MailLinks;
  readonly emails: Pick<Emails, 'isOn' | 'send'>;
  readonly mintId: (entropy?: Entropy) => string;
  readonly issuer: () => string;
  /** Seconds since the epoch. */
  readonly now: () => number;
}): Invitations {
  const { commands, accounts, users, sentInvitations, vault, links, emails, mintId, issuer, now } = deps;

  /**
   * Returns the administrator who sent the invitation, null if the operator or a client sent it, or undefined if the
   * sender is no longer an active administrator.
   */
  function findInviter({ invitedBy }: Pick<Invitation, 'invitedBy'>): User | null | undefined {
    if (invitedBy === null) return null;
    const inviter = users.find(invitedBy);
    return inviter !== undefined && isActiveAdministrator(inviter) ? inviter : undefined;
  }

  const findHolder: Invitations['findHolder'] = (email) => users.findByVerifiedEmail(email);

  /**
   * Returns the accounts that the invitation depends on: the administrator who sent this link, and the administrator
   * who last sent the invitation. Returns undefined if the invitation has ended.
   */
  function findInviters(invitation: Invitation): readonly User[] | undefined {
    const stream = streamOf(invitation);
    const lastInvitation = sentInvitations.findByStream(stream) ?? invitation;
    const inviters = [findInviter(invitation), findInviter(lastInvitation)];
    const isValid = !sentInvitations.hasEnded(stream) && !inviters.includes(undefined);
    return isValid ? inviters.flatMap((inviter) => inviter ?? []) : undefined;
  }

  const loginFor: Invitations['loginFor'] = (email) => invitedLogin(email, deps.providers.allEnabled());

  function sendMail(email: string, url: string, language: Language | null): void {
    const text = accountInvitationEmail({ server: new URL(issuer()).host }, url);
    emails.send({ email }, text, language);
  }

  /**
   * Records that the invitation was sent, then sends the link, so that `listPending` includes the invitation before the
   * link can be used. Returns the link, or undefined if the invitation has ended.
   */
  async function send(
    invitation: Invitation,
    timesSent: number,
    context: CommandContext,
    language: Language | null,
  ): Promise<SentLink | undefined> {
    const { id, email, roles, invitedBy } = invitation;
    const stream = streamOf(invitation);
    const sealed = vault.trySeal(invitationKeyId(stream), { email, invitationId: id });
    if (sealed === undefined) return undefined;
    const sentAt = now();
    const expiresAt = (sentAt + LINK_LIFETIMES.invitation) as EpochSeconds;
    const command = { type: 'SendInvitation', invitation: { invitedBy, sealed, roles, expiresAt }, timesSent } as const;
    const { refusal, events } = await commands.execute(stream, command, context);
    if (refusal !== undefined) return undefined;
    const link = `${issuer()}/accounts/invitation/?token=${links.seal('invitation', invitation, sentAt)}`;
    if (emails.isOn && events.length > 0) sendMail(email, link, language);
    return { link, isSent: emails.isOn, expiresAt };
  }

  async function isEnded(invitation: Invitation): Promise<boolean> {
    const stream = streamOf(invitation);
    return sentInvitations.hasEnded(stream) || hasEnded(await commands.state(stream));
  }

  const unseal = ({ stream, sealed }: SentInvitation) => vault.tryUnseal(invitationKeyId(stream), sealed);

  /** Returns the pending invitation, or undefined if its links no longer work. */
  function toPending(sentInvitation: SentInvitation): PendingInvitation | undefined {
    if (sentInvitation.expiresAt <= now()) return undefined;
    const email = unseal(sentInvitation)?.email ?? '';
    const { sealed: _sealed, ...rest } = sentInvitation;
    const isUsable = findInviter(sentInvitation) !== undefined && findHolder(email) === undefined;
    return isUsable ? { ...rest, email } : undefined;
  }

  const listPending = (): readonly PendingInvitation[] =>
    sentInvitations.all().flatMap((sentInvitation) => toPending(sentInvitation) ?? []);

  return {
    async invite(fields, context, language = null, entropy) {
      const invitation: Invitation = { ...fields, id: mintId(entropy) };
      if (await isEnded(invitation)) return undefined;
      await vault.createKey(invitationKeyId(streamOf(invitation)));
      return send(invitation, 0, context, language);
    },

    async resend({ id, email, roles, times }, invitedBy, context, language = null) {
      const sentInvitation = sentInvitations.find(id);
      const invitationId = sentInvitation && unseal(sentInvitation)?.invitationId;
      if (invitationId === undefined) return undefined;
      return send({ id: invitationId, email, roles, invitedBy }, times, context, language);
    },

    async withdraw({ stream }, context) {
      const { refusal } = await commands.execute(stream, { type: 'WithdrawInvitation' }, context);
      if (refusal === undefined) await vault.erase(invitationKeyId(stream));
      return refusal === undefined;
    },

    listPending,

    findByNumber(number) {
      const sentInvitation = sentInvitations.all().find(({ id }) => String(id) === number);
      return sentInvitation && toPending(sentInvitation);
    },

    findPending(email, entropy) {
      const foldedAddress = foldedEmail(email);
      const ignoredStream = entropy && streamOf({ id: mintId(entropy) });
      return listPending().findLast(
        (invitation) => foldedEmail(invitation.email) === foldedAddress && invitation.stream !== ignoredStream,
      );
    },

    findHolder,

    open(token) {
      const invitation = links.open('invitation', token, now()) as Invitation | undefined;
      if (invitation === undefined || findInviters(invitation) === undefined) return undefined;
      return findHolder(invitation.email) === undefined ? invitation : undefined;
    },

    loginFor,
    hasEnded: isEnded,

    async accept(invitation, { username, password }, { metadata, once, hasher }) {
      const { email, roles, invitedBy } = invitation;
      const details = { username, email, roles };
      const errors = password === null ? accounts.importProblems(details) : accounts.validate({ ...details, password });
      if (errors !== undefined) return { errors };
      const passwordHash = password === null ? null : await hasher.hash(password);
      const inviters = findInviters(invitation);
      if (inviters === undefined) return undefined;
      const context = { ...BY_SERVER, ...metadata, basedOn: inviters.map(observedAccount) };
      const stream = streamOf(invitation);
      const command = { type: 'AcceptInvitation', invitedBy } as const;
      const { refusal } = await once(['invitation', invitation.id], () => commands.execute(stream, command, context));
      if (refusal !== undefined) return undefined;
      await vault.erase(invitationKeyId(stream));
      const account = { ...details, password: { hash: passwordHash }, active: true };
      const result = await accounts.importAccount(account, context);
      if ('user' in result) await accounts.verifyEmail(result.user, { ...BY_SERVER, ...metadata });
      return result;
    },

    async forgetExpired() {
      for (const keyId of deps.unneededKeyIds()) await vault.erase(keyId);
    },
  };
}

function streamOf({ id }: Pick<Invitation, 'id'>): StreamName {
  return invitationStream(createHash('sha256').update(id).digest('base64url'));
}
