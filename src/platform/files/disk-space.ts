import { statfs } from 'node:fs/promises';
import type { Entropy } from '../ports.ts';
import { createDiskReserve, RESERVE_BYTES } from './disk-reserve.ts';

/** The free space on the data directory's disk. Below a low-water mark, the server refuses appends. */
export interface DiskSpace {
  /** Reports whether appends are refused. */
  isLow(): boolean;
  /**
   * Removes the reserve file if the disk is nearly full. Call this before writes that cannot wait, such as those during
   * shutdown.
   */
  makeRoom(): Promise<void>;
  /** Measures the free space, and resolves once `isLow` is false. */
  waitForSpace(): Promise<void>;
  /** Stops measuring. Waits until a reserve file that is being written is either complete or removed. */
  close(): Promise<void>;
}

/** Measures the free bytes on a directory's disk. */
export type FreeBytes = (directory: string) => Promise<number>;

/** For a service that does not write to a disk. */
export const UNLIMITED_SPACE: DiskSpace = {
  isLow: () => false,
  makeRoom: async () => {},
  waitForSpace: async () => {},
  close: async () => {},
};

export interface DiskSpaceDeps {
  readonly dataDir: string;
  /** The low-water mark: appends need this many free bytes in addition to the reserve. */
  readonly minFreeBytes: number;
  readonly entropy: Entropy;
  /** Called with a log line when the server starts to refuse appends, and when it accepts them again. */
  readonly notice: (line: string) => void;
  readonly freeBytes?: FreeBytes | undefined;
}

const INTERVAL_MILLISECONDS = 1_000;

/** Appends resume well above the low-water mark, so that they do not stop again immediately. */
const RESUME_FACTOR = 1.25;

const MEBIBYTE = 1_048_576;

const systemFreeBytes: FreeBytes = async (directory) => {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
};

/**
 * Starts to measure the free space about every second. If the disk is so full that startup could fail, removes the
 * reserve file first.
 */
export async function openDiskSpace(deps: DiskSpaceDeps): Promise<DiskSpace> {
  const { dataDir, minFreeBytes, entropy, notice, freeBytes = systemFreeBytes } = deps;
  const reserve = createDiskReserve(dataDir, entropy);
  let isLow = false;
  let measurement: Promise<void> | undefined;
  let waiters: (() => void)[] = [];

  /** Counts the reserve as available, so that removing or creating the reserve does not change the result. */
  async function availableBytes(): Promise<number> {
    return (await freeBytes(dataDir)) + reserve.bytes();
  }

  function update(bytes: number): void {
    const wasLow = isLow;
    isLow = bytes - RESERVE_BYTES < minFreeBytes * (wasLow ? RESUME_FACTOR : 1);
    if (isLow === wasLow) return;
    notice(isLow ? describeLowSpace(bytes) : 'there is enough free disk space again; appends are accepted');
    if (isLow) return;
    for (const resume of waiters) resume();
    waiters = [];
  }

  function describeLowSpace(bytes: number): string {
    const freeSpace = `only ${Math.floor(bytes / MEBIBYTE)} MiB are free in ${dataDir}, including the server's reserve`;
    const neededMebibytes = Math.ceil((minFreeBytes * RESUME_FACTOR + RESERVE_BYTES) / MEBIBYTE);
    return `${freeSpace}; requests that record events are refused until ${neededMebibytes} MiB are free`;
  }

  async function measureOnce(): Promise<void> {
    update(await availableBytes());
    if (!isLow && reserve.bytes() < RESERVE_BYTES) await reserve.create();
  }

  /** Ignores errors, because a broken disk also causes errors elsewhere. */
  function measure(): Promise<void> {
    measurement ??= measureOnce()
      .catch(() => {})
      .finally(() => (measurement = undefined));
    return measurement;
  }

  async function release(): Promise<void> {
    if ((await freeBytes(dataDir)) < RESERVE_BYTES) reserve.release();
    update(await availableBytes());
  }

  const makeRoom = (): Promise<void> => release().catch(() => {});

  await makeRoom();
  const timer = setInterval(() => void measure(), INTERVAL_MILLISECONDS).unref();

  return {
    isLow: () => isLow,
    makeRoom,
    async waitForSpace() {
      await makeRoom(); // measures again, because the caller's write may have failed since the last measurement
      if (isLow) await new Promise<void>((resolve) => waiters.push(resolve));
    },
    async close() {
      clearInterval(timer);
      await measurement;
    },
  };
}
