import type { LogoMediaType } from '../../domain/logo.ts';
import { english } from '../../language/english.ts';
import { message, type Message } from '../../language/message.ts';

/** An image without metadata such as the place and camera of a photograph, comments, thumbnails and animations. */
export interface CleanedImage {
  readonly mediaType: LogoMediaType;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
}

/**
 * A file is not one image from its first to its last byte. A file with something after the image could be of a second
 * format, too (a polyglot).
 */
export class InvalidImage extends Error {
  readonly problem: Message;

  constructor(problem: Message) {
    super(english.text(problem));
    this.problem = problem;
  }
}

/** @throws InvalidImage the file is truncated */
export function take(file: Buffer, from: number, length: number): Buffer {
  if (length < 0 || from + length > file.length) throw new InvalidImage(message('logo-problem.cut-off'));
  return file.subarray(from, from + length);
}

/** @throws InvalidImage something follows the image */
export function requireEnd(file: Buffer, end: number): void {
  if (end !== file.length) throw new InvalidImage(message('logo-problem.excess'));
}
