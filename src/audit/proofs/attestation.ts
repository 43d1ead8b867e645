import type { KeyObject } from 'node:crypto';
import type { Position } from '../../event-store/event-log.ts';
import type { Ticks } from '../../platform/ports.ts';
import { signCheckpoint } from '../merkle/checkpoint.ts';
import { createNoteSigner, type NoteSigner } from '../merkle/note-key.ts';
import type { Proof } from '../merkle/proofs.ts';
import type { TreeHead } from '../merkle/verification.ts';
import type { RecordedHead } from './head-file.ts';
import type { IssuedCheckpoints } from './issued-checkpoints.ts';
import { logName } from './log-name.ts';
import { createLogTree, type LogTree } from './log-tree.ts';
import { createLogWitness } from './log-witness.ts';
import type { TileStore } from './tile-store.ts';

export interface InclusionProof {
  readonly position: Position;
  readonly proof: Proof;
  /** The signed note over the tree that the proof leads to. */
  readonly checkpoint: string;
}

/** What lets others check the log without trusting whoever keeps it. */
export interface Attestation {
  readonly tree: LogTree;
  /** `<name>+<key id>+<base64>`: what signatures are checked with (C2SP signed-note). */
  verifierKey(): string;
  /**
   * The newest checkpoint issued; a new one when the log has grown and the newest is a minute old. Anybody may ask, so
   * asking issues no more than that.
   */
  checkpoint(): Promise<string>;
  /** The newest checkpoint issued, when no new one can be; undefined when there is none. */
  lastCheckpoint(): string | undefined;
  /** A checkpoint over everything up to now, whatever the age of the newest. */
  checkpointNow(): Promise<string>;
  /** The checkpoint of a head that was issued. Always the same bytes, as long as the server has the same address. */
  sign(issued: TreeHead): string;
  /** Under the newest checkpoint, or a new one where that does not reach `position`. */
  prove(position: Position): Promise<InclusionProof>;
  /** How many events the newest checkpoint is over; 0 when none was issued. */
  newestCheckpointSize(): number;
  /** The head as it is to be recorded beside the log. */
  recordedHead(): RecordedHead;
  /** @throws LogTampered the log is shorter than the recorded head, the newest checkpoint or the tiles say */
  assertNotTruncated(): void;
}

/** Issued checkpoints are kept for good. At one a minute they take 45 MB a year. */
const MIN_AGE_MILLISECONDS = 60_000;

export interface AttestationParts {
  readonly key: KeyObject;
  readonly tiles: TileStore;
  readonly checkpoints: IssuedCheckpoints;
  /** As it was when the log was opened; undefined when none was recorded. */
  readonly recorded: RecordedHead | undefined;
  readonly ticks: Ticks;
  readonly issuer: () => string;
  /** Called whenever a checkpoint was issued. */
  readonly onIssued?: () => void;
}

/** @throws LogTampered the newest checkpoint that was kept is damaged */
export function createAttestation(parts: AttestationParts): Attestation {
  const { key, tiles, checkpoints, ticks, issuer } = parts;
  const witness = createLogWitness(parts);
  const tree = createLogTree(tiles, witness.headChecks);
  let newest = witness.newestCheckpoint;
  let issuedAt = -Infinity;
  let issuing: Promise<unknown> = Promise.resolve();
  /** The checkpoint that is being issued for callers who accept one that is a minute old. */
  let shared: Promise<TreeHead> | undefined;

  const signer = (): NoteSigner => createNoteSigner(logName(issuer()), key);
  const sign = (head: TreeHead): string => signCheckpoint(head, signer());

  /** Durable before it is signed: one history of each size, whatever happens to this process. */
  async function keep(head: TreeHead): Promise<void> {
    if (head.size <= (newest?.size ?? 0)) return;
    await checkpoints.add(head);
    newest = head;
    parts.onIssued?.();
  }

  async function issue(): Promise<TreeHead> {
    const head = tree.head();
    issuedAt = ticks();
    const kept = issuing.then(() => keep(head));
    issuing = kept.catch(() => {}); // the caller gets the error
    await kept;
    return head;
  }

  return {
    tree,
    sign,
    verifierKey: () => signer().verifierKey,
    checkpointNow: async () => sign(await issue()),
    async checkpoint() {
      const isOld = newest === undefined || ticks() - issuedAt >= MIN_AGE_MILLISECONDS;
      if (isOld && tree.head().size > (newest?.size ?? 0)) shared ??= issue().finally(() => (shared = undefined));
      return sign((await shared) ?? newest ?? tree.head());
    },
    async prove(position) {
      const head = newest !== undefined && newest.size >= position ? newest : await issue();
      return { position, proof: await tree.proveInclusion(position, head.size), checkpoint: sign(head) };
    },
    lastCheckpoint: () => newest && sign(newest),
    newestCheckpointSize: () => newest?.size ?? 0,
    recordedHead: () => ({ ...tree.head(), checkpoint: newest?.size ?? 0 }),
    assertNotTruncated: () => witness.assertReached(tree.head().size),
  };
}
