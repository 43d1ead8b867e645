import { accept, noChange, refuse, type Decider, type Decision } from '../event-store/decider.ts';
import type { EventOf } from './events.ts';
import { unreachable, type ProviderId, type UserId } from './values.ts';

/**
 * The events of the stream upstream-<keyed hash of provider, issuer and subject>. An account at a provider is linked to
 * at most one user.
 */
export type UpstreamAccountEvent = EventOf<'UpstreamAccountLinked' | 'UpstreamAccountUnlinked'>;

/** The reason why an account was linked. */
export type LinkBasis = EventOf<'UpstreamAccountLinked'>['data']['basis'];

export type UpstreamAccountCommand =
  | {
      readonly type: 'LinkUpstreamAccount';
      readonly userId: UserId;
      readonly providerId: ProviderId;
      readonly subjectHash: string;
      /** Encrypted under the user's key. */
      readonly sealed: string;
      readonly basis: LinkBasis;
      /** The erased user whose link this one replaces, if any. */
      readonly replaces: UserId | null;
    }
  /** Does nothing unless the account is linked to the user. */
  | { readonly type: 'UnlinkUpstreamAccount'; readonly userId: UserId };

export type UpstreamAccountState = Pick<
  EventOf<'UpstreamAccountLinked'>['data'],
  'userId' | 'providerId' | 'subjectHash'
> | null;

export const upstreamAccount: Decider<
  UpstreamAccountCommand,
  UpstreamAccountState,
  UpstreamAccountEvent,
  'linked-to-another-user'
> = {
  initial: null,

  decide(command, state): Decision<UpstreamAccountEvent, 'linked-to-another-user'> {
    switch (command.type) {
      case 'LinkUpstreamAccount': {
        const { userId, providerId, subjectHash, sealed, basis, replaces } = command;
        if (state?.userId === userId) return noChange;
        if (state !== null && state.userId !== replaces) return refuse('linked-to-another-user');
        const data = { userId, providerId, subjectHash, sealed, basis };
        return accept<UpstreamAccountEvent>({ type: 'UpstreamAccountLinked', data });
      }
      case 'UnlinkUpstreamAccount':
        return state === null || state.userId !== command.userId
          ? noChange
          : accept<UpstreamAccountEvent>({ type: 'UpstreamAccountUnlinked', data: state });
      default:
        return unreachable(command);
    }
  },

  evolve(_state, { type, data }) {
    const { userId, providerId, subjectHash } = data;
    return type === 'UpstreamAccountLinked' ? { userId, providerId, subjectHash } : null;
  },
};
