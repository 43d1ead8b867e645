import type { GrantId } from '../../domain/values.ts';
import type { Exchanges } from '../../projections/exchanges.ts';
import type { ProtocolRefusal } from '../refusals/refusal-messages.ts';
import { toPastEvent } from './code-explanations.ts';
import type { ReadGrantHistory } from './grant-history.ts';

/** Creates a function that explains why an exchanged token is no longer valid, although it has not expired. */
export function createChainExplainer(
  history: ReadGrantHistory,
  exchanges: Pick<Exchanges, 'listAncestry'>,
): (grantId: GrantId) => Promise<ProtocolRefusal> {
  return async (grantId) => {
    const ownRevocation = (await history(grantId, false))?.revoked;
    if (ownRevocation) {
      const { reason } = ownRevocation;
      return { rule: 'grant-revoked', parameter: 'access token', reason, revoked: toPastEvent(ownRevocation) };
    }
    for (const { parent, actor } of exchanges.listAncestry(grantId)) {
      for (const { grantId: ancestorId } of [parent, actor ?? []].flat()) {
        const revocation = (await history(ancestorId, false))?.revoked;
        if (revocation)
          return { rule: 'exchange-chain-ended', reason: revocation.reason, revoked: toPastEvent(revocation) };
      }
    }
    return { rule: 'exchange-chain-ended', reason: null, revoked: null };
  };
}
