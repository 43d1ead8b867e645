import type { Broadcast } from '../../src/platform/broadcast/broadcast.ts';

/** An in-memory bus. It sends and delivers nothing until the test asks it to. */
export interface MemoryBus {
  /** Returns a view of the bus for a new node. */
  node(): Broadcast;
  /** Lets every node publish what it has collected, and delivers the payloads until none are left. */
  deliver(): void;
  /** Drops all payloads that are not delivered yet, including those that nodes have only collected. */
  lose(): void;
  /** All payloads ever published, as they appear on the wire. */
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
