import { createAttestation, type Attestation, type AttestationParts } from '../audit/proofs/attestation.ts';
import { createBackgroundCheck, type BackgroundCheck } from '../audit/proofs/background-check.ts';
import type { HeadStore } from '../audit/proofs/head-file.ts';
import { createHeadKeeper, type HeadKeeper } from '../audit/proofs/head-keeper.ts';
import { createLogTree } from '../audit/proofs/log-tree.ts';
import { DISCARDED_TILES } from '../audit/proofs/tile-store.ts';
import { START, type EventLog, type Position, type RecordedEvent } from '../event-store/event-log.ts';
import { keepProjected, NOTHING_REACHED, replay, replayUntil, type Projector } from '../event-store/projector.ts';
import { createProjections, inOrder, type OpenSeals, type Projections } from '../projections/projections.ts';
import type { Snapshots } from '../event-store/snapshots/snapshots.ts';

/** A moment in the log's past: the last event that is at `position` or before it and that, with all before it, was recorded at `time` or before it (milliseconds since the epoch). */
interface Moment {
  readonly position: number;
  readonly time: number;
}

export type ProjectionsAsOf = (
  moment: Moment,
) => Promise<{ readonly projections: Projections; readonly last: RecordedEvent | undefined }>;

/** The log's past: from the newest snapshot before a moment on, only the events up to it are replayed. */
export function pastOf(
  log: Pick<EventLog, 'readAll'>,
  snapshots: Pick<Snapshots, 'restore'>,
  open: OpenSeals,
): ProjectionsAsOf {
  const make = () => {
    const made = createProjections(open);
    return { made, projections: inOrder(made) };
  };
  return async ({ position, time }) => {
    const restored = await snapshots.restore((header) => header.position <= position && header.latest <= time, make);
    const { made, projections } = restored?.made ?? make();
    const last = await replayUntil(
      log,
      projections,
      restored?.reached.position ?? START,
      (event) => event.position > position || event.recordedAt > time,
    );
    return { projections: made, last: last ?? restored?.last };
  };
}

/** The digests of projections rebuilt from nothing, to compare with those of the live ones. */
export type Rebuild = (progress: (position: Position) => void) => Promise<Projector>;

export function rebuildOf(log: Pick<EventLog, 'readAll'>, open: OpenSeals): Rebuild {
  return (progress) => replay(log, [...inOrder(createProjections(open)), createLogTree(DISCARDED_TILES)], progress);
}

/** A thread takes as long to start as a tenth of so many events to be replayed. */
const WORTH_A_THREAD = 100_000;

export interface ProjectingParts extends Omit<AttestationParts, 'onIssued'> {
  readonly log: EventLog;
  readonly heads: HeadStore;
  readonly snapshots: Snapshots;
  readonly open: OpenSeals;
  readonly notice: (line: string) => void;
}

/** Projections that follow the log, and the parts that prove the log to be complete. */
export interface Projected {
  readonly projections: Projections;
  readonly attestation: Attestation;
  readonly projector: Projector;
  readonly headKeeper: HeadKeeper;
  readonly backgroundCheck: BackgroundCheck;
  /** Call it once the log is closed: issues the last checkpoint, records the head, and writes the tiles. */
  readonly finish: () => Promise<void>;
}

/** @throws LogTampered the log does not agree with the recorded head, the newest checkpoint or the tiles */
export async function project(parts: ProjectingParts): Promise<Projected> {
  const { log, tiles, checkpoints, heads, snapshots, open, notice, ticks } = parts;
  let recordHead: (() => void) | undefined; // set once the replay has ended
  const grown = (): void => recordHead?.();
  const make = () => {
    const made = createProjections(open);
    const attestation = createAttestation({ ...parts, onIssued: grown });
    return { made, attestation, projections: [...inOrder(made), attestation.tree] };
  };
  const restored = await snapshots.restore(({ position }) => position <= log.head(), make);
  const { made, attestation, projections } = restored?.made ?? make();
  const freezable = {
    projections,
    root: () => Buffer.from(attestation.tree.head().rootHash).toString('base64'),
    settled: tiles.settled,
  };
  const from = restored?.reached ?? NOTHING_REACHED;
  const keep = () =>
    keepProjected(log, projections, from, (events, reached) => {
      snapshots.applied(events, reached, freezable);
      grown();
    });
  const projector = await (log.head() - from.position < WORTH_A_THREAD ? keep() : attestation.tree.hashedApart(keep));
  attestation.mustReachItsWitnesses();
  await heads.write(attestation.recordedHead()); // before the first append, so that a missing head means a loss
  const headKeeper = createHeadKeeper({ store: heads, current: attestation.recordedHead, notice });
  recordHead = headKeeper.moved;
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
