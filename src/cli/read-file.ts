import { readFileSync } from 'node:fs';
import type { CliContext } from './context.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import { CannotRun } from './exit.ts';

/** The text of a file that a command names; `-` stands for standard input. @throws CannotRun */
export async function readText(file: string, { terminal }: Pick<CliContext, 'terminal'>): Promise<string> {
  if (file === '-') return terminal.readInput();
  return decodeUtf8(readBytes(file), file);
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new CannotRun(`${file} cannot be read`, { cause: error });
  }
}
