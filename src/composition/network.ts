import type { Config } from '../config/config.ts';
import type { EventLog } from '../event-store/event-log.ts';
import { sealedBroadcast } from '../platform/broadcast/sealed-broadcast.ts';
import { createEgress, type Resolve } from '../platform/egress/egress.ts';
import type { Keys } from '../platform/keys/keys.ts';
import { limitsFor, type Limits } from '../platform/limits/limits.ts';
import { createRateLimits } from '../platform/limits/rate-limits.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { Clock, Entropy, StartTimer } from '../platform/ports.ts';

/** Creates the parts that broadcast messages between nodes, limit rates, and send requests to other servers. */
export function createNetworkParts(deps: {
  readonly log: Pick<EventLog, 'shared'>;
  readonly keys: Pick<Keys, 'messages' | 'limits'>;
  readonly entropy: Entropy;
  readonly clock: Clock;
  readonly startTimer: StartTimer;
  readonly metrics: Pick<Metrics, 'outgoing'>;
  /** Replaces the product's limits. */
  readonly customLimits: Limits | undefined;
  /** By default, the system's resolver. */
  readonly resolve: Resolve | undefined;
  readonly settings: Config;
}) {
  const { keys, clock, resolve, settings } = deps;
  const medium = deps.log.shared?.broadcast;
  const broadcast = medium && sealedBroadcast(medium, keys.messages, deps.entropy);
  const limits = createRateLimits({
    limits: deps.customLimits ?? limitsFor(settings),
    ticks: clock.ticks,
    key: keys.limits,
    broadcast,
  });
  const egress = createEgress({
    settings,
    ticks: clock.ticks,
    startTimer: deps.startTimer,
    key: keys.limits,
    observe: deps.metrics.outgoing.observe,
    ...(resolve && { resolve }),
  });
  return { broadcast, limits, egress };
}
