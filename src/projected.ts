import { createAttestation, type AttestationParts } from './attestation/attestation.ts';
import { START, type EventLog, type RecordedEvent } from './eventsourcing/event-log.ts';
import { keepProjected, NOTHING_REACHED, replayUntil } from './eventsourcing/projector.ts';
import { createProjections, inOrder, type Projections } from './projections/projections.ts';
import type { Unseal } from './projections/sealed-data.ts';
import type { Snapshots } from './snapshots/snapshots.ts';

/** A moment in the log's past: the last event that is at `position` or before it and that, with all before it, was recorded at `time` or before it (milliseconds since the epoch). */
interface Moment {
  readonly position: number;
  readonly time: number;
}

export type ProjectionsAsOf = (moment: Moment) => Promise<{ readonly projections: Projections; readonly last: RecordedEvent | undefined }>;

/** The log's past: from the newest snapshot before a moment on, only the events up to it are replayed. */
export function pastOf(log: Pick<EventLog, 'readAll'>, snapshots: Pick<Snapshots, 'restore'>, unseal: Unseal): ProjectionsAsOf {
  const make = () => {
    const made = createProjections(unseal);
    return { made, projections: inOrder(made) };
  };
  return async ({ position, time }) => {
    const restored = await snapshots.restore((header) => header.position <= position && header.latest <= time, make);
    const { made, projections } = restored?.made ?? make();
    const last = await replayUntil(log, projections, restored?.reached.position ?? START, (event) => event.position > position || event.recordedAt > time);
    return { projections: made, last: last ?? restored?.last };
  };
}

/** A thread takes as long to start as a tenth of so many events to be replayed. */
const WORTH_A_THREAD = 100_000;

/** Projections at the head of the log, and kept there. */
export async function project(parts: AttestationParts & { readonly log: EventLog }, snapshots: Snapshots, unseal: Unseal) {
  const { log, tiles } = parts;
  const make = () => {
    const made = createProjections(unseal);
    const attestation = createAttestation(parts);
    return { made, attestation, projections: [...inOrder(made), attestation.tree] };
  };
  const restored = await snapshots.restore(({ position }) => position <= log.head(), make);
  const { made, attestation, projections } = restored?.made ?? make();
  const freezable = { projections, root: () => Buffer.from(attestation.tree.head().rootHash).toString('base64'), settled: tiles.settled };
  const from = restored?.reached ?? NOTHING_REACHED;
  const keep = () => keepProjected(log, projections, from, (events, reached) => snapshots.applied(events, reached, freezable));
  const projector = await (log.head() - from.position < WORTH_A_THREAD ? keep() : attestation.tree.hashedApart(keep));
  return { projections: made, attestation, projector };
}

