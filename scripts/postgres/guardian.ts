import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Waits for the end of its standard input, which closes when its parent exits, even if the parent is killed. Then it
 * stops the server, even a frozen one, and removes its files. The wait is limited, because a zombie that no process
 * reaps keeps its id.
 */
const SCRIPT = `
cat >/dev/null
if pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null) && kill -CONT "$pid" 2>/dev/null; then
  kill -QUIT "$pid"
  tries=100
  while [ $tries -gt 0 ] && kill -0 "$pid" 2>/dev/null; do sleep 0.1; tries=$((tries - 1)); done
fi
rm -rf "$1"
`;

/**
 * Starts a process that stops the server in `directory` and removes the directory when this process exits.
 * @returns a function that does this immediately, and resolves when it is done
 */
export function startGuardian(directory: string): () => Promise<void> {
  const guardian = spawn('sh', ['-c', SCRIPT, 'grantlog-postgres-guardian', directory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // so that Ctrl-C in a terminal does not reach it
  });
  const closeEvent = once(guardian, 'close');
  guardian.unref();
  (guardian.stdin as unknown as { unref(): void }).unref();
  return async () => {
    guardian.ref();
    guardian.stdin.end();
    await closeEvent;
  };
}
