/**
 * What is spoken over the control socket: lines of JSON. The server greets, the client sends one
 * request, the server answers with any number of items and then how it ended. Either side hangs up.
 */
export interface Greeting {
  readonly protocol: typeof PROTOCOL;
}

/** Changes whenever the lines mean something else, so that two releases never misunderstand each other. */
export const PROTOCOL = 'grantlog-control-1';

export interface Request {
  readonly operation: string;
  readonly input: unknown;
}

export type Answer =
  | { readonly item: unknown }
  | { readonly end: 'done' }
  | { readonly end: 'refused' | 'failed'; readonly message: string };

/** The lines of a stream, without their ends; what follows the last end is dropped as incomplete. */
export async function* lines(chunks: AsyncIterable<unknown>, limit = Number.POSITIVE_INFINITY): AsyncGenerator<string, void, void> {
  let begun: string[] = []; // joined once: a line may be long
  let length = 0;
  for await (const chunk of chunks) {
    const [first = '', ...others] = String(chunk).split('\n');
    begun.push(first);
    length += first.length;
    if (length > limit) throw new Error(`a line is longer than ${limit} characters`);
    for (const part of others) {
      yield begun.join('');
      begun = [part];
      length = part.length;
    }
  }
}
