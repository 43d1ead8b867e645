import type { KeyObject } from 'node:crypto';
import { LogUnavailable, type Position } from '../../event-store/event-log.ts';
import type { Ticks } from '../../platform/ports.ts';
import { signCheckpoint } from '../merkle/checkpoint.ts';
import { createNoteSigner, type NoteSigner } from '../merkle/note-key.ts';
import type { Proof } from '../merkle/proofs.ts';
import { signNote } from '../merkle/signed-note.ts';
import type { TreeHead } from '../merkle/verification.ts';
import type { RecordedHead } from './head-file.ts';
import type { IssuedCheckpoints, SharedIssuance } from './issued-checkpoints.ts';
import { logName } from './log-name.ts';
import { createLogTree, type LogTree } from './log-tree.ts';
import { createLogWitness } from './log-witness.ts';
import { createHeadComparer } from './head-comparer.ts';
import type { TileStore } from './tile-store.ts';

export interface InclusionProof {
  readonly position: Position;
  readonly proof: Proof;
  /** The checkpoint that the proof is verified against. */
  readonly checkpoint: string;
}

/** Proofs for several records under one checkpoint. */
export interface InclusionProofs {
  /** In the order of the positions. */
  readonly proofs: readonly Proof[];
  readonly checkpoint: string;
}

/** Proves the contents of the log to parties that need not trust its operator. */
export interface Attestation {
  readonly tree: LogTree;
  /** Returns the key for verifying signatures: `<name>+<key id>+<base64>` (C2SP signed-note). */
  verifierKey(): string;
  /**
   * Returns the newest checkpoint, or a new one if the log has grown and the newest is at least a minute old. If nodes
   * share the log, a node that is not the leader issues one only if none exists. Callers are not authenticated, so this
   * method issues at most one checkpoint per minute.
   */
  checkpoint(): Promise<string>;
  /** Returns the newest checkpoint, or undefined if none has been issued. Never issues one. */
  lastCheckpoint(): string | undefined;
  /**
   * Returns a checkpoint of the whole log, even if the newest one is less than a minute old. If another node issues a
   * larger checkpoint in the meantime, returns that checkpoint.
   */
  checkpointNow(): Promise<string>;
  /**
   * Signs a head that has already been issued. The result is identical to the issued checkpoint, byte for byte, unless
   * the issuer has changed.
   */
  sign(head: TreeHead): string;
  /**
   * Signs a statement about the log at a checkpoint. The first line of a statement is `kind`, which contains a space.
   * The first line of a checkpoint is the name of the log, which contains no spaces, so a statement is never accepted
   * as a checkpoint.
   */
  signStatement(kind: `${string} ${string}`, checkpoint: string, lines: readonly string[]): string;
  /** Proves that the newest checkpoint, or a new one if the newest is too small, includes the record at `position`. */
  prove(position: Position): Promise<InclusionProof>;
  /** Like `prove`, for several positions under one checkpoint. */
  proveAll(positions: readonly Position[]): Promise<InclusionProofs>;
  /** Returns the number of events that the newest checkpoint covers, or 0 if none has been issued. */
  newestCheckpointSize(): number;
  /** Returns the head to record beside the log. */
  recordedHead(): RecordedHead;
  /**
   * Checks that the log has not lost events.
   * @throws LogTampered if the recorded head, the newest checkpoint or the tiles prove that the log used to be longer
   */
  assertNotTruncated(): void;
  /**
   * Starts comparing the tree with the checkpoints of the other nodes, and competing for leadership. Resolves when the
   * heads that were known at startup have been compared.
   * @throws LogTampered if one of those heads differs
   */
  start(): Promise<void>;
  /** Reports whether this node issues the regular checkpoints. */
  isLeader(): boolean;
  /** Resolves to an error once this node's tree differs from a checkpoint that another node has issued. */
  readonly diverged: Promise<Error>;
}

/** The minimum time between checkpoints. They are stored forever: one per minute takes 45 MB a year. */
const MIN_AGE_MILLISECONDS = 60_000;

export interface AttestationDeps {
  readonly key: KeyObject;
  readonly tiles: TileStore;
  readonly checkpoints: IssuedCheckpoints;
  /** The head that was on record when the log was opened, or undefined if no head had been recorded. */
  readonly recordedHead: RecordedHead | undefined;
  readonly ticks: Ticks;
  readonly issuer: () => string;
  /** Called after each new checkpoint, including those that other nodes issue. */
  readonly onIssued?: () => void;
  /** Resolves when the tree has every event that was durable before the call. Present only if nodes share the log. */
  readonly catchUp?: (() => Promise<void>) | undefined;
  /** Receives lines for the operator. */
  readonly notice?: (line: string) => void;
}

/**
 * Creates the attestation of a log.
 * @throws LogTampered if the newest stored checkpoint is damaged
 */
export function createAttestation(deps: AttestationDeps): Attestation {
  const { key, tiles, checkpoints, ticks, issuer, catchUp = async () => {}, notice = () => {} } = deps;
  const { shared: sharedIssuance } = checkpoints;
  const witness = createLogWitness(deps);
  const headChecks = new Map(witness.headChecks);
  const tree = createLogTree(tiles, headChecks);
  const headComparer = createHeadComparer({ tree, headChecks, onMatch: accept, notice });
  let newestHead = witness.newestCheckpoint;
  let issuedAt = -Infinity;
  let lastIssuance: Promise<unknown> = Promise.resolve();
  /** The checkpoint that is being issued for callers of `checkpoint()`. */
  let pendingCheckpoint: Promise<TreeHead> | undefined;

  const signer = (): NoteSigner => createNoteSigner(logName(issuer()), key);
  const sign = (head: TreeHead): string => signCheckpoint(head, signer());

  /**
   * Stores a new head and returns it. If nodes share the log, returns the latest head, which another node may have
   * stored. A head is durable before it is signed, so even after a crash, no two signed heads of the same size differ.
   */
  async function store(head: TreeHead): Promise<TreeHead> {
    if (head.size <= (newestHead?.size ?? 0)) return sharedIssuance === undefined ? head : (newestHead ?? head);
    await checkpoints.add(head);
    if (sharedIssuance === undefined) accept(head);
    else await compareReceived(); // another node may have issued a larger checkpoint
    return newestHead ?? head;
  }

  function accept(head: TreeHead): void {
    if (head.size <= (newestHead?.size ?? 0)) return;
    newestHead = head;
    if (sharedIssuance !== undefined) issuedAt = ticks(); // even if another node issued the checkpoint
    deps.onIssued?.();
  }

  async function issue(): Promise<TreeHead> {
    const head = tree.head();
    issuedAt = ticks();
    const result = lastIssuance.then(() => store(head));
    lastIssuance = result.catch(() => {}); // the caller receives the error through `result`
    return result;
  }

  /** Resolves when the checkpoints that this node has received have been compared with its tree and accepted. */
  async function compareReceived(): Promise<void> {
    const size = checkpoints.newest()?.size ?? 0;
    if (size > tree.head().size) await catchUp();
    if (size > tree.head().size)
      throw new LogUnavailable('this node cannot catch up with the newest checkpoint of the log');
    await headComparer.settled();
  }

  async function receiveCheckpoints({ refresh }: SharedIssuance): Promise<void> {
    await refresh();
    await compareReceived();
  }

  async function proveAll(positions: readonly Position[]): Promise<InclusionProofs> {
    const lastPosition = Math.max(...positions);
    if (sharedIssuance !== undefined && (newestHead?.size ?? 0) < lastPosition)
      await receiveCheckpoints(sharedIssuance);
    const head = newestHead !== undefined && newestHead.size >= lastPosition ? newestHead : await issue();
    const proofs = await Promise.all(positions.map((position) => tree.proveInclusion(position, head.size)));
    return { proofs, checkpoint: sign(head) };
  }

  return {
    tree,
    sign,
    verifierKey: () => signer().verifierKey,
    checkpointNow: async () => sign(await issue()),
    signStatement: (kind, checkpoint, lines) =>
      signNote([kind, ...checkpoint.split('\n', 3), ...lines].map((line) => `${line}\n`).join(''), signer()),
    async checkpoint() {
      if (sharedIssuance !== undefined) await receiveCheckpoints(sharedIssuance);
      if (sharedIssuance?.isLeader() === false && newestHead !== undefined) return sign(newestHead);
      const isDue = newestHead === undefined || ticks() - issuedAt >= MIN_AGE_MILLISECONDS;
      if (isDue && tree.head().size > (newestHead?.size ?? 0))
        pendingCheckpoint ??= issue().finally(() => (pendingCheckpoint = undefined));
      return sign((await pendingCheckpoint) ?? newestHead ?? tree.head());
    },
    async prove(position) {
      const { proofs, checkpoint } = await proveAll([position]);
      return { position, proof: proofs[0] ?? [], checkpoint };
    },
    proveAll,
    lastCheckpoint: () => newestHead && sign(newestHead),
    newestCheckpointSize: () => newestHead?.size ?? 0,
    recordedHead: () => ({ ...tree.head(), checkpoint: newestHead?.size ?? 0 }),
    assertNotTruncated: () => witness.assertReached(tree.head().size),
    async start() {
      await tree.checkRestored();
      sharedIssuance?.start(headComparer.expect);
    },
    isLeader: () => sharedIssuance?.isLeader() ?? true,
    diverged: headComparer.diverged,
  };
}
