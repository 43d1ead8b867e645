import type { Broadcast } from '../../src/platform/broadcast/broadcast.ts';

/** A bus in memory. Nothing is sent or delivered until the test requests it. */
export interface MemoryBus {
  /** Returns the bus as another node sees it. */
  node(): Broadcast;
  /** Lets every node publish its collected payloads and delivers them, until none is left. */
  deliver(): void;
  /** Drops the published payloads that are not delivered yet, and the collected ones that are not published. */
  lose(): void;
  /** All payloads that were ever published, as the medium sees them. */
  readonly published: readonly string[];
}

export function memoryBus(): MemoryBus {
  const subscribers: { readonly node: object; readonly topic: string; handle(payload: string): void }[] = [];
  const published: string[] = [];
  let scheduledSends: (() => void)[] = [];
  let pendingMessages: { readonly from: object; readonly topic: string; readonly payload: string }[] = [];

  function send(): void {
    const sends = scheduledSends;
    scheduledSends = [];
    for (const sendPayloads of sends) sendPayloads();
  }

  return {
    published,
    node() {
      const node = {};
      return {
        publish(topic, payload) {
          published.push(payload);
          pendingMessages.push({ from: node, topic, payload });
        },
        subscribe: (topic, handle) => void subscribers.push({ node, topic, handle }),
        schedule: (sendPayloads) => void scheduledSends.push(sendPayloads),
      };
    },
    deliver() {
      while (scheduledSends.length > 0 || pendingMessages.length > 0) {
        send();
        const messages = pendingMessages;
        pendingMessages = [];
        for (const { from, topic, payload } of messages)
          for (const subscriber of subscribers)
            if (subscriber.node !== from && subscriber.topic === topic) subscriber.handle(payload);
      }
    },
    lose() {
      send();
      pendingMessages = [];
    },
  };
}
