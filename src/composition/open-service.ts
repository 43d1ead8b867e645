import { join } from 'node:path';
import { readRecordedHead } from '../audit/proofs/log-witness.ts';
import type { Config } from '../config/config.ts';
import { readClientAuthorities } from './client-authorities.ts';
import { createDataDirectory } from './directory-state.ts';
import { openStorage } from './open-storage.ts';
import { InvalidEventError } from '../domain/events.ts';
import { START, type EventLog } from '../event-store/event-log.ts';
import { createService, type Service, type ServiceDeps } from './service.ts';
import { openRefusalStore, REFUSALS_FILE, type RefusalStore } from '../oauth/refusals/refusal-store.ts';
import { openDiskSpace, type FreeBytes } from '../platform/files/disk-space.ts';

type OpenServiceDeps = Pick<
  ServiceDeps,
  'clock' | 'entropy' | 'hasher' | 'issuer' | 'notice' | 'report' | 'metrics' | 'space'
>;

/**
 * Opens the service on the log in `config.dataDir` or in PostgreSQL. Creates the data directory if it does not exist.
 * @param deps.freeBytes replaces the system call that reads the free disk space
 * @throws Error if the data directory cannot be used, for example because it is a file
 * @throws LogLocked if another process has the log open
 * @throws LogDamaged, LogTampered if acknowledged events are lost or damaged
 */
export async function openService(
  config: Config,
  deps: Omit<OpenServiceDeps, 'space'> & { readonly freeBytes?: FreeBytes },
): Promise<Service> {
  createDataDirectory(config.dataDir);
  const { entropy, freeBytes, notice = () => {} } = deps;
  const space = await openDiskSpace({
    dataDir: config.dataDir,
    minFreeBytes: config.minFreeDiskBytes,
    entropy,
    notice,
    freeBytes,
  });
  try {
    return await openServiceWith(config, { ...deps, space });
  } catch (error) {
    await space.close();
    throw error;
  }
}

async function openServiceWith(config: Config, deps: OpenServiceDeps): Promise<Service> {
  const { notice = () => {}, report = () => {}, entropy, metrics } = deps;
  report(config.log === null ? `opening the event log in ${config.dataDir}` : 'opening the event log in PostgreSQL');
  const data = await openStorage(config, { entropy, observer: metrics?.commits, notice });
  let refusalStore: RefusalStore | undefined;
  try {
    data.log.archive?.assertComplete();
    // A new node of a shared log has not recorded a head yet.
    const isShared = data.log.shared !== undefined;
    const mayBeMissing = data.log.head() === START || data.keys.needsUpgrade || isShared;
    const recordedHead = readRecordedHead(data.heads, { mayBeMissing, isShared, notice });
    refusalStore = await openRefusalStore({
      path: join(config.dataDir, REFUSALS_FILE),
      key: data.keys.refusals,
      entropy,
      ticks: deps.clock.ticks,
      notice,
    });
    const clientAuthorities = readClientAuthorities(config.tlsClientCaFile, deps.clock.now());
    const service = await createService({
      config,
      ...data,
      ...deps,
      recordedHead,
      refusalStore,
      clientAuthorities,
    });
    await data.keys.upgrade(); // from now on, a missing head means that the head was removed
    return service;
  } catch (error) {
    const explainedError = await explainLaterEvent(error, data.log);
    await refusalStore?.close();
    await data.log.close();
    data.closeKeys?.();
    throw explainedError;
  }
}

/**
 * If `cause` reports an event that this release does not recognize, returns an error that names the release that first
 * declared the event's type. Returns `cause` for other errors, and if that release is unknown. A node cannot start on a
 * log with such an event, because it could apply neither this event nor later ones.
 */
async function explainLaterEvent(cause: unknown, { shared }: Pick<EventLog, 'shared'>): Promise<unknown> {
  if (!(cause instanceof InvalidEventError) || cause.unknownEvent === undefined) return cause;
  const { type, version } = cause.unknownEvent;
  const release = await shared?.releaseOf?.(type, version).catch(() => undefined);
  if (release === undefined) return cause;
  return new Error(
    `the log contains an event, ${type} version ${version}, that was written by release ${release} and that this ` +
      'release does not recognize; run that release on this node as well',
    { cause },
  );
}
