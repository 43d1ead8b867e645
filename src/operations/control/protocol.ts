import type { InputProblem, RefusalKind } from './operation-refused.ts';
import { createGrowingBuffer } from '../../platform/growing-buffer.ts';

/**
 * The protocol of the control socket: JSON lines. The server sends a greeting, and the client sends one request. The
 * server responds with any number of items, followed by an end line. Either side may close the connection.
 */
export interface Greeting {
  readonly protocol: typeof PROTOCOL;
}

/** Changes whenever the meaning of the lines changes, so that incompatible releases detect each other. */
export const PROTOCOL = 'grantlog-control-1';

export interface ControlRequest {
  readonly operation: string;
  readonly input: unknown;
}

export type ControlResponse =
  | { readonly item: unknown }
  | { readonly end: 'done' }
  | { readonly end: 'failed'; readonly message: string }
  | {
      readonly end: 'refused';
      readonly message: string;
      /** Earlier releases send neither `kind` nor `problems`. */
      readonly kind?: RefusalKind;
      readonly problems?: readonly InputProblem[];
    };

const LINE_END = 0x0a;

/**
 * Yields the lines of a byte stream, without their newlines. Drops an incomplete last line.
 * @throws Error if a line is longer than `maxBytes`
 */
export async function* readLines(
  chunks: AsyncIterable<unknown>,
  maxBytes = Number.POSITIVE_INFINITY,
): AsyncGenerator<string, void, void> {
  const incompleteLine = createGrowingBuffer(maxBytes);
  const append = (chunk: Buffer): void => {
    if (!incompleteLine.append(chunk)) throw new Error(`a line is longer than ${maxBytes} bytes`);
  };
  for await (const chunk of chunks as AsyncIterable<Buffer>) {
    let lineStart = 0;
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, lineStart)) {
      append(chunk.subarray(lineStart, end));
      const line = incompleteLine.bytes().toString('utf8');
      incompleteLine.clear();
      lineStart = end + 1;
      yield line;
    }
    append(chunk.subarray(lineStart));
  }
}
