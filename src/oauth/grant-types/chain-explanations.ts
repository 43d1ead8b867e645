import type { GrantId } from '../../domain/values.ts';
import type { Exchanges } from '../../projections/exchanges.ts';
import type { ProtocolRefusal } from '../refusals/refusal-messages.ts';
import { toPastEvent } from './code-explanations.ts';
import type { ReadGrantHistory } from './grant-history.ts';

/** Explains why an exchanged token is no longer valid, although it has not expired. */
export function createChainExplainer(
  history: ReadGrantHistory,
  exchanges: Pick<Exchanges, 'ancestry'>,
): (grantId: GrantId) => Promise<ProtocolRefusal> {
  return async (grantId) => {
    const own = (await history(grantId, false))?.revoked;
    if (own) {
      const { reason } = own;
      return { rule: 'grant-revoked', parameter: 'access token', reason, revoked: toPastEvent(own) };
    }
    for (const { parent, actor } of exchanges.ancestry(grantId)) {
      for (const { grantId: above } of [parent, actor ?? []].flat()) {
        const revoked = (await history(above, false))?.revoked;
        if (revoked) return { rule: 'exchange-chain-ended', reason: revoked.reason, revoked: toPastEvent(revoked) };
      }
    }
    return { rule: 'exchange-chain-ended', reason: null, revoked: null };
  };
}
