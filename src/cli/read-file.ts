import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import type { CliContext } from './context.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import { CannotRun } from './exit.ts';

/**
 * Reads a text file; `-` stands for standard input.
 * @throws CannotRun if the file cannot be read or is not UTF-8
 */
export async function readText(file: string, { terminal }: Pick<CliContext, 'terminal'>): Promise<string> {
  if (file === '-') return terminal.readInput();
  return decodeUtf8(readBytes(file), file);
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw unreadableFileError(file, error);
  }
}

/** @throws CannotRun if the file cannot be read, with the reason */
export function requireReadable(file: string): void {
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    throw unreadableFileError(file, error);
  }
}

/**
 * Reads a regular file.
 * @throws CannotRun if the file cannot be read, is larger than `maxBytes`, or is not a regular file
 */
export function readSmallFile(file: string, maxBytes: number): Buffer {
  try {
    const stats = statSync(file);
    // A directory is refused with a clearer message below. A device may have no end.
    if (!stats.isFile() && !stats.isDirectory()) throw new CannotRun(`${file} is not a regular file`);
    if (stats.size > maxBytes) throw new CannotRun(`${file} has ${stats.size} bytes; at most ${maxBytes} are allowed`);
    return readFileSync(file);
  } catch (error) {
    if (error instanceof CannotRun) throw error;
    throw unreadableFileError(file, error);
  }
}

function unreadableFileError(file: string, error: unknown): CannotRun {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new CannotRun(`the file ${file} does not exist`);
  return new CannotRun(`${file} cannot be read: ${REASONS[code ?? ''] ?? message}`);
}

const REASONS: Readonly<Record<string, string>> = { EACCES: 'permission denied', EISDIR: 'it is a directory' };
