import { createAttestation, type Attestation, type AttestationParts } from '../audit/proofs/attestation.ts';
import { createBackgroundCheck, type BackgroundCheck } from '../audit/proofs/background-check.ts';
import type { HeadStore } from '../audit/proofs/head-file.ts';
import { createHeadKeeper, type HeadKeeper } from '../audit/proofs/head-keeper.ts';
import { createLogTree } from '../audit/proofs/log-tree.ts';
import { DISCARDING_TILE_STORE } from '../audit/proofs/tile-store.ts';
import { START, type EventLog, type Position, type RecordedEvent } from '../event-store/event-log.ts';
import { startProjector, REPLAY_START, replay, replayUntil, type Projector } from '../event-store/projector.ts';
import { createProjections, applyOrder, type SealOpeners, type Projections } from '../projections/projections.ts';
import type { Snapshots } from '../event-store/snapshots/snapshots.ts';

/** A moment in the log's past: the last event that is at `position` or before it and that, with all before it, was recorded at `time` or before it (milliseconds since the epoch). */
interface PointInTime {
  readonly position: number;
  readonly time: number;
}

export type ProjectionsAsOf = (
  moment: PointInTime,
) => Promise<{ readonly projections: Projections; readonly last: RecordedEvent | undefined }>;

/** The log's past: from the newest snapshot before a moment on, only the events up to it are replayed. */
export function createProjectionsAsOf(
  log: Pick<EventLog, 'readAll'>,
  snapshots: Pick<Snapshots, 'restore'>,
  open: SealOpeners,
): ProjectionsAsOf {
  const make = () => {
    const made = createProjections(open);
    return { made, projections: applyOrder(made) };
  };
  return async ({ position, time }) => {
    const restored = await snapshots.restore((header) => header.position <= position && header.latest <= time, make);
    const { made, projections } = restored?.value ?? make();
    const last = await replayUntil(
      log,
      projections,
      restored?.reached.position ?? START,
      (event) => event.position > position || event.recordedAt > time,
    );
    return { projections: made, last: last ?? restored?.lastEvent };
  };
}

/** The digests of projections rebuilt from nothing, to compare with those of the live ones. */
export type Rebuild = (progress: (position: Position) => void) => Promise<Projector>;

export function createRebuild(log: Pick<EventLog, 'readAll'>, open: SealOpeners): Rebuild {
  return (progress) =>
    replay(log, [...applyOrder(createProjections(open)), createLogTree(DISCARDING_TILE_STORE)], progress);
}

/** A thread takes as long to start as a tenth of so many events to be replayed. */
const MIN_EVENTS_FOR_THREAD = 100_000;

export interface ProjectionParts extends Omit<AttestationParts, 'onIssued'> {
  readonly log: EventLog;
  readonly heads: HeadStore;
  readonly snapshots: Snapshots;
  readonly open: SealOpeners;
  readonly notice: (line: string) => void;
}

/** Projections that follow the log, and the parts that prove the log to be complete. */
export interface RunningProjections {
  readonly projections: Projections;
  readonly attestation: Attestation;
  readonly projector: Projector;
  readonly headKeeper: HeadKeeper;
  readonly backgroundCheck: BackgroundCheck;
  /** Call it once the log is closed: issues the last checkpoint, records the head, and writes the tiles. */
  readonly finish: () => Promise<void>;
}

/** @throws LogTampered the log does not agree with the recorded head, the newest checkpoint or the tiles */
export async function startProjections(parts: ProjectionParts): Promise<RunningProjections> {
  const { log, tiles, checkpoints, heads, snapshots, open, notice, ticks } = parts;
  let recordHead: (() => void) | undefined; // set once the replay has ended
  const grown = (): void => recordHead?.();
  const make = () => {
    const made = createProjections(open);
    const attestation = createAttestation({ ...parts, onIssued: grown });
    return { made, attestation, projections: [...applyOrder(made), attestation.tree] };
  };
  const restored = await snapshots.restore(({ position }) => position <= log.head(), make);
  const { made, attestation, projections } = restored?.value ?? make();
  const freezable = {
    projections,
    root: () => Buffer.from(attestation.tree.head().rootHash).toString('base64'),
    settled: tiles.settled,
  };
  const from = restored?.reached ?? REPLAY_START;
  const keep = () =>
    startProjector(log, projections, from, (events, reached) => {
      snapshots.onApplied(events, reached, freezable);
      grown();
    });
  const projector = await (log.head() - from.position < MIN_EVENTS_FOR_THREAD
    ? keep()
    : attestation.tree.withHashingThread(keep));
  attestation.assertNotTruncated();
  await heads.write(attestation.recordedHead()); // before the first append, so that a missing head means a loss
  const headKeeper = createHeadKeeper({ store: heads, current: attestation.recordedHead, notice });
  recordHead = headKeeper.schedule;
  const seals = { tiles, checkpoints, heads };
  const backgroundCheck = createBackgroundCheck({ log, seals, head: attestation.tree.head(), ticks, notice });

  async function finish(): Promise<void> {
    await attestation.checkpointNow().catch((error: unknown) => {
      notice(`no last checkpoint could be issued: ${String(error)}`); // the next start issues one
    });
    await headKeeper.flush();
    await tiles.settled().catch(() => {}); // reported when it failed; the next start makes the tiles again
  }
  return { projections: made, attestation, projector, headKeeper, backgroundCheck, finish };
}
