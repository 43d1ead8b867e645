import { open } from 'node:fs/promises';
import { basename, dirname, relative } from 'node:path';

/** What fits into a socket address everywhere: 108 bytes on Linux, 104 on macOS, one of them a zero. */
const MAX_ADDRESS_BYTES = 103;

/** A name under which the system can reach a socket, for as long as it is not released. */
export interface SocketAddress {
  readonly address: string;
  readonly release: () => Promise<void>;
}

/**
 * A short enough name for the socket at `path`, whose directory exists: the path itself, the way
 * there from the working directory, or (on Linux) the way there through an open directory.
 * @throws Error the path is too long and this system offers no other way there
 */
export async function socketAddress(path: string): Promise<SocketAddress> {
  const short = [path, relative(process.cwd(), path)].find((name) => Buffer.byteLength(name) <= MAX_ADDRESS_BYTES);
  if (short !== undefined) return { address: short, release: async () => {} };
  if (process.platform !== 'linux') {
    throw new Error(
      `${path} is too long for a socket (${MAX_ADDRESS_BYTES} bytes at most); choose a shorter data directory`,
    );
  }
  const directory = await open(dirname(path));
  return { address: `/proc/self/fd/${directory.fd}/${basename(path)}`, release: () => directory.close() };
}
