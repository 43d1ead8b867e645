import { open, type FileHandle } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import type { SealedFile } from './seal.ts';

/**
 * Writes `chunks` to a file with mode 0600, and returns the file's size and hash. The contents are durable when the
 * promise resolves. Asynchronous, unlike the helpers in `platform/files`, because archive files are large.
 */
export async function writePrivateFile(
  path: string,
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<SealedFile> {
  const file = await open(path, 'w', 0o600);
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of chunks) {
      await file.writeFile(chunk); // unlike file.write(), always writes the whole chunk
      hash.update(chunk);
      bytes += chunk.length;
    }
    await file.sync();
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

/** Makes earlier renames in the directory durable. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/**
 * Reads `bytes` bytes at `offset`.
 * @throws Error if the file is too short
 */
export async function readExactly(file: FileHandle, offset: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(bytes);
  for (let bytesDone = 0; bytesDone < bytes;) {
    const { bytesRead } = await file.read(buffer, bytesDone, bytes - bytesDone, offset + bytesDone);
    if (bytesRead === 0) throw new Error('it is truncated');
    bytesDone += bytesRead;
  }
  return buffer;
}
