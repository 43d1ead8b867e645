import type { KeyObject } from 'node:crypto';
import type { Position } from '../eventsourcing/event-log.ts';
import type { Clock } from '../ports.ts';
import { openCheckpoint, signCheckpoint } from '../transparency/checkpoint.ts';
import { createNoteSigner, parseVerifierKey, type NoteSigner } from '../transparency/note-key.ts';
import type { Proof } from '../transparency/proofs.ts';
import type { TreeHead } from '../transparency/verification.ts';
import type { Checkpoints } from './checkpoints.ts';
import { logName } from './log-name.ts';
import { createLogTree, type LogTree } from './log-tree.ts';
import type { TileStore } from './tile-store.ts';

/** The log is not the one that was signed: somebody changed what was written, or put another log in its place. */
export class LogTampered extends Error {
  override readonly name = 'LogTampered';
}

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
   * The newest signed checkpoint; a new one when the log has grown and the last is some seconds old. Anybody may
   * ask, so what is signed is kept every ten minutes at most.
   */
  checkpoint(): string;
  /** A checkpoint over everything up to now, whatever the age of the last; it is kept. */
  checkpointNow(): string;
  prove(position: Position): Promise<InclusionProof>;
  /** The same under a checkpoint that is not kept: however often somebody looks, no file is left behind. */
  proveUnkept(position: Position): Promise<InclusionProof>;
  /** @throws LogTampered the log ends before the newest checkpoint does */
  mustReachNewestCheckpoint(): void;
}

/** Anybody may ask for a checkpoint; this is how often asking makes a new one. */
const MIN_AGE_MILLISECONDS = 10_000;

/** How often asking leaves a file behind: some fifty thousand small ones in a year, however many ask. */
const MIN_AGE_OF_KEPT_MILLISECONDS = 600_000;

export interface AttestationParts {
  readonly key: KeyObject;
  readonly tiles: TileStore;
  readonly checkpoints: Checkpoints;
  readonly clock: Clock;
  readonly issuer: () => string;
}

export function createAttestation(parts: AttestationParts): Attestation {
  const { key, tiles, checkpoints, clock, issuer } = parts;
  let newest = checkpoints.sizes().at(-1) ?? 0;
  let keptAt = -Infinity;
  /** The newest checkpoint, whether or not it is kept. */
  let signed: { readonly at: number; readonly size: number; readonly note: string } | undefined;
  const tree = createLogTree(tiles, vouchedFor(checkpoints, key));

  const signer = (): NoteSigner => createNoteSigner(logName(issuer()), key);

  function checkpointNow(): string {
    const { size } = tree.head();
    const note = sign();
    keptAt = clock.now();
    // One that is kept already stays as it is: the log may have had another name then.
    if (size > newest) checkpoints.keep(size, note);
    newest = size;
    return note;
  }

  function sign(): string {
    const head = tree.head();
    const note = head.size === signed?.size ? signed.note : signCheckpoint(head, signer());
    signed = { at: clock.now(), size: head.size, note };
    return note;
  }

  return {
    tree,
    verifierKey: () => signer().verifierKey,
    checkpointNow,
    checkpoint() {
      const now = clock.now();
      if (now - keptAt >= MIN_AGE_OF_KEPT_MILLISECONDS) return checkpointNow();
      if (signed !== undefined && now - signed.at < MIN_AGE_MILLISECONDS) return signed.note;
      return sign();
    },
    async prove(position) {
      const checkpoint = checkpointNow();
      return { position, proof: await tree.inclusion(position, newest), checkpoint };
    },
    async proveUnkept(position) {
      const checkpoint = sign();
      return { position, proof: await tree.inclusion(position, tree.head().size), checkpoint };
    },
    mustReachNewestCheckpoint() {
      if (tree.head().size < newest) throw tampered(newest);
    },
  };
}

/** The newest checkpoint is held against the log as it is replayed; the older ones are `log verify`'s. */
function vouchedFor(checkpoints: Checkpoints, key: KeyObject): ReadonlyMap<number, (head: TreeHead) => void> {
  const size = checkpoints.sizes().at(-1);
  const note = size === undefined ? undefined : checkpoints.find(size);
  if (size === undefined || note === undefined) return new Map();
  return new Map([[size, (head) => mustAgree(head, note, key)]]);
}

function mustAgree(head: TreeHead, note: string, key: KeyObject): void {
  const signed = readOwn(note, head.size, key);
  if (signed.size === head.size && Buffer.compare(signed.rootHash, head.rootHash) === 0) return;
  throw tampered(head.size);
}

function readOwn(note: string, size: number, key: KeyObject): TreeHead {
  try {
    return openCheckpoint(note, parseVerifierKey(createNoteSigner(note.split('\n', 1)[0] ?? '', key).verifierKey));
  } catch (cause) {
    throw new LogTampered(`the checkpoint over the log's first ${size} records is not as this server signed it; restore it from a backup`, { cause });
  }
}

function tampered(size: number): LogTampered {
  return new LogTampered(`the log's first ${size} records are not those that a checkpoint signed: they were changed or removed; restore a backup`);
}

