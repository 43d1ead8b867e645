import { fromPayload, toPayloads, type Broadcast } from '../../platform/broadcast/broadcast.ts';
import type { Ticks } from '../../platform/ports.ts';
import type { Explanations, RefusedRequest } from './explanations.ts';
import { isRefusedRequest } from './refused-request.ts';
import { createPerSecondBudget } from './per-second-budget.ts';

/**
 * The maximum number of refusals that a node sends to the other nodes per second, for authenticated clients and for all
 * other requests. A flood of refusals must not become a flood of messages.
 */
export const SHARED_PER_SECOND = { proven: 50, others: 50 } as const;

const TOPIC = 'refusals';

/**
 * Returns `explanations`, extended to send refusals to the other nodes, so that every node can explain them. Refusals
 * contain no secrets. The other nodes record them, but do not count them.
 */
export function shareExplanations(explanations: Explanations, broadcast: Broadcast, ticks: Ticks): Explanations {
  let pendingRequests: RefusedRequest[] = [];
  const budgets = {
    proven: createPerSecondBudget(SHARED_PER_SECOND.proven),
    others: createPerSecondBudget(SHARED_PER_SECOND.others),
  };

  function send(): void {
    const payloads = toPayloads(pendingRequests);
    pendingRequests = [];
    for (const payload of payloads) broadcast.publish(TOPIC, payload);
  }

  broadcast.subscribe(TOPIC, (payload) => {
    for (const item of fromPayload(payload)) if (isRefusedRequest(item)) explanations.recordFromOtherNode(item);
  });

  return {
    ...explanations,
    record(request) {
      explanations.record(request);
      if (!budgets[request.isProven ? 'proven' : 'others'].admits(Math.floor(ticks() / 1000))) return;
      if (pendingRequests.length === 0) broadcast.schedule(send);
      pendingRequests.push(request);
    },
  };
}
