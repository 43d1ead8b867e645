import { open } from 'node:fs/promises';
import { basename, dirname, relative } from 'node:path';

/** The portable maximum: 104 bytes on macOS, 108 on Linux, including the terminating NUL. */
const MAX_ADDRESS_BYTES = 103;

/** The address of a socket, valid until it is released. */
export interface SocketAddress {
  readonly address: string;
  readonly release: () => Promise<void>;
}

/**
 * Returns a sufficiently short address of the socket at `path`: the path itself, the path relative to the working
 * directory, or (on Linux) a path through an open directory. The directory must exist.
 * @throws Error if the path is too long, and this system offers no alternative
 */
export async function socketAddress(path: string): Promise<SocketAddress> {
  const address = [path, relative(process.cwd(), path)].find((text) => Buffer.byteLength(text) <= MAX_ADDRESS_BYTES);
  if (address !== undefined) return { address, release: async () => {} };
  if (process.platform !== 'linux') {
    throw new Error(
      `${path} is too long for a socket (at most ${MAX_ADDRESS_BYTES} bytes); ` +
        'choose a data directory with a shorter path',
    );
  }
  const directory = await open(dirname(path));
  return { address: `/proc/self/fd/${directory.fd}/${basename(path)}`, release: () => directory.close() };
}
