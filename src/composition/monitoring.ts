import { createExplanations } from '../oauth/refusals/explanations.ts';
import { shareExplanations } from '../oauth/refusals/shared-explanations.ts';
import type { Broadcast } from '../platform/broadcast/broadcast.ts';
import { createServiceState, type MeasuredDeps } from './service-state.ts';

/** Creates the explanations of refusals, and adds the state of the service to the metrics. */
export function createMonitoringParts(
  deps: Omit<MeasuredDeps, 'explanations'> & { readonly broadcast: Broadcast | undefined },
) {
  const { broadcast, metrics } = deps;
  const localExplanations = createExplanations(deps.refusalStore);
  const explanations =
    broadcast === undefined ? localExplanations : shareExplanations(localExplanations, broadcast, deps.clock.ticks);
  return { explanations, state: metrics.addState(createServiceState({ ...deps, explanations })) };
}
