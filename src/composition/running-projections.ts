import { createAttestation, type Attestation, type AttestationDeps } from '../audit/proofs/attestation.ts';
import { createBackgroundCheck, type BackgroundCheck } from '../audit/proofs/background-check.ts';
import type { HeadStore } from '../audit/proofs/head-file.ts';
import { createHeadKeeper, type HeadKeeper } from '../audit/proofs/head-keeper.ts';
import { createLogTree } from '../audit/proofs/log-tree.ts';
import { DISCARDING_TILE_STORE } from '../audit/proofs/tile-store.ts';
import { START, type EventLog, type Position, type RecordedEvent } from '../event-store/event-log.ts';
import { startProjector, REPLAY_START, replay, replayUntil, type Projector } from '../event-store/projector.ts';
import { createProjections, orderedProjections, type Unsealers, type Projections } from '../projections/projections.ts';
import type { Snapshots } from '../event-store/snapshots/snapshots.ts';
import { reportReplay } from './replay-report.ts';

/**
 * A point in the log's past: the end of the longest prefix of the log whose events are at or before `position` and were
 * recorded at or before `time` (milliseconds since the epoch).
 */
interface PointInTime {
  readonly position: number;
  readonly time: number;
}

export type ProjectionsAsOf = (
  moment: PointInTime,
) => Promise<{ readonly projections: Projections; readonly last: RecordedEvent | undefined }>;

/** Creates the function that restores past projections from the latest earlier snapshot and the events after it. */
export function createProjectionsAsOf(
  log: Pick<EventLog, 'readAll'>,
  snapshots: Pick<Snapshots, 'restore'>,
  open: Unsealers,
): ProjectionsAsOf {
  const create = () => {
    const projectionsByName = createProjections(open);
    return { projectionsByName, projections: orderedProjections(projectionsByName) };
  };
  return async ({ position, time }) => {
    const snapshot = await snapshots.restore((header) => header.position <= position && header.latest <= time, create);
    const { projectionsByName, projections } = snapshot?.value ?? create();
    const last = await replayUntil(
      log,
      projections,
      snapshot?.progress.position ?? START,
      (event) => event.position > position || event.recordedAt > time,
    );
    return { projections: projectionsByName, last: last ?? snapshot?.lastEvent };
  };
}

/** Rebuilds the projections from scratch, to compare their digests with those of the running ones. */
export type Rebuild = (progress: (position: Position) => void) => Promise<Projector>;

export function createRebuild(log: Pick<EventLog, 'readAll'>, open: Unsealers): Rebuild {
  return (progress) =>
    replay(log, [...orderedProjections(createProjections(open)), createLogTree(DISCARDING_TILE_STORE)], progress);
}

/** Starting a thread takes as long as replaying a tenth of this many events. */
const MIN_EVENTS_FOR_THREAD = 100_000;

/** The time within which a new leader takes a snapshot that is already due, even if nothing is appended to the log. */
const LEADER_CHECK_INTERVAL_MILLISECONDS = 1_000;

export interface ProjectionDeps extends Omit<AttestationDeps, 'catchUp' | 'onIssued'> {
  readonly log: EventLog;
  readonly heads: HeadStore;
  readonly snapshots: Snapshots;
  readonly open: Unsealers;
  readonly notice: (line: string) => void;
  /** Receives a line about each startup step. */
  readonly report?: (line: string) => void;
}

/** Projections that follow the log, and the components that prove that the log is complete. */
export interface RunningProjections {
  readonly projections: Projections;
  readonly attestation: Attestation;
  readonly projector: Projector;
  readonly headKeeper: HeadKeeper;
  readonly backgroundCheck: BackgroundCheck;
  /** Sets the only listener, which is called after events have been applied and must not throw. */
  readonly onApplied: (listener: () => void) => void;
  /** Call this before closing the log: issues a last checkpoint if this node is the leader. */
  readonly prepareToClose: () => Promise<void>;
  /**
   * Call this after closing the log: records the head, and waits until the tiles are written. First issues a last
   * checkpoint, unless nodes share the log.
   */
  readonly finish: () => Promise<void>;
}

/**
 * Restores the projections and keeps them up to date with the log.
 * @throws LogTampered if the log does not match the recorded head, the newest checkpoint or the tiles
 */
export async function startProjections(deps: ProjectionDeps): Promise<RunningProjections> {
  const { log, tiles, checkpoints, heads, snapshots, open, notice, report = () => {}, ticks } = deps;
  let scheduleHeadWrite: (() => void) | undefined; // set after the replay
  const recordHeadSoon = (): void => scheduleHeadWrite?.();
  const create = () => {
    const projectionsByName = createProjections(open);
    const attestation = createAttestation({ ...deps, onIssued: recordHeadSoon, catchUp: log.shared?.catchUp });
    return {
      projectionsByName,
      attestation,
      projections: [...orderedProjections(projectionsByName), attestation.tree],
    };
  };
  const snapshot = await snapshots.restore(({ position }) => position <= log.head(), create);
  const { projectionsByName, attestation, projections } = snapshot?.value ?? create();
  const snapshotSource = {
    projections,
    root: () => Buffer.from(attestation.tree.head().rootHash).toString('base64'),
    async settled() {
      await tiles.settled();
      await tiles.publish?.(attestation.tree.head().size, attestation.tree.findTile);
    },
  };
  const from = snapshot?.progress ?? REPLAY_START;
  const replayReport = reportReplay({ from: from.position, head: log.head() }, { ticks, report });
  let listener: (() => void) | undefined;
  const follow = () =>
    startProjector(log, projections, from, (_events, reached) => {
      replayReport.onBatch(reached.position);
      snapshots.onApplied(reached, snapshotSource);
      recordHeadSoon();
      listener?.();
    });
  const projector = await (log.head() - from.position < MIN_EVENTS_FOR_THREAD
    ? follow()
    : attestation.tree.withHashingThread(follow));
  replayReport.onFinished();
  attestation.assertNotTruncated();
  await attestation.start();
  await heads.write(attestation.recordedHead()); // before the first append, so that a missing head indicates a loss
  const headKeeper = createHeadKeeper({ store: heads, currentHead: attestation.recordedHead, notice });
  scheduleHeadWrite = headKeeper.schedule;
  const evidence = { tiles, checkpoints, heads };
  const backgroundCheck = createBackgroundCheck({ log, evidence, head: attestation.tree.head(), ticks, notice });

  /** Issues a last checkpoint. If this fails, the next startup or another node will issue one. */
  async function issueLastCheckpoint(): Promise<void> {
    await attestation.checkpointNow().catch((error: unknown) => {
      notice(`cannot issue a last checkpoint: ${String(error)}`);
    });
  }

  const snapshotTimer = log.shared && setInterval(snapshots.writeIfDue, LEADER_CHECK_INTERVAL_MILLISECONDS).unref();

  async function prepareToClose(): Promise<void> {
    clearInterval(snapshotTimer);
    if (log.shared !== undefined && attestation.isLeader()) await issueLastCheckpoint();
  }

  async function finish(): Promise<void> {
    if (log.shared === undefined) await issueLastCheckpoint();
    await headKeeper.flush();
    await tiles.settled().catch(() => {}); // already reported; the next startup recreates the tiles
  }
  return {
    projections: projectionsByName,
    attestation,
    projector,
    headKeeper,
    backgroundCheck,
    onApplied: (newListener) => void (listener = newListener),
    prepareToClose,
    finish,
  };
}
