import { accept, noChange, type Decider } from '../event-store/decider.ts';
import type { EventOf } from './events.ts';
import type { TrustedIssuerSettings } from './issuer-settings.ts';
import { isSameValue } from './same-value.ts';
import { unreachable } from './values.ts';

/** The events of the stream issuer-<hash of the issuer>. A removed issuer can be added again. */
export type TrustedIssuerEvent = EventOf<'TrustedIssuerSet' | 'TrustedIssuerRemoved'>;

export type TrustedIssuerCommand =
  /** Replaces all settings. Does nothing if they are unchanged. */
  | { readonly type: 'SetTrustedIssuer'; readonly issuer: string; readonly settings: TrustedIssuerSettings }
  /** Does nothing if the issuer is not trusted. */
  | { readonly type: 'RemoveTrustedIssuer'; readonly issuer: string };

/** Null before the first settings and after a removal. */
export type TrustedIssuerState = TrustedIssuerSettings | null;

export const trustedIssuer: Decider<TrustedIssuerCommand, TrustedIssuerState, TrustedIssuerEvent, never> = {
  initial: null,

  decide(command, state) {
    const { type, issuer } = command;
    switch (type) {
      case 'SetTrustedIssuer': {
        const { settings } = command;
        if (isSameValue(state, settings)) return noChange;
        return accept<TrustedIssuerEvent>({ type: 'TrustedIssuerSet', data: { issuer, settings } });
      }
      case 'RemoveTrustedIssuer':
        return state === null
          ? noChange
          : accept<TrustedIssuerEvent>({ type: 'TrustedIssuerRemoved', data: { issuer } });
      default:
        return unreachable(type);
    }
  },

  evolve(_state, { type, data }) {
    return type === 'TrustedIssuerSet' ? data.settings : null;
  },
};
