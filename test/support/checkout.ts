import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { once } from 'node:events';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Copies the files of this working tree, except for tests, to a new directory, and links the installed packages. */
export function copyCheckout(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'grantlog-checkout-'));
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const file of files.split('\n').filter((name) => name !== '' && !name.startsWith('test/'))) {
    cpSync(join(ROOT, file), join(path, file), { recursive: dirname(file) !== '.' });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(path, 'node_modules'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Returns a port that is free at this moment. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return address.port;
}

/** Starts `command` and resolves once its output contains `marker`. */
export async function startUntil(
  marker: string,
  command: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<ChildProcess> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
      if (output.includes(marker)) resolve();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('exit', (code) =>
      reject(new Error(`${command} exited with ${code} before it printed "${marker}":\n${output}`)),
    );
  });
  return child;
}

/** Sends SIGTERM to `child`, and resolves with its exit status. */
export async function stop(child: ChildProcess): Promise<number | null> {
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const [status] = (await exit) as [number | null];
  return status;
}
