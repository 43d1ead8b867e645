import type { Broadcast } from '../../platform/broadcast/broadcast.ts';
import type { Connection } from '../../platform/postgres/connect.ts';

/** Messages between nodes, sent with NOTIFY over the connection that this node uses to follow the log. */
export interface Notifications extends Broadcast {
  /** Listens on `connection`, and uses it to publish. */
  attach(connection: Connection): Promise<void>;
  close(): void;
}

const CHANNEL = 'grantlog_nodes';
const SCHEDULE_DELAY_MILLISECONDS = 100;

/** The maximum number of pending messages, which accumulate while there is no connection. The oldest are dropped. */
const MAX_PENDING_MESSAGES = 200;
/** PostgreSQL refuses longer payloads. */
const MAX_MESSAGE_BYTES = 7_999;

/**
 * Creates the messages between nodes. None are sent until a connection is attached.
 * @param nodeId marks this node's messages, so that it can ignore them when they come back; must not contain spaces
 */
export function createNotifications(nodeId: string): Notifications {
  const handlers = new Map<string, ((payload: string) => void)[]>();
  let currentConnection: Connection | undefined;
  let pendingMessages: string[] = [];
  let isSending = false;
  let isClosed = false;

  function receive(message: string): void {
    const [senderId = '', topic = ''] = message.split(' ', 2);
    if (senderId === nodeId) return;
    const payload = message.slice(senderId.length + topic.length + 2);
    for (const handle of handlers.get(topic) ?? []) handle(payload);
  }

  async function send(): Promise<void> {
    if (isSending) return;
    isSending = true;
    try {
      while (currentConnection !== undefined && pendingMessages.length > 0) await notify(currentConnection);
    } finally {
      isSending = false;
    }
  }

  /**
   * Sends all pending messages in one transaction. If that fails, the messages are lost, and the connection is
   * destroyed. The caller attaches the next connection.
   */
  async function notify(connection: Connection): Promise<void> {
    const batch = pendingMessages;
    pendingMessages = [];
    const text = 'select pg_notify($1, message) from unnest($2::text[]) as message';
    await connection.query({ name: 'notify', text, values: [CHANNEL, batch] }).catch(() => {
      if (currentConnection === connection) currentConnection = undefined;
      connection.destroy();
    });
  }

  return {
    async attach(connection) {
      await connection.listen(CHANNEL, receive);
      currentConnection = connection;
      void send();
    },

    publish(topic, payload) {
      const message = `${nodeId} ${topic} ${payload}`;
      if (isClosed || Buffer.byteLength(message) > MAX_MESSAGE_BYTES) return;
      pendingMessages.push(message);
      if (pendingMessages.length > MAX_PENDING_MESSAGES) pendingMessages.shift();
      void send();
    },

    subscribe(topic, handle) {
      handlers.set(topic, [...(handlers.get(topic) ?? []), handle]);
    },

    schedule(callback) {
      setTimeout(callback, SCHEDULE_DELAY_MILLISECONDS).unref();
    },

    close() {
      isClosed = true;
      currentConnection = undefined;
    },
  };
}
