import { createGrowingBuffer } from '../../platform/growing-buffer.ts';

/**
 * What is spoken over the control socket: lines of JSON. The server greets, the client sends one
 * request, the server answers with any number of items and then how it ended. Either side hangs up.
 */
export interface Greeting {
  readonly protocol: typeof PROTOCOL;
}

/** Changes whenever the lines mean something else, so that two releases never misunderstand each other. */
export const PROTOCOL = 'grantlog-control-1';

export interface ControlRequest {
  readonly operation: string;
  readonly input: unknown;
}

export type ControlResponse =
  | { readonly item: unknown }
  | { readonly end: 'done' }
  | { readonly end: 'refused' | 'failed'; readonly message: string };

const LINE_END = 0x0a;

/**
 * The lines of a stream of bytes, without their ends. An incomplete last line is dropped.
 * @throws Error a line has more than `mostBytes`
 */
export async function* readLines(
  chunks: AsyncIterable<unknown>,
  mostBytes = Number.POSITIVE_INFINITY,
): AsyncGenerator<string, void, void> {
  const begun = createGrowingBuffer(mostBytes);
  const keep = (piece: Buffer): void => {
    if (!begun.append(piece)) throw new Error(`a line is longer than ${mostBytes} bytes`);
  };
  for await (const chunk of chunks as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, from)) {
      keep(chunk.subarray(from, end));
      const line = begun.bytes().toString('utf8');
      begun.clear();
      from = end + 1;
      yield line;
    }
    keep(chunk.subarray(from));
  }
}
