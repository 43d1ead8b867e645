import { decodeEvent, type DomainEvent, type EventOf } from '../../domain/events.ts';
import { grantStream } from '../../domain/streams.ts';
import type { GrantId, UserId } from '../../domain/values.ts';
import type { EventLog, Position, RecordedEvent } from '../../event-store/event-log.ts';

/**
 * A user's consent, with proof that it is in the log. Every other member follows from `proof`, so
 * `scripts/verify-receipt.mjs` detects any change without contacting this server.
 */
export interface Receipt {
  readonly format: typeof RECEIPT_FORMAT;
  /** The log's name, as in its checkpoints. */
  readonly log: string;
  readonly grant: string;
  /** The user's id in the log. The id is not personal data. */
  readonly user: string;
  readonly client: {
    readonly id: string;
    /** As the page showed it, or null if that is not recorded. */
    readonly name: string | null;
    /** SHA-256 of its metadata document, or null if the client has none. */
    readonly documentHash: string | null;
  };
  readonly scopes: readonly ReceiptScope[];
  /** The names of the claims that were requested individually, or null if that is not recorded. */
  readonly claims: readonly string[] | null;
  /** Absent if there are no authorization details (RFC 9396). Their values are encrypted in the log. */
  readonly details?: readonly ReceiptDetail[];
  /** The resource servers that the grant is limited to. Empty means no limit. */
  readonly resources: readonly string[];
  /** The URI that the code was sent to; null if the user authorized a device, or the client sent the password. */
  readonly redirectUri: string | null;
  /** ISO 8601, in UTC. */
  readonly consentedAt: string;
  /** How the user consented: see `ConsentGiven`. */
  readonly basis: EventOf<'ConsentGiven'>['data']['basis'];
  /** SHA-256 of the page's templates and messages, or null if that is not recorded. */
  readonly textVersion: string | null;
  readonly proof: {
    /** The verifier key (C2SP signed-note). */
    readonly key: string;
    /** The checkpoint that the proof refers to (C2SP tlog-checkpoint). */
    readonly checkpoint: string;
    /** The consent and the credential issued with it, byte for byte, each with its path to the root in base64. */
    readonly records: readonly {
      readonly position: number;
      readonly record: string;
      readonly path: readonly string[];
    }[];
  };
}

export interface ReceiptScope {
  readonly name: string;
  /** The page's text about the scope, or null if that is not recorded. */
  readonly text: readonly string[] | null;
  /** The names of the claims that it gives access to, or null if that is not recorded. */
  readonly claims: readonly string[] | null;
}

export interface ReceiptDetail {
  readonly type: string;
  /** The salted hash of the detail's JSON. */
  readonly hash: string;
  /** The sentence on the page, without the values in it, or null if that is not recorded. */
  readonly text: string | null;
}

const RECEIPT_FORMAT = 'grantlog-receipt-1';

export interface ReceiptDeps {
  readonly log: Pick<EventLog, 'readStream'>;
  readonly attestation: {
    proveAll(
      positions: readonly Position[],
    ): Promise<{ readonly proofs: readonly (readonly Uint8Array[])[]; readonly checkpoint: string }>;
    verifierKey(): string;
  };
}

/**
 * Returns the receipt for a grant, even if the grant has ended, or undefined if no user consented to it. Issues a
 * checkpoint only if none covers the consent yet, so receipts cannot cause more checkpoints than there are consents.
 * @param requiredUserId the user who must have consented; if a different user did, the result is undefined
 */
export async function createReceipt(
  grantId: GrantId,
  { log, attestation }: ReceiptDeps,
  requiredUserId?: UserId,
): Promise<Receipt | undefined> {
  const [consent, credential] = await readConsentAndCredential(grantId, log);
  const event = consent && decodeEvent(consent);
  if (event?.type !== 'ConsentGiven' || consent === undefined || credential === undefined) return undefined;
  if (requiredUserId !== undefined && event.data.userId !== requiredUserId) return undefined;
  const records = [consent, credential];
  const { proofs, checkpoint } = await attestation.proveAll(records.map(({ position }) => position));
  return {
    format: RECEIPT_FORMAT,
    log: checkpoint.slice(0, checkpoint.indexOf('\n')),
    ...createStatement(event.data, consent.recordedAt, decodeEvent(credential)),
    proof: {
      key: attestation.verifierKey(),
      checkpoint,
      records: records.map(({ position, record }, index) => ({
        position,
        record,
        path: (proofs[index] ?? []).map((hash) => Buffer.from(hash).toString('base64')),
      })),
    },
  };
}

/**
 * Returns the first two events of a grant. If a user consented, these are the consent and the credential that was
 * appended with it, which contains the resource servers.
 */
async function readConsentAndCredential(grantId: GrantId, log: ReceiptDeps['log']): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const page of log.readStream(grantStream(grantId))) {
    events.push(...page);
    if (events.length >= 2) break;
  }
  return events.slice(0, 2);
}

function createStatement(
  { grantId, userId, clientId, scope, details, basis, shown, documentHash }: EventOf<'ConsentGiven'>['data'],
  recordedAt: number,
  { type, data }: DomainEvent,
): Omit<Receipt, 'format' | 'log' | 'proof'> {
  const resources = 'resource' in data ? (data.resource ?? []) : [];
  return {
    grant: grantId,
    user: userId,
    client: { id: clientId, name: shown?.application ?? null, documentHash: documentHash ?? null },
    scopes: scope.map((name) => describeScope(name, shown)),
    claims: shown === undefined ? null : (shown.claims ?? []),
    ...(details && {
      details: details.map(({ type: detailType, hash }) => ({
        type: detailType,
        hash,
        text: shown?.details?.find((detail) => detail.type === detailType)?.text ?? null,
      })),
    }),
    resources,
    redirectUri: type === 'AuthorizationCodeIssued' ? data.redirectUri : null,
    consentedAt: new Date(recordedAt).toISOString(),
    basis,
    textVersion: shown?.textVersion ?? null,
  };
}

function describeScope(name: string, shown: EventOf<'ConsentGiven'>['data']['shown']): ReceiptScope {
  const describedScope = shown?.scopes.find((scope) => scope.name === name);
  return describedScope === undefined
    ? { name, text: null, claims: null }
    : { name, text: describedScope.text, claims: describedScope.claims ?? [] };
}
