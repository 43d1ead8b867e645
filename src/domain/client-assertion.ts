import { accept, refuse, type Decider } from '../event-store/decider.ts';
import type { EventOf } from './events.ts';

/**
 * The event of the stream assertion-<keyed hash of client and jti>. The stream can be created only once, so an
 * assertion is accepted at most once, even after a restart or on another node.
 */
export type ClientAssertionEvent = EventOf<'ClientAssertionAccepted'>;

export interface AcceptClientAssertion {
  readonly type: 'AcceptClientAssertion';
  readonly assertion: ClientAssertionEvent['data'];
}

export const clientAssertion: Decider<
  AcceptClientAssertion,
  { readonly isAccepted: boolean },
  ClientAssertionEvent,
  'assertion-replayed'
> = {
  initial: { isAccepted: false },
  initialRevision: () => 'no-stream',
  decide({ assertion }, { isAccepted }) {
    if (isAccepted) return refuse('assertion-replayed');
    return accept<ClientAssertionEvent>({ type: 'ClientAssertionAccepted', data: assertion });
  },
  evolve: () => ({ isAccepted: true }),
};
