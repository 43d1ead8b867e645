import type { Broadcast } from '../../platform/broadcast/broadcast.ts';
import type { Connection } from '../../platform/postgres/connect.ts';

/** Messages between nodes, sent with NOTIFY on the connection on which this node follows the log. */
export interface Notifications extends Broadcast {
  /** Listens on `connection`, and uses it to publish. */
  attach(connection: Connection): Promise<void>;
  close(): void;
}

const CHANNEL = 'grantlog_nodes';
const LATER_MILLISECONDS = 100;

/** The maximum number of messages that wait to be sent, as while there is no connection. The oldest are dropped. */
const MAX_WAITING = 200;
/** PostgreSQL refuses longer payloads. */
const MAX_MESSAGE_BYTES = 7_999;

/** @param nodeId marks this node's messages, so that it can ignore them when they come back; must contain no space */
export function createNotifications(nodeId: string): Notifications {
  const handlers = new Map<string, ((payload: string) => void)[]>();
  let current: Connection | undefined;
  let waiting: string[] = [];
  let isSending = false;
  let isClosed = false;

  function receive(message: string): void {
    const [from = '', topic = ''] = message.split(' ', 2);
    if (from === nodeId) return;
    const payload = message.slice(from.length + topic.length + 2);
    for (const handle of handlers.get(topic) ?? []) handle(payload);
  }

  async function send(): Promise<void> {
    if (isSending) return;
    isSending = true;
    try {
      while (current !== undefined && waiting.length > 0) await notify(current);
    } finally {
      isSending = false;
    }
  }

  /**
   * Sends all waiting messages in one transaction. If that fails, the messages are lost, and the connection is
   * destroyed. The next one is attached by the caller.
   */
  async function notify(connection: Connection): Promise<void> {
    const sending = waiting;
    waiting = [];
    const text = 'select pg_notify($1, message) from unnest($2::text[]) as message';
    await connection.query({ name: 'notify', text, values: [CHANNEL, sending] }).catch(() => {
      if (current === connection) current = undefined;
      connection.destroy();
    });
  }

  return {
    async attach(connection) {
      await connection.listen(CHANNEL, receive);
      current = connection;
      void send();
    },

    publish(topic, payload) {
      const message = `${nodeId} ${topic} ${payload}`;
      if (isClosed || Buffer.byteLength(message) > MAX_MESSAGE_BYTES) return;
      waiting.push(message);
      if (waiting.length > MAX_WAITING) waiting.shift();
      void send();
    },

    subscribe(topic, handle) {
      handlers.set(topic, [...(handlers.get(topic) ?? []), handle]);
    },

    schedule(callback) {
      setTimeout(callback, LATER_MILLISECONDS).unref();
    },

    close() {
      isClosed = true;
      current = undefined;
    },
  };
}
