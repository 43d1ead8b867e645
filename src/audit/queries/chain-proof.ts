import { decodeEvent, type EventOf } from '../../domain/events.ts';
import { grantStream } from '../../domain/streams.ts';
import { grantIdOfToken } from '../../domain/token-exchange.ts';
import type { GrantId } from '../../domain/values.ts';
import type { Position, RecordedEvent } from '../../event-store/event-log.ts';
import { collectChain, type ChainEvidence, type ChainEvidenceDeps } from './chain-evidence.ts';
import { decodeParties } from './exchange-search.ts';
import { createGrantEnds, earliestEnd, readFirstEvent, type GrantEnd, type GrantEnds } from './grant-end.ts';
import type { ReceiptDeps } from './receipt.ts';

/**
 * A chain of exchanges (RFC 8693), from the grant at its root to the requested one, with the proof that it is in the
 * log. Every other member follows from `proof`, so `scripts/verify-chain.mjs` detects any change.
 */
export interface ChainProof {
  readonly format: typeof CHAIN_FORMAT;
  /** The name of the log, which its checkpoints contain. */
  readonly log: string;
  /** The number of events in the log that were considered. */
  readonly size: number;
  readonly grant: string;
  /** From the root down. */
  readonly hops: readonly ChainHop[];
  readonly proof: {
    /** The verifier key (C2SP signed-note). */
    readonly key: string;
    /** The checkpoint that the proof refers to (C2SP tlog-checkpoint). */
    readonly checkpoint: string;
    /** A signed note with the number of events in each stream, and the revisions that are in `records`. */
    readonly statement: string;
    /** In log order, byte for byte, each with its path to the root in base64. */
    readonly records: readonly {
      readonly position: number;
      readonly record: string;
      readonly path: readonly string[];
    }[];
  };
}

/** One grant of a chain. Times are in seconds since the epoch. */
interface ChainHop {
  readonly grant: string;
  /** The type of its first event. */
  readonly began: string;
  readonly position: number;
  readonly client: string;
  /** The id of the user in the log, or null if the client acts on its own behalf. */
  readonly user: string | null;
  readonly mode: string | null;
  /** Null if there is no actor. `grant` is null if the actor token is a JWT from another issuer. */
  readonly actor: { readonly grant: string | null; readonly client: string; readonly user: string | null } | null;
  /** For an exchange, the scope of its token; for a root, its first scope. */
  readonly scope: readonly string[];
  /** Null for the root, whose tokens may expire at different times. */
  readonly expiresAt: number | null;
  /** The first event that ended it, or null if no event did. It may still have expired. */
  readonly end: {
    readonly cause: string;
    readonly position: number;
    /** The grant that ended: this one, that of an actor in the chain, or one above. */
    readonly of: 'own' | 'actor' | 'above';
  } | null;
}

const CHAIN_FORMAT = 'grantlog-chain-1';

/** The first line of the statement. */
const STATEMENT = 'grantlog chain statement';

/** An attempt fails only if another checkpoint is issued during it. */
const MAX_ATTEMPTS = 100;

export interface ChainProofDeps extends ChainEvidenceDeps {
  readonly log: ChainEvidenceDeps['log'] & Parameters<typeof createGrantEnds>[0]['log'];
  readonly attestation: ReceiptDeps['attestation'] & {
    checkpointNow(): Promise<string>;
    signStatement(kind: typeof STATEMENT, checkpoint: string, lines: readonly string[]): string;
  };
}

/**
 * Returns a proof of the chain of exchanges that led to the grant.
 * @returns undefined if the log has no such grant
 */
export async function proveChain(grantId: GrantId, deps: ChainProofDeps): Promise<ChainProof | undefined> {
  const { attestation } = deps;
  let checkpoint = await attestation.checkpointNow();
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const size = Number(checkpoint.split('\n', 2)[1]);
    const evidence = await collectChain(grantId, size as Position, deps);
    if (evidence === undefined) return undefined;
    const records = sortedRecords(evidence);
    const inclusion = await attestation.proveAll(records.map(({ position }) => position));
    if (inclusion.checkpoint !== checkpoint) {
      ({ checkpoint } = inclusion);
      continue;
    }
    return {
      format: CHAIN_FORMAT,
      log: checkpoint.slice(0, checkpoint.indexOf('\n')),
      size,
      grant: grantId,
      hops: await createHops(evidence, size as Position, deps),
      proof: {
        key: attestation.verifierKey(),
        checkpoint,
        statement: attestation.signStatement(STATEMENT, checkpoint, statementLines(evidence)),
        records: records.map(({ position, record }, index) => ({
          position,
          record,
          path: (inclusion.proofs[index] ?? []).map((hash) => Buffer.from(hash).toString('base64')),
        })),
      },
    };
  }
  throw new Error(`a new checkpoint was issued during each of ${MAX_ATTEMPTS} attempts`);
}

function sortedRecords({ streams }: ChainEvidence): readonly RecordedEvent[] {
  return [...streams.values()]
    .flatMap(({ records }) => [...records.values()])
    .toSorted((a, b) => a.position - b.position);
}

/** Returns the name of each stream, the number of its events, and the revisions of those that the proof contains. */
function statementLines({ streams }: ChainEvidence): readonly string[] {
  return [...streams]
    .map(([stream, { count, records }]) => [stream, count, ...[...records.keys()].toSorted((a, b) => a - b)].join(' '))
    .toSorted((a, b) => (a < b ? -1 : 1));
}

type HopEnd = GrantEnd & { readonly relation: 'own' | 'actor' | 'above' };

async function createHops(
  evidence: ChainEvidence,
  upTo: Position,
  { log }: ChainProofDeps,
): Promise<readonly ChainHop[]> {
  const accountEvents = async (userId: Parameters<ChainEvidence['accountEvents']>[0]) => evidence.accountEvents(userId);
  const ends = createGrantEnds({ log, upTo, accountEvents });
  const hops: ChainHop[] = [];
  let parentEnd: HopEnd | undefined;
  for (const first of evidence.firstEvents) {
    const ownEnd = await ends.findEnd(first);
    const end = earliestEnd<HopEnd>([
      ownEnd && { ...ownEnd, relation: 'own' },
      await findActorEnd(first, ends, log),
      parentEnd && { ...parentEnd, relation: parentEnd.relation === 'actor' ? 'actor' : 'above' },
    ]);
    hops.push(createHop(first, end));
    parentEnd = end;
  }
  return hops;
}

async function findActorEnd(
  first: RecordedEvent,
  ends: GrantEnds,
  log: ChainProofDeps['log'],
): Promise<HopEnd | undefined> {
  const actor = decodeExchange(first)?.actor;
  const grantId = actor && grantIdOfToken(actor);
  const actorGrant = grantId && (await readFirstEvent(grantStream(grantId), log));
  const end = actorGrant && (await ends.findEnd(actorGrant));
  return end && { ...end, relation: 'actor' };
}

function createHop(first: RecordedEvent, end: HopEnd | undefined): ChainHop {
  const exchange = decodeExchange(first);
  const { clientId, userId } = decodeParties(first);
  const actor = exchange?.actor;
  return {
    grant: first.stream.slice('grant-'.length),
    began: first.type,
    position: first.position,
    client: clientId,
    user: userId,
    mode: exchange?.mode ?? null,
    actor:
      actor === undefined ? null : { grant: grantIdOfToken(actor) ?? null, client: actor.clientId, user: actor.userId },
    scope: (first.data as { readonly scope: readonly string[] }).scope,
    expiresAt: exchange?.expiresAt ?? null,
    end: formatEnd(end),
  };
}

function formatEnd(end: HopEnd | undefined): ChainHop['end'] {
  // The event is known, because its stream is part of the evidence.
  if (end === undefined || end.event === null) return null;
  return { cause: end.cause, position: end.event.position, of: end.relation };
}

function decodeExchange(first: RecordedEvent): EventOf<'TokenExchanged'>['data'] | undefined {
  const { type, data } = decodeEvent(first);
  return type === 'TokenExchanged' ? data : undefined;
}
