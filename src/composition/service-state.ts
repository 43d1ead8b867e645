import type { LostAccountKeys } from '../accounts/lost-account-keys.ts';
import type { Attestation } from '../audit/proofs/attestation.ts';
import type { BackgroundCheck } from '../audit/proofs/background-check.ts';
import type { HeadKeeper } from '../audit/proofs/head-keeper.ts';
import type { Config } from '../config/config.ts';
import type { SigningPeriod } from '../domain/signing-keys.ts';
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from '../domain/values.ts';
import type { Freshness } from '../event-store/freshness.ts';
import type { Projector } from '../event-store/projector.ts';
import type { LostClientKeys } from '../oauth/clients/lost-client-keys.ts';
import type { Explanations } from '../oauth/refusals/explanations.ts';
import type { RefusalStore } from '../oauth/refusals/refusal-store.ts';
import type { DiskSpace } from '../platform/files/disk-space.ts';
import type { PasswordHashing } from '../platform/hashing/password-hashing.ts';
import type { RateLimits } from '../platform/limits/rate-limits.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { ServiceState } from '../platform/metrics/state-gauges.ts';
import { createStorageMeter } from '../platform/metrics/storage-sizes.ts';
import type { Clock } from '../platform/ports.ts';
import type { Projections } from '../projections/projections.ts';
import type { DataDirectory } from './data-directory.ts';

/** The components whose state is measured. */
export interface MeasuredDeps extends Pick<DataDirectory, 'log' | 'checkpoints' | 'snapshots' | 'tiles'> {
  readonly config: Pick<Config, 'dataDir' | 'archive'>;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly space: DiskSpace;
  readonly isLogWritable: () => boolean;
  readonly projector: Projector;
  readonly projections: Pick<Projections, 'accessTokens' | 'clock' | 'logouts' | 'signingKeys'>;
  readonly attestation: Attestation;
  readonly backgroundCheck: BackgroundCheck;
  readonly headKeeper: HeadKeeper;
  readonly explanations: Explanations;
  readonly refusalStore: RefusalStore | undefined;
  readonly limits: RateLimits;
  readonly hashing: PasswordHashing;
  readonly lostKeys: LostAccountKeys;
  readonly lostClientKeys: LostClientKeys;
  readonly freshness: Freshness | undefined;
}

/** Creates the functions with which the metrics read the state of the service. */
export function createServiceState(deps: MeasuredDeps): ServiceState {
  const { attestation, backgroundCheck, projections, freshness } = deps;
  const { shared } = deps.log;
  const now = (): number => Math.floor(deps.clock.now() / 1000);
  return {
    logHead: deps.log.head,
    isLogWritable: deps.isLogWritable,
    projectedEvents: deps.projector.position,
    accessTokens: projections.accessTokens.size,
    refusals: deps.explanations.counts,
    rateLimitRefusals: deps.limits.refusals,
    passwordHashes: deps.hashing.load,
    passwordHashQueues: deps.hashing.queues,
    signingKeySecondsLeft: () => signingSecondsLeft(projections.signingKeys.all(), now()),
    logoutDeliveries: () => ({ ...projections.logouts.counts() }),
    checkpoints: () => ({ count: deps.checkpoints.count(), newest: attestation.newestCheckpointSize() }),
    snapshots: deps.snapshots.positions,
    storage: createStorageMeter(deps.config, deps.metrics.ticks, shared?.storedBytes),
    storedLogCheck: () => ({ checked: backgroundCheck.position(), damagedPlaces: backgroundCheck.findings().length }),
    isDiskLow: deps.space.isLow,
    clockBehindSeconds: () => Math.max(0, projections.clock.newestAt() / 1000 - now()),
    accountsWithoutKey: () => deps.lostKeys.accounts().length,
    clientsWithoutKey: () => deps.lostClientKeys.clients().length,
    writeFailures: () => ({
      tiles: deps.tiles.failures(),
      head: deps.headKeeper.failures(),
      refusals: deps.refusalStore?.counts().failures ?? 0,
    }),
    storedRefusals: () => deps.refusalStore?.counts() ?? { stored: 0, skipped: 0 },
    ...(freshness === undefined || shared === undefined
      ? {}
      : {
          sharedLog: {
            isLeader: attestation.isLeader,
            catchUps: freshness.catchUps,
            stalenessSeconds: () => freshness.staleness() / 1000,
            isServing: () => freshness.problem() === undefined,
            clockOffsetSeconds: () => shared.clockOffset() / 1000,
            counts: shared.counts,
          },
        }),
  };
}

/** Returns, for each algorithm, the seconds until its last key stops signing, or null if it has never had a key. */
function signingSecondsLeft(keys: readonly SigningPeriod[], now: number): Readonly<Record<string, number | null>> {
  const secondsLeft = (name: SigningAlgorithm): number | null => {
    const keysOfAlgorithm = keys.filter(({ algorithm }) => algorithm === name);
    if (keysOfAlgorithm.length === 0) return null;
    const usableKeys = keysOfAlgorithm.filter(({ retired }) => retired === null);
    return Math.max(0, ...usableKeys.map(({ until }) => until - now));
  };
  return Object.fromEntries(SIGNING_ALGORITHMS.map((algorithm) => [algorithm, secondsLeft(algorithm)]));
}
