import { accept, noChange, type Decider } from '../event-store/decider.ts';
import type { EventOf } from './events.ts';
import type { ExchangePolicySettings } from './exchange-settings.ts';
import { isSameValue } from './same-value.ts';
import { unreachable, type ClientId } from './values.ts';

/** The events of the stream exchange-<hash of the two clients>. A removed policy can be set again. */
export type ExchangePolicyEvent = EventOf<'ExchangePolicySet' | 'ExchangePolicyRemoved'>;

/** `clientId` exchanges tokens that were issued to `subjectClientId`, which may be the same client. */
interface ExchangePair {
  readonly clientId: ClientId;
  readonly subjectClientId: ClientId;
}

export type ExchangePolicyCommand =
  /** Replaces all settings. Does nothing if they are unchanged. */
  | ({ readonly type: 'SetExchangePolicy'; readonly settings: ExchangePolicySettings } & ExchangePair)
  /** Does nothing if there is no policy. */
  | ({ readonly type: 'RemoveExchangePolicy' } & ExchangePair);

/** Null before the first policy and after a removal. */
export type ExchangePolicyState = ExchangePolicySettings | null;

export const exchangePolicy: Decider<ExchangePolicyCommand, ExchangePolicyState, ExchangePolicyEvent, never> = {
  initial: null,

  decide(command, state) {
    const { type, clientId, subjectClientId } = command;
    switch (type) {
      case 'SetExchangePolicy': {
        const { settings } = command;
        if (isSameValue(state, settings)) return noChange;
        return accept<ExchangePolicyEvent>({
          type: 'ExchangePolicySet',
          data: { clientId, subjectClientId, settings },
        });
      }
      case 'RemoveExchangePolicy':
        return state === null
          ? noChange
          : accept<ExchangePolicyEvent>({ type: 'ExchangePolicyRemoved', data: { clientId, subjectClientId } });
      default:
        return unreachable(type);
    }
  },

  evolve(_state, { type, data }) {
    return type === 'ExchangePolicySet' ? data.settings : null;
  },
};
