import { readRecordedHead } from '../audit/proofs/recorded-head.ts';
import type { Config } from '../config/config.ts';
import { openStorage } from './open-storage.ts';
import { START } from '../event-store/event-log.ts';
import { createService, type Service, type ServiceParts } from './service.ts';
import { openDiskSpace, type FreeBytes } from '../platform/files/disk-space.ts';
import { makePrivateDirectory } from '../platform/files/private-files.ts';

type OpenServiceParts = Pick<ServiceParts, 'clock' | 'entropy' | 'hasher' | 'issuer' | 'notice' | 'metrics' | 'space'>;

/**
 * Opens `config.dataDir`, creating it at the first start.
 * @param parts.freeBytes replaces the system's figure for free disk space
 * @throws LogLocked if another process has it open
 * @throws LogDamaged, LogTampered if acknowledged events are lost or damaged
 */
export async function openService(
  config: Config,
  parts: Omit<OpenServiceParts, 'space'> & { readonly freeBytes?: FreeBytes },
): Promise<Service> {
  makePrivateDirectory(config.dataDir);
  const { entropy, freeBytes, notice = () => {} } = parts;
  const space = await openDiskSpace({
    dataDir: config.dataDir,
    minFreeBytes: config.minFreeDiskBytes,
    entropy,
    notice,
    freeBytes,
  });
  try {
    return await openServiceWith(config, { ...parts, space });
  } catch (error) {
    await space.close();
    throw error;
  }
}

async function openServiceWith(config: Config, parts: OpenServiceParts): Promise<Service> {
  const { notice = () => {}, entropy, metrics } = parts;
  const data = await openStorage(config, { entropy, observer: metrics?.commits, notice });
  try {
    data.log.archive?.assertComplete();
    // A node that joins has seen no event of a log that others wrote.
    const isShared = data.log.shared !== undefined;
    const mayBeMissing = data.log.head() === START || data.keys.needUpgrade || isShared;
    const recorded = readRecordedHead(data.heads, { mayBeMissing, isShared, notice });
    const service = await createService({ config, ...data, ...parts, recorded });
    await data.keys.upgrade(); // from now on, a missing head means that it was removed
    return service;
  } catch (error) {
    await data.log.close();
    data.closeKeys?.();
    throw error;
  }
}
