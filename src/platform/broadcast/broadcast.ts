/**
 * Messages between the nodes that share a log: best effort, unordered, at most once. A node that hears nothing must
 * still be correct by itself. A node does not hear its own messages.
 */
export interface Broadcast {
  /**
   * Sends `payload` to the other nodes. Returns at once, and reports no errors.
   * @param payload at most `MAX_PAYLOAD_BYTES` of UTF-8; a longer one is not sent
   */
  publish(topic: string, payload: string): void;
  /** Calls `handle` with each payload of the topic that another node published. */
  subscribe(topic: string, handle: (payload: string) => void): void;
  /** Calls `send` after a tenth of a second, so that a caller can collect what it publishes. */
  later(send: () => void): void;
}

/** PostgreSQL notifies with at most 7999 bytes, and sealing adds a third. */
export const MAX_PAYLOAD_BYTES = 5_000;

/** Splits `items` into JSON arrays that fit into a message each. An item that does not fit is left out. */
export function toPayloads(items: Iterable<unknown>): readonly string[] {
  const payloads: string[] = [];
  let [texts, size]: [string[], number] = [[], 2];
  for (const item of items) {
    const text = JSON.stringify(item);
    const bytes = Buffer.byteLength(text) + 1;
    if (bytes + 2 > MAX_PAYLOAD_BYTES) continue;
    if (size + bytes > MAX_PAYLOAD_BYTES) {
      payloads.push(`[${texts.join(',')}]`);
      [texts, size] = [[], 2];
    }
    texts.push(text);
    size += bytes;
  }
  return texts.length === 0 ? payloads : [...payloads, `[${texts.join(',')}]`];
}

/** The items of a payload from `toPayloads`; none if another release sent something else. */
export function fromPayload(payload: string): readonly unknown[] {
  try {
    const items: unknown = JSON.parse(payload);
    return Array.isArray(items) ? items : [];
  } catch {
    return [];
  }
}
