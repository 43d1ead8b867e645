import type { Attestation } from '../audit/proofs/attestation.ts';
import type { RecordedHead } from '../audit/proofs/head-file.ts';
import type { Config } from '../config/config.ts';
import { liveConfig } from '../config/live-config.ts';
import type { EpochSeconds } from '../domain/values.ts';
import type { EventLog } from '../event-store/event-log.ts';
import { assertSpace, isDiskFull, withSpaceCheck } from '../event-store/out-of-space.ts';
import { createSnapshots } from '../event-store/snapshots/snapshots.ts';
import type { DiskSpace } from '../platform/files/disk-space.ts';
import { watchKeys } from '../platform/keys/cookie-keys.ts';
import type { Keys } from '../platform/keys/keys.ts';
import type { Clock, Entropy } from '../platform/ports.ts';
import { reportClockProblem } from './clock-behind.ts';
import { createCommandHandlers } from './command-handlers.ts';
import type { DataDirectory } from './data-directory.ts';
import { followErasures } from './followed-erasures.ts';
import { joinLog, type JoinedLog } from './joined-log.ts';
import { createProjectionsAsOf, createRebuild, startProjections } from './running-projections.ts';
import { createVaults, watchSealKeys } from './vaults.ts';

interface StorageDeps extends Omit<DataDirectory, 'keys' | 'signingKeyring'> {
  readonly keys: Keys;
  readonly recordedHead: RecordedHead | undefined;
  readonly config: Config;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly issuer: () => string;
  readonly space: DiskSpace;
  readonly notice: (line: string) => void;
  readonly report?: (line: string) => void;
}

/**
 * Creates the components that read and write the log: the projections, the command handlers, the vaults for sealed
 * data, and the settings with the changes in the log. Resolves when the projections are up to date.
 */
export async function startStorage(deps: StorageDeps) {
  const { keys, config, entropy, space, notice } = deps;
  const { maxStalenessSeconds, snapshotEvents } = config;
  const joinedLog = joinLog(deps.log, { clock: deps.clock, maxStalenessSeconds, notice });
  const { log, clock } = joinedLog ?? deps;
  const { users: vault, clients: secretVault, unsealers } = createVaults(deps, entropy, () => assertSpace(space));
  const snapshots = createSnapshots({
    store: deps.snapshots,
    key: keys.snapshots,
    log,
    everyEvents: snapshotEvents,
    isWriter: () => deps.checkpoints.shared?.isLeader() ?? true,
    space,
    notice,
  });
  const commands = createCommandHandlers(withSpaceCheck(log, space), clock.now, joinedLog !== undefined);
  const erasures = followErasures();
  const { cookieKeys, ...watchedKeys } = watchKeys(keys, { store: deps.keyStore, clock: deps.clock, notice });
  await watchedKeys.check();
  const runningProjections = await startProjections({
    ...deps,
    log: joinedLog?.withFollowers(commands.follow, erasures.follow) ?? log,
    key: keys.log,
    snapshots,
    open: unsealers,
    ticks: clock.ticks,
  });
  const { projections, attestation, projector, headKeeper, backgroundCheck, onApplied } = runningProjections;
  reportClockProblem(projections.clock.newestAt(), clock.now(), notice);
  const { failed, isLogWritable } = watchFailures({ log, joinedLog, attestation, space });
  const freshness = joinedLog?.trackFreshness(projector.position);
  const sealKeys = await watchSealKeys(deps, { projections, clientState: commands.clients.state, clock, notice });
  erasures.start(sealKeys);

  async function close(): Promise<void> {
    await space.close();
    await runningProjections.prepareToClose();
    await log.close();
    await space.makeRoom();
    await sealKeys.lostKeys.close();
    await sealKeys.lostClientKeys.close();
    await runningProjections.finish();
    await snapshots.finish();
    watchedKeys.close();
    deps.closeKeys?.();
  }

  return {
    log,
    now: () => Math.floor(clock.now() / 1000) as EpochSeconds,
    settings: liveConfig(config, projections.changedSettings.values),
    commands,
    vault,
    secretVault,
    position: projector.position,
    headKeeper,
    onApplied,
    failed,
    close,
    /** The members that the service exposes. */
    parts: {
      ...sealKeys,
      clock,
      cookieKeys,
      freshness,
      projections,
      projector,
      attestation,
      backgroundCheck,
      isLogWritable,
      projectionsAsOf: createProjectionsAsOf(log, snapshots, unsealers),
      rebuild: createRebuild(log, unsealers),
      snapshotsSettled: snapshots.settled,
    },
  };
}

/**
 * Watches the log for failures. Stops this node if its log diverges from the shared log, and makes room on the disk if
 * the disk is full.
 */
function watchFailures(deps: {
  readonly log: Pick<EventLog, 'failed'>;
  readonly joinedLog: Pick<JoinedLog, 'stop'> | undefined;
  readonly attestation: Pick<Attestation, 'diverged'>;
  readonly space: Pick<DiskSpace, 'makeRoom'>;
}) {
  const { log, joinedLog, attestation, space } = deps;
  let isLogWritable = true;
  void attestation.diverged.then(({ message }) => joinedLog?.stop(message));
  const failed = Promise.race([log.failed, attestation.diverged]);
  void failed.then((cause) => {
    isLogWritable = false;
    return isDiskFull(cause) ? space.makeRoom() : undefined;
  });
  return { failed, isLogWritable: () => isLogWritable };
}
