import { fromPayload, toPayloads, type Broadcast } from '../../platform/broadcast/broadcast.ts';
import type { Ticks } from '../../platform/ports.ts';
import type { Explanations, RefusedRequest } from './explanations.ts';
import { isRefusedRequest } from './refused-request.ts';
import { createSecondBudget } from './second-budget.ts';

/**
 * The most refusals that a node tells the others in a second: of authenticated clients, and of all others. A flood of
 * refusals must not become a flood of messages.
 */
export const SHARED_PER_SECOND = { proven: 50, others: 50 } as const;

const TOPIC = 'refusals';

/**
 * Tells the other nodes of refusals, so that every node can explain them. They contain no secrets, and are recorded
 * there like the node's own, but not counted.
 */
export function shareExplanations(explanations: Explanations, broadcast: Broadcast, ticks: Ticks): Explanations {
  let collected: RefusedRequest[] = [];
  const budgets = {
    proven: createSecondBudget(SHARED_PER_SECOND.proven),
    others: createSecondBudget(SHARED_PER_SECOND.others),
  };

  function send(): void {
    const payloads = toPayloads(collected);
    collected = [];
    for (const payload of payloads) broadcast.publish(TOPIC, payload);
  }

  broadcast.subscribe(TOPIC, (payload) => {
    for (const item of fromPayload(payload)) if (isRefusedRequest(item)) explanations.recordElsewhere(item);
  });

  return {
    ...explanations,
    record(refused) {
      explanations.record(refused);
      if (!budgets[refused.isProven ? 'proven' : 'others'].admits(Math.floor(ticks() / 1000))) return;
      if (collected.length === 0) broadcast.later(send);
      collected.push(refused);
    },
  };
}
