import { openControl } from '../operations/control/client.ts';
import { controlSocketPath } from './operation-target.ts';

/**
 * Runs an operation on the running server. Yields nothing if no server is running on the data directory, or if the
 * server refuses or does not support the operation. If the server stops responding, the results end early.
 */
export async function* callServer(
  dataDir: string,
  operation: string,
  input: object,
): AsyncGenerator<unknown, void, void> {
  try {
    const channel = await openControl(controlSocketPath(dataDir));
    if (channel !== null) yield* channel.call(operation, input);
  } catch {
    // `doctor` reports a server that is not responding
  }
}
