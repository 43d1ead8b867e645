/**
 * Messages between the nodes that share a log: best effort, unordered, at most once. A node must work correctly even if
 * it receives no messages. It does not receive its own.
 */
export interface Broadcast {
  /**
   * Sends `payload` to the other nodes. Returns immediately and reports no errors.
   * @param payload at most `MAX_PAYLOAD_BYTES` of UTF-8; a longer payload is not sent
   */
  publish(topic: string, payload: string): void;
  /** Calls `handle` with each payload of the topic that another node published. */
  subscribe(topic: string, handle: (payload: string) => void): void;
  /** Calls `send` after a tenth of a second, so that a caller can collect several items into one message. */
  schedule(send: () => void): void;
}

/** A PostgreSQL notification carries at most 7,999 bytes, and sealing lengthens the payload by a third. */
export const MAX_PAYLOAD_BYTES = 5_000;

/** Splits `items` into JSON arrays that each fit in one message. Leaves out items that are too long. */
export function toPayloads(items: Iterable<unknown>): readonly string[] {
  const payloads: string[] = [];
  let [elements, size]: [string[], number] = [[], 2];
  for (const item of items) {
    const text = JSON.stringify(item);
    const bytes = Buffer.byteLength(text) + 1;
    if (bytes + 2 > MAX_PAYLOAD_BYTES) continue;
    if (size + bytes > MAX_PAYLOAD_BYTES) {
      payloads.push(`[${elements.join(',')}]`);
      [elements, size] = [[], 2];
    }
    elements.push(text);
    size += bytes;
  }
  return elements.length === 0 ? payloads : [...payloads, `[${elements.join(',')}]`];
}

/** Parses a payload from `toPayloads`. Returns no items if the payload is in another release's format. */
export function fromPayload(payload: string): readonly unknown[] {
  try {
    const items: unknown = JSON.parse(payload);
    return Array.isArray(items) ? items : [];
  } catch {
    return [];
  }
}
