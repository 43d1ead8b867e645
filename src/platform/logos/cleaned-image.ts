import type { LogoMediaType } from '../../domain/logo.ts';
import { english } from '../../language/english.ts';
import { message, type Message } from '../../language/message.ts';

/** An image without animation or metadata, such as comments, thumbnails, or the location and camera of a photograph. */
export interface CleanedImage {
  readonly mediaType: LogoMediaType;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
}

/**
 * Thrown when a file does not consist of exactly one image, or the image is animated or of an unsupported kind.
 * A file with data after the image could also be a file of another format (a polyglot).
 */
export class InvalidImageError extends Error {
  readonly problem: Message;

  constructor(problem: Message) {
    super(english.text(problem));
    this.problem = problem;
  }
}

/**
 * Returns `length` bytes of the file.
 * @throws InvalidImageError if the file is truncated
 */
export function bytesAt(file: Buffer, offset: number, length: number): Buffer {
  if (length < 0 || offset + length > file.length) throw new InvalidImageError(message('logo-problem.cut-off'));
  return file.subarray(offset, offset + length);
}

/** @throws InvalidImageError if data follows the image */
export function requireEnd(file: Buffer, end: number): void {
  if (end !== file.length) throw new InvalidImageError(message('logo-problem.excess'));
}
