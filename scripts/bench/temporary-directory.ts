import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endServers, killServers } from './server-process.ts';

/**
 * Runs `use` with a new directory, and then ends all servers and removes the directory. SIGINT, SIGTERM and SIGHUP end
 * the process with status 1 after that; a second signal ends it immediately.
 * @param parent the directory in which to create it
 */
export async function withTemporaryDirectory<Result>(
  parent: string,
  use: (directory: string) => Promise<Result>,
): Promise<Result> {
  const directory = mkdtempSync(join(parent, 'grantlog-bench-'));
  // A process that has just been killed may still have created a file.
  const remove = (): void => rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  const close = async (): Promise<void> => {
    await endServers();
    remove();
  };
  process.on('exit', removeAtExit);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      process.once(signal, () => process.exit(1));
      void close().finally(() => process.exit(1));
    });
  try {
    return await use(directory);
  } finally {
    await close();
    process.off('exit', removeAtExit);
  }

  function removeAtExit(): void {
    killServers();
    remove();
  }
}
