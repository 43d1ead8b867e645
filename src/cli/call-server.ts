import { openControl } from '../operations/control/client.ts';
import { controlSocketPath } from './operation-target.ts';

/**
 * Runs an operation. Yields nothing if no server runs on the data directory, or if the server does not know the
 * operation.
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
