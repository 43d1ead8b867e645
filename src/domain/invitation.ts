import { accept, noChange, refuse, type Decider } from '../event-store/decider.ts';
import type { EventOf } from './events.ts';
import { unreachable, type UserId } from './values.ts';

/**
 * The events of the stream invitation-<hash>. An invitation can be accepted only once, so it creates at most one
 * account. It cannot be accepted once it has been withdrawn.
 */
export type InvitationEvent = EventOf<'InvitationSent' | 'InvitationWithdrawn' | 'InvitationAccepted'>;

export type InvitationCommand =
  /**
   * Sends the invitation, for the first time or again. Does nothing unless the invitation has been sent exactly
   * `timesSent` times.
   */
  | {
      readonly type: 'SendInvitation';
      readonly invitation: EventOf<'InvitationSent'>['data'];
      readonly timesSent: number;
    }
  | { readonly type: 'WithdrawInvitation' }
  | { readonly type: 'AcceptInvitation'; readonly invitedBy: UserId | null };

export interface InvitationState {
  /** An `unknown` invitation may have been sent by an earlier release, which did not record it. */
  readonly status: 'unknown' | 'sent' | 'withdrawn' | 'accepted';
  /** The number of times that the invitation has been sent. */
  readonly timesSent: number;
}

export type InvitationRefusal = 'invitation-ended';

const STATUS_AFTER = {
  InvitationSent: 'sent',
  InvitationWithdrawn: 'withdrawn',
  InvitationAccepted: 'accepted',
} as const satisfies Readonly<Record<InvitationEvent['type'], InvitationState['status']>>;

export const invitation: Decider<InvitationCommand, InvitationState, InvitationEvent, InvitationRefusal> = {
  initial: { status: 'unknown', timesSent: 0 },
  decide(command, state) {
    if (hasEnded(state)) return refuse('invitation-ended');
    switch (command.type) {
      case 'SendInvitation':
        return command.timesSent === state.timesSent
          ? accept<InvitationEvent>({ type: 'InvitationSent', data: command.invitation })
          : noChange;
      case 'WithdrawInvitation':
        return accept<InvitationEvent>({ type: 'InvitationWithdrawn', data: {} });
      case 'AcceptInvitation':
        return accept<InvitationEvent>({ type: 'InvitationAccepted', data: { invitedBy: command.invitedBy } });
      default:
        return unreachable(command);
    }
  },
  evolve: ({ timesSent }, { type }) => ({
    status: STATUS_AFTER[type],
    timesSent: type === 'InvitationSent' ? timesSent + 1 : timesSent,
  }),
};

/** Reports whether the invitation was withdrawn or accepted. */
export function hasEnded({ status }: Pick<InvitationState, 'status'>): boolean {
  return status === 'withdrawn' || status === 'accepted';
}
