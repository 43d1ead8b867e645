import { fromPayload, toPayloads, type Broadcast } from '../broadcast/broadcast.ts';
import type { Ticks } from '../ports.ts';

/** Sends this node's counts to the other nodes. */
export interface SharedCounts {
  /**
   * Adds one to the key's count.
   * @param endsAt the end of the window, in ticks
   */
  report(counter: string, key: string, endsAt: number): void;
}

/** Another node's count for a key since that node's previous message. */
export interface RemoteCount {
  readonly counter: string;
  readonly key: string;
  readonly times: number;
  /** The time left in the window. */
  readonly milliseconds: number;
}

/** Discards the counts, because a single node has no other nodes to send them to. */
export const NOT_SHARED: SharedCounts = { report: () => {} };

const TOPIC = 'counts';

/** When this many keys are collected, they are sent immediately, so that a flood of keys takes little memory. */
const MAX_COLLECTED = 1_000;
const MAX_TIMES = 1_000_000;

/**
 * Collects counts by counter and key, and sends them ten times a second. A message contains the time left in each
 * window, so that the windows of all nodes end at the same time, even if their clocks differ.
 * @param add adds a count from another node
 */
export function shareCounts(broadcast: Broadcast, ticks: Ticks, add: (count: RemoteCount) => void): SharedCounts {
  let counts = new Map<string, { times: number; endsAt: number }>();

  function send(): void {
    const [batch, now] = [counts, ticks()];
    counts = new Map();
    const items = [...batch].flatMap(([name, { times, endsAt }]) =>
      endsAt > now ? [[name, times, Math.ceil(endsAt - now)]] : [],
    );
    for (const payload of toPayloads(items)) broadcast.publish(TOPIC, payload);
  }

  broadcast.subscribe(TOPIC, (payload) => {
    for (const item of fromPayload(payload)) {
      const count = parseRemoteCount(item);
      if (count !== undefined) add(count);
    }
  });

  return {
    report(counter, key, endsAt) {
      if (counts.size === 0) broadcast.schedule(send);
      const name = `${counter} ${key}`;
      const times = (counts.get(name)?.times ?? 0) + 1;
      counts.set(name, { times, endsAt });
      if (counts.size >= MAX_COLLECTED) send();
    },
  };
}

/** Returns undefined if the item is malformed, which can happen if another release sent it. */
function parseRemoteCount(item: unknown): RemoteCount | undefined {
  if (!Array.isArray(item)) return undefined;
  const [name, times, milliseconds] = item as readonly unknown[];
  if (typeof name !== 'string' || typeof times !== 'number' || typeof milliseconds !== 'number') return undefined;
  if (!Number.isInteger(times) || times < 1 || !(milliseconds > 0)) return undefined;
  const [counter = '', ...key] = name.split(' ');
  return { counter, key: key.join(' '), times: Math.min(times, MAX_TIMES), milliseconds };
}
