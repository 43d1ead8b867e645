import { accept, refuse, type Decider } from '../event-store/decider.ts';
import type { EventOf } from './events.ts';
import type { UserId } from './values.ts';

/** The event of the stream invitation-<hash>. A stream is created once, so an invitation creates one account. */
export type InvitationEvent = EventOf<'InvitationAccepted'>;

export interface AcceptInvitation {
  readonly type: 'AcceptInvitation';
  readonly invitedBy: UserId | null;
}

export interface InvitationState {
  readonly isUsed: boolean;
}

export const invitation: Decider<AcceptInvitation, InvitationState, InvitationEvent, 'invitation-used'> = {
  initial: { isUsed: false },
  decide: ({ invitedBy }, { isUsed }) =>
    isUsed ? refuse('invitation-used') : accept<InvitationEvent>({ type: 'InvitationAccepted', data: { invitedBy } }),
  evolve: () => ({ isUsed: true }),
};
