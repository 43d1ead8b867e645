import { open, type FileHandle } from 'node:fs/promises';

type Write = (data: Buffer, offset: number, length: number, position: number) => Promise<unknown>;

/**
 * Runs `task` as if the disk accepted at most `maxBytes` per write and were full after `roomBytes`. The last write
 * before that can be shorter. This affects writes to open files with the promise API.
 */
export async function withShortWrites(
  { maxBytes, roomBytes = Infinity }: { readonly maxBytes: number; readonly roomBytes?: number },
  task: () => Promise<void>,
): Promise<void> {
  const prototype = await getFileHandlePrototype();
  const originalWrite = prototype.write;
  let remaining = roomBytes;

  async function shortWrite(this: FileHandle, data: Buffer | string, ...rest: readonly unknown[]): Promise<unknown> {
    const isText = typeof data === 'string';
    const bytes = isText ? Buffer.from(data, 'latin1') : data;
    const [offset, length, position] = isText ? [0, bytes.length, rest[0]] : rest;
    const acceptedBytes = Math.min(Number(length), maxBytes, remaining);
    if (acceptedBytes === 0)
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    remaining -= acceptedBytes;
    return originalWrite.call(this, bytes, Number(offset), acceptedBytes, Number(position));
  }

  prototype.write = shortWrite;
  try {
    await task();
  } finally {
    prototype.write = originalWrite;
  }
}

async function getFileHandlePrototype(): Promise<{ write: Write }> {
  const file = await open('/dev/null');
  await file.close();
  return Object.getPrototypeOf(file) as { write: Write };
}
