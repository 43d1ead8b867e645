import { accept, noChange, refuse, type Decider, type Decision } from '../event-store/decider.ts';
import type { LogoImage } from './logo.ts';
import type { EventOf, RecordableSecret, SealedSecretHash } from './events.ts';
import { mergeDocumentSettings } from './document-settings.ts';
import { isOwner, ownersOf, roleOf, withMember, withoutMember, type Member } from './members.ts';
import { isSameValue } from './same-value.ts';
import { unreachable, type CredentialHash, type EpochSeconds, type MemberRole, type UserId } from './values.ts';

/** The events of the stream client-<id>: the life of one client (RFC 6749 §2). */
export type ClientEvent = EventOf<
  | 'ClientRegistered'
  | 'ClientUpdated'
  | 'ClientLogoChanged'
  | 'ClientSecretRotated'
  | 'ClientSecretRehashed'
  | 'ClientRemoved'
  | 'ClientDisabled'
  | 'ClientEnabled'
  | 'ClientMemberAdded'
  | 'ClientMemberRemoved'
  | 'ClientInvitationsWithdrawn'
  | 'ClientDocumentAccepted'
>;
export type ClientSettings = EventOf<'ClientUpdated'>['data'];

/** A registration with a kind of secret hash that new events may contain. */
export type ClientRegistration = Omit<EventOf<'ClientRegistered'>['data'], 'secret'> & {
  readonly secret: RecordableSecret | null;
};

export type ClientCommand =
  | { readonly type: 'RegisterClient'; readonly registration: ClientRegistration }
  /**
   * Does nothing if this is the document that was last accepted for the client. Keeps the settings that the operator
   * controls.
   */
  | { readonly type: 'AcceptDocument'; readonly acceptance: EventOf<'ClientDocumentAccepted'>['data'] }
  /** Does nothing if no setting changes. */
  | { readonly type: 'UpdateClient'; readonly settings: ClientSettings }
  /** Null removes the logo. */
  | { readonly type: 'ChangeClientLogo'; readonly image: LogoImage | null }
  /** Does nothing if the client already has this secret, as when the request is sent twice. */
  | {
      readonly type: 'RotateClientSecret';
      readonly secret: Exclude<RecordableSecret, SealedSecretHash>;
      readonly now: EpochSeconds;
      readonly previousUntil: EpochSeconds | null;
    }
  /** Does nothing if the secret or its hash has changed since registration. */
  | { readonly type: 'RehashClientSecret'; readonly secret: SealedSecretHash }
  | { readonly type: 'RemoveClient' }
  /** Does nothing if the client is already in that state. */
  | { readonly type: 'DisableClient' | 'EnableClient' }
  /** Does nothing if the user already has the role or is an owner. */
  | { readonly type: 'AddMember'; readonly userId: UserId; readonly role: MemberRole }
  /** Does nothing if the user has already accepted the invitation and still has its role. */
  | { readonly type: 'AcceptInvitation'; readonly userId: UserId; readonly invitation: Invitation }
  /** Does nothing if the user is not a member. */
  | { readonly type: 'RemoveMember'; readonly userId: UserId }
  | { readonly type: 'WithdrawInvitations'; readonly role: MemberRole };

/** The content of an invitation link that has not expired. Later events can invalidate the invitation. */
export interface Invitation {
  readonly hash: CredentialHash;
  readonly role: MemberRole;
  /** The owner who created the invitation. */
  readonly inviterId: UserId;
  /** The number of events in the client's stream when the invitation was created. */
  readonly createdAt: number;
}

type StoredSecret = NonNullable<EventOf<'ClientRegistered'>['data']['secret']>;

export type ClientRefusal =
  | 'client-id-taken'
  | 'client-unknown'
  | 'last-owner'
  | 'already-member'
  | 'invitation-used'
  /** The invitation was withdrawn, or its creator is no longer an owner. */
  | 'invitation-withdrawn';

interface JoinedMember extends Member {
  /** The number of events in the stream before the user got the current role. */
  readonly joinedAt: number;
}

export interface ClientState {
  readonly status: 'absent' | 'registered' | 'removed';
  /** Whether the hash of the secret has not changed since registration. */
  readonly hasOriginalHash: boolean;
  readonly hasLogo: boolean;
  readonly isDisabled: boolean;
  /** The hash of the document that describes the client; null if the client is registered on this server. */
  readonly documentHash: CredentialHash | null;
  /** Null unless the status is `registered`. */
  readonly settings: ClientSettings | null;
  /** Null if the client has no secret or has been removed. */
  readonly secret: StoredSecret | null;
  /** Includes users whose accounts have been erased, because erasures are recorded in other streams. */
  readonly members: readonly JoinedMember[];
  /** The number of events in the stream. */
  readonly eventCount: number;
  /** The accepted invitations, with the users who accepted them. */
  readonly acceptedInvitations: readonly { readonly hash: CredentialHash; readonly userId: UserId }[];
  /** The `eventCount` after the latest withdrawal of the invitations to each role; 0 before the first withdrawal. */
  readonly withdrawnAt: Readonly<Record<MemberRole, number>>;
}

const ABSENT: ClientState = {
  status: 'absent',
  hasOriginalHash: false,
  hasLogo: false,
  isDisabled: false,
  documentHash: null,
  settings: null,
  secret: null,
  members: [],
  eventCount: 0,
  acceptedInvitations: [],
  withdrawnAt: { owner: 0, 'test-user': 0 },
};

export const client: Decider<ClientCommand, ClientState, ClientEvent, ClientRefusal> = {
  initial: ABSENT,
  decidedAt: (command) => (command.type === 'RotateClientSecret' ? command.now : undefined),

  decide(command, state): Decision<ClientEvent, ClientRefusal> {
    const { status, hasOriginalHash, hasLogo, isDisabled, secret, members } = state;
    if (command.type === 'RegisterClient') {
      // The id contains the registration or is random, so the same id means the same registration.
      if (status === 'registered' && command.registration.selfRegistered !== undefined) return noChange;
      // A removed client's id stays taken, so that its grants never pass to another client.
      if (status !== 'absent') return refuse('client-id-taken');
      return accept<ClientEvent>({ type: 'ClientRegistered', data: command.registration });
    }
    if (command.type === 'AcceptDocument') return acceptDocument(command, state);
    if (command.type === 'RemoveClient' && status === 'removed') return noChange;
    if (status !== 'registered') return refuse('client-unknown');
    switch (command.type) {
      case 'UpdateClient':
        if (isSameValue(state.settings, command.settings)) return noChange;
        return accept<ClientEvent>({ type: 'ClientUpdated', data: command.settings });
      case 'ChangeClientLogo':
        if (command.image === null && !hasLogo) return noChange;
        return accept<ClientEvent>({ type: 'ClientLogoChanged', data: { image: command.image } });
      case 'RotateClientSecret':
        if (isSameSecret(secret, command.secret)) return noChange;
        return accept<ClientEvent>({
          type: 'ClientSecretRotated',
          data: { secret: command.secret, previousUntil: command.previousUntil },
        });
      case 'RehashClientSecret':
        return hasOriginalHash
          ? accept<ClientEvent>({ type: 'ClientSecretRehashed', data: { secret: command.secret } })
          : noChange;
      case 'RemoveClient':
        return accept<ClientEvent>({ type: 'ClientRemoved', data: {} });
      case 'DisableClient':
        return isDisabled ? noChange : accept<ClientEvent>({ type: 'ClientDisabled', data: {} });
      case 'EnableClient':
        return isDisabled ? accept<ClientEvent>({ type: 'ClientEnabled', data: {} }) : noChange;
      case 'AddMember': {
        const { userId, role } = command;
        if (hasRole(state, userId, role)) return noChange;
        return accept<ClientEvent>({ type: 'ClientMemberAdded', data: { userId, role, invitation: null } });
      }
      case 'AcceptInvitation':
        return acceptInvitation(command, state);
      case 'RemoveMember': {
        const { userId } = command;
        const role = roleOf(state, userId);
        if (role === undefined) return noChange;
        if (role === 'owner' && ownersOf({ members }).length === 1) return refuse('last-owner');
        return accept<ClientEvent>({ type: 'ClientMemberRemoved', data: { userId, role } });
      }
      case 'WithdrawInvitations':
        return accept<ClientEvent>({ type: 'ClientInvitationsWithdrawn', data: { role: command.role } });
      default:
        return unreachable(command);
    }
  },

  evolve(state, event) {
    return { ...evolve(state, event), eventCount: state.eventCount + 1 };
  },
};

function evolve(state: ClientState, { type, data }: ClientEvent): ClientState {
  switch (type) {
    case 'ClientRegistered': {
      const { clientId: _id, ownerId, secret, selfRegistered: _selfRegistered, ...settings } = data;
      const members = ownerId === null ? [] : [{ userId: ownerId, role: 'owner', joinedAt: state.eventCount } as const];
      return { ...ABSENT, status: 'registered', hasOriginalHash: true, secret, settings, members };
    }
    case 'ClientDocumentAccepted': {
      const { clientId: _id, hash, document: _document, ...settings } = data;
      return { ...state, status: 'registered', documentHash: hash, settings };
    }
    case 'ClientUpdated':
      return { ...state, settings: data };
    case 'ClientLogoChanged':
      return { ...state, hasLogo: data.image !== null };
    case 'ClientSecretRotated':
    case 'ClientSecretRehashed':
      return { ...state, hasOriginalHash: false, secret: data.secret };
    case 'ClientRemoved':
      return { ...ABSENT, status: 'removed' };
    case 'ClientDisabled':
    case 'ClientEnabled':
      return { ...state, isDisabled: type === 'ClientDisabled' };
    case 'ClientMemberAdded': {
      const { userId, role, invitation } = data;
      const members = withMember(state.members, { userId, role, joinedAt: state.eventCount });
      const acceptedInvitations =
        invitation === null
          ? state.acceptedInvitations
          : [...state.acceptedInvitations, { hash: invitation.hash, userId }];
      return { ...state, members, acceptedInvitations };
    }
    case 'ClientMemberRemoved':
      return { ...state, members: withoutMember(state.members, data.userId) };
    case 'ClientInvitationsWithdrawn':
      return { ...state, withdrawnAt: { ...state.withdrawnAt, [data.role]: state.eventCount + 1 } };
    default:
      return unreachable(type);
  }
}

/**
 * Decides whether to record the document. A document cannot take over a client that was registered on this server, even
 * if the client's id is the document's URL.
 */
function acceptDocument(
  { acceptance }: Extract<ClientCommand, { readonly type: 'AcceptDocument' }>,
  { status, documentHash, settings: currentSettings }: ClientState,
): Decision<ClientEvent, ClientRefusal> {
  if (status === 'removed' || (status === 'registered' && documentHash === null)) return refuse('client-id-taken');
  if (documentHash === acceptance.hash) return noChange;
  const { clientId, hash, document, ...documentSettings } = acceptance;
  const settings =
    currentSettings === null ? documentSettings : mergeDocumentSettings(documentSettings, currentSettings);
  return accept<ClientEvent>({ type: 'ClientDocumentAccepted', data: { clientId, hash, document, ...settings } });
}

/** Reports whether the user has the role. Owners have both roles: they can do everything that test users can. */
function hasRole(state: ClientState, userId: UserId, role: MemberRole): boolean {
  return isOwner(state, userId) || roleOf(state, userId) === role;
}

function acceptInvitation(
  { userId, invitation }: Extract<ClientCommand, { readonly type: 'AcceptInvitation' }>,
  state: ClientState,
): Decision<ClientEvent, ClientRefusal> {
  const { hash, role, inviterId } = invitation;
  const earlierAcceptance = state.acceptedInvitations.find((entry) => entry.hash === hash);
  if (earlierAcceptance?.userId === userId && hasRole(state, userId, role)) return noChange; // a resubmitted form
  const refusal = invitationRefusal(invitation, state);
  if (refusal !== undefined) return refuse(refusal);
  if (hasRole(state, userId, role)) return refuse('already-member');
  return accept<ClientEvent>({
    type: 'ClientMemberAdded',
    data: { userId, role, invitation: { hash, by: inviterId } },
  });
}

/**
 * Returns why the invitation can no longer be accepted, or undefined if it is valid. If a removed owner becomes an
 * owner again, earlier invitations stay invalid.
 */
export function invitationRefusal(
  { hash, role, inviterId, createdAt }: Invitation,
  { acceptedInvitations, members, withdrawnAt, status }: ClientState,
): 'client-unknown' | 'invitation-used' | 'invitation-withdrawn' | undefined {
  if (status !== 'registered') return 'client-unknown';
  if (acceptedInvitations.some((entry) => entry.hash === hash)) return 'invitation-used';
  const inviter = ownersOf({ members }).find(({ userId }) => userId === inviterId);
  const isValid = inviter !== undefined && inviter.joinedAt < createdAt && withdrawnAt[role] <= createdAt;
  return isValid ? undefined : 'invitation-withdrawn';
}

/**
 * Reports whether both hashes are of the same generated secret. Returns false for other secrets, because their hashes
 * are salted and cannot be compared.
 */
export function isSameSecret(left: StoredSecret | null, right: StoredSecret | null): boolean {
  return left?.algorithm === 'sha256' && right?.algorithm === 'sha256' && left.hash === right.hash;
}
