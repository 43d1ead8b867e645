import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import type { CliContext } from './context.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import { CannotRunError } from './exit.ts';

/**
 * Reads a text file; `-` stands for standard input.
 * @throws CannotRunError if the file cannot be read or is not UTF-8
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

/**
 * Checks that the file or directory can be read.
 * @throws CannotRunError if access is denied or the file does not exist; the message states the reason
 */
export function requireReadable(file: string): void {
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    throw unreadableFileError(file, error);
  }
}

/**
 * Reads a regular file.
 * @throws CannotRunError if the file cannot be read, is larger than `maxBytes`, or is not a regular file
 */
export function readSmallFile(file: string, maxBytes: number): Buffer {
  try {
    const stats = statSync(file);
    // Reading a directory fails below, with a clearer message. Reading a device may never end.
    if (!stats.isFile() && !stats.isDirectory()) throw new CannotRunError(`${file} is not a regular file`);
    if (stats.size > maxBytes)
      throw new CannotRunError(`${file} has ${stats.size} bytes; at most ${maxBytes} are allowed`);
    return readFileSync(file);
  } catch (error) {
    if (error instanceof CannotRunError) throw error;
    throw unreadableFileError(file, error);
  }
}

function unreadableFileError(file: string, error: unknown): CannotRunError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new CannotRunError(`the file ${file} does not exist`);
  return new CannotRunError(`${file} cannot be read: ${REASONS[code ?? ''] ?? message}`);
}

const REASONS: Readonly<Record<string, string>> = { EACCES: 'permission denied', EISDIR: 'it is a directory' };
