import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { RUN_GRANTLOG } from './typescript.ts';

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));

/** Reports whether util-linux's `script` is installed, which runs commands in a pseudo-terminal. */
export function hasPseudoTerminals(): boolean {
  const { status, stdout } = spawnSync('script', ['--version'], { encoding: 'utf8' });
  return status === 0 && stdout.includes('util-linux');
}

export interface TerminalRun {
  readonly status: number;
  /** Everything the terminal has shown. */
  readonly output: string;
}

/** Each entry is typed once the output ends with `after`. */
export type TypedInput = readonly (readonly [after: string, typed: string])[];

/** Runs a `grantlog` command in a pseudo-terminal and types the input. */
export async function runInTerminal(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input: TypedInput,
): Promise<TerminalRun> {
  const command = [process.execPath, ...RUN_GRANTLOG, ...args].map((word) => `'${word}'`).join(' ');
  const { PATH = '', HOME = '' } = process.env;
  const terminal = spawn(
    'script',
    ['--quiet', '--echo', 'always', '--flush', '--return', '--command', `exec ${command}`, '/dev/null'],
    { cwd: CHECKOUT, env: { PATH, HOME, TERM: 'dumb', SHELL: '/bin/sh', ...env }, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const remaining = [...input];
  let output = '';
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    const [next] = remaining;
    if (next === undefined || !output.endsWith(next[0])) return;
    remaining.shift();
    terminal.stdin.write(next[1]);
  });
  const [status] = (await once(terminal, 'close')) as [number];
  return { status, output };
}
