import { open } from 'node:fs/promises';
import { basename, dirname, relative } from 'node:path';

/** The portable maximum: 104 bytes on macOS, 108 on Linux, including the terminating NUL. */
const MAX_ADDRESS_BYTES = 103;

/** A name for a socket, valid until it is released. */
export interface SocketAddress {
  readonly address: string;
  readonly release: () => Promise<void>;
}

/**
 * Returns a name for the socket at `path` that is short enough: the path itself, the path relative to the working
 * directory, or (on Linux) a path through an open directory. The directory must exist.
 * @throws Error if the path is too long, and this system offers no alternative
 */
export async function socketAddress(path: string): Promise<SocketAddress> {
  const shortName = [path, relative(process.cwd(), path)].find((name) => Buffer.byteLength(name) <= MAX_ADDRESS_BYTES);
  if (shortName !== undefined) return { address: shortName, release: async () => {} };
  if (process.platform !== 'linux') {
    throw new Error(
      `${path} is too long for a socket (at most ${MAX_ADDRESS_BYTES} bytes); choose a shorter data directory`,
    );
  }
  const directory = await open(dirname(path));
  return { address: `/proc/self/fd/${directory.fd}/${basename(path)}`, release: () => directory.close() };
}
