import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { RUN_TYPESCRIPT } from './typescript.ts';

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));

/** Whether `script` of util-linux is here, which gives a command a terminal of its own. */
export function hasPseudoTerminals(): boolean {
  const { status, stdout } = spawnSync('script', ['--version'], { encoding: 'utf8' });
  return status === 0 && stdout.includes('util-linux');
}

export interface TypedRun {
  readonly status: number;
  /** Everything that the terminal showed. */
  readonly shown: string;
}

/** Input, and the output after which it is typed. */
export type Typing = readonly (readonly [after: string, typed: string])[];

/** Runs a `grantlog` command in a terminal of its own, with typed input. */
export async function runInTerminal(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  typing: Typing,
): Promise<TypedRun> {
  const command = [process.execPath, RUN_TYPESCRIPT, 'src/main.ts', ...words].map((word) => `'${word}'`).join(' ');
  const { PATH = '', HOME = '' } = process.env;
  const terminal = spawn(
    'script',
    ['--quiet', '--echo', 'always', '--flush', '--return', '--command', `exec ${command}`, '/dev/null'],
    { cwd: CHECKOUT, env: { PATH, HOME, TERM: 'dumb', SHELL: '/bin/sh', ...env }, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const left = [...typing];
  let shown = '';
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    const [next] = left;
    if (next === undefined || !shown.endsWith(next[0])) return;
    left.shift();
    terminal.stdin.write(next[1]);
  });
  const [status] = (await once(terminal, 'close')) as [number];
  return { status, shown };
}
