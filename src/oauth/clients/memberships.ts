import {
  invitationRefusal,
  type ClientCommand,
  type ClientEvent,
  type ClientRefusal,
  type ClientState,
} from '../../domain/client.ts';
import { ownersOf, roleOf } from '../../domain/members.ts';
import { observedAccount, observedClient, clientStream } from '../../domain/streams.ts';
import type { EpochSeconds, MemberRole, UserId } from '../../domain/values.ts';
import type { CommandContext, CommandHandler } from '../../event-store/command-handler.ts';
import type { ObservedRevision } from '../../event-store/event-log.ts';
import type { Client, Clients } from '../../projections/clients.ts';
import type { User, Users } from '../../projections/users.ts';
import type { InvitationSeal, InvitationContent } from './invitation-seal.ts';

/** Why a change or an invitation was refused. */
export type MembershipRefusal = Exclude<ClientRefusal, 'client-id-taken'> | 'too-many-members' | 'invitation-expired';

/** An invitation that a user can accept, along with its client and its creator. */
export interface OpenedInvitation {
  readonly content: InvitationContent;
  readonly client: Client;
  readonly inviter: User;
}

/**
 * Manages the owners and test users of clients. Each change is based on the accounts and the client that were read, so
 * that no concurrent removal is overlooked.
 * @throws DecisionOutdated if an account or the client has changed since it was read
 */
export interface Memberships {
  /**
   * Gives the user the role. Returns the refusal, or undefined if the role was given. The caller must check that the
   * actor is an administrator or the operator.
   */
  add(client: Client, user: User, role: MemberRole, context: CommandContext): Promise<MembershipRefusal | undefined>;
  /**
   * Removes the member. Returns the refusal, or undefined if the member was removed. An owner can be removed only if
   * another owner has an active account.
   */
  remove(client: Client, userId: UserId, context: CommandContext): Promise<MembershipRefusal | undefined>;
  /** Returns, for each role, a number that increases whenever the invitations for the role are withdrawn. */
  withdrawals(client: Client): Promise<Readonly<Record<MemberRole, number>>>;
  /** Withdraws all pending invitations for the role. */
  withdrawInvitations(client: Client, role: MemberRole, context: CommandContext): Promise<void>;
  /** Returns the sealed content of an invitation link that works once and expires after seven days. Records nothing. */
  invite(client: Client, role: MemberRole, inviterId: UserId): Promise<string>;
  /** Returns the invitation, or undefined if this server did not create it. */
  readInvitation(sealedContent: string): InvitationContent | undefined;
  /** Returns the invitation with its client and creator, or the reason why the user cannot accept it. */
  openInvitation(content: InvitationContent, userId: UserId): Promise<OpenedInvitation | MembershipRefusal>;
  /** Gives the role to the user who accepts the invitation. Returns the refusal, or undefined if the role was given. */
  accept(invitation: OpenedInvitation, user: User, context: CommandContext): Promise<MembershipRefusal | undefined>;
}

/** The lifetime of an invitation: a week. */
const INVITATION_LIFETIME_SECONDS = 604_800;

/** The maximum number of members in each role. More test users would amount to a public release. */
const MAX_MEMBERS: Readonly<Record<MemberRole, number>> = { owner: 20, 'test-user': 100 };

export function createMemberships(deps: {
  readonly commands: CommandHandler<ClientCommand, ClientState, ClientEvent, ClientRefusal>;
  readonly clients: Pick<Clients, 'find'>;
  readonly users: Pick<Users, 'find'>;
  readonly seal: InvitationSeal;
  readonly now: () => EpochSeconds;
}): Memberships {
  const { commands, clients, users, seal, now } = deps;

  async function execute(
    client: Client,
    command: ClientCommand,
    context: CommandContext,
    ...observedUsers: readonly User[]
  ): Promise<MembershipRefusal | undefined> {
    const observedRevisions: readonly ObservedRevision[] = [
      observedClient(client),
      ...observedUsers.map(observedAccount),
    ];
    const basedOn = [...(context.basedOn ?? []), ...observedRevisions];
    const { refusal } = await commands.execute(clientStream(client.clientId), command, { ...context, basedOn });
    return refusal as MembershipRefusal | undefined;
  }

  return {
    async add(client, user, role, context) {
      const currentRole = roleOf(client, user.userId);
      if (currentRole !== role && isFull(client, role)) return 'too-many-members';
      return execute(client, { type: 'AddMember', userId: user.userId, role }, context, user);
    },

    async remove(client, userId, context) {
      const command = { type: 'RemoveMember', userId } as const;
      if (roleOf(client, userId) !== 'owner') return execute(client, command, context);
      const remainingOwner = findOtherActiveOwner(client, userId, users);
      return remainingOwner === undefined ? 'last-owner' : execute(client, command, context, remainingOwner);
    },

    withdrawals: async ({ clientId }) => (await commands.state(clientStream(clientId))).withdrawnAt,

    async withdrawInvitations(client, role, context) {
      await execute(client, { type: 'WithdrawInvitations', role }, context);
    },

    async invite({ clientId }, role, inviterId) {
      const { eventCount } = await commands.state(clientStream(clientId));
      const expiresAt = (now() + INVITATION_LIFETIME_SECONDS) as EpochSeconds;
      return seal.seal({ clientId, role, inviterId, createdAt: eventCount, expiresAt });
    },

    readInvitation: seal.open,

    async openInvitation(content, userId) {
      const client = clients.find(content.clientId);
      if (client === undefined) return 'client-unknown';
      const refusal = invitationRefusal(content, await commands.state(clientStream(content.clientId)));
      const inviter = users.find(content.inviterId);
      if (refusal === 'invitation-used') return refusal;
      if (now() >= content.expiresAt) return 'invitation-expired';
      if (refusal !== undefined || inviter?.active !== true) return refusal ?? 'invitation-withdrawn';
      const currentRole = roleOf(client, userId);
      if (currentRole === 'owner' || currentRole === content.role) return 'already-member';
      return isFull(client, content.role) ? 'too-many-members' : { content, client, inviter };
    },

    accept({ content: { hash, role, inviterId, createdAt }, client, inviter }, user, context) {
      const invitation = { hash, role, inviterId, createdAt };
      return execute(client, { type: 'AcceptInvitation', userId: user.userId, invitation }, context, user, inviter);
    },
  };
}

/** Returns another owner with an active account, or undefined if no other owner has one. */
export function findOtherActiveOwner(client: Client, userId: UserId, users: Pick<Users, 'find'>): User | undefined {
  const otherOwners = ownersOf(client).filter((owner) => owner.userId !== userId);
  return otherOwners.map((owner) => users.find(owner.userId)).find((user) => user?.active === true);
}

function isFull({ members }: Client, role: MemberRole): boolean {
  return members.filter((member) => member.role === role).length >= MAX_MEMBERS[role];
}
