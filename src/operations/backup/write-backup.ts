import { createHash } from 'node:crypto';
import { OperationRefused } from '../control/operation-refused.ts';
import { invitationKeyId, isInvitationKeyId } from '../../domain/invitation-keys.ts';
import type { Attestation } from '../../audit/proofs/attestation.ts';
import type { IssuedCheckpoints, IssuedEntry } from '../../audit/proofs/issued-checkpoints.ts';
import { createEvidenceCheck, type VerifyItem } from '../../audit/proofs/verify.ts';
import type { ClientId, KeyId, UserId } from '../../domain/values.ts';
import { START, type EventLog, type StreamName } from '../../event-store/event-log.ts';
import { exportLine } from '../../event-store/export-line.ts';
import type { Clock } from '../../platform/ports.ts';
import type { ClientKeys } from '../../platform/keys/client-keys.ts';
import type { Keyring } from '../../platform/keys/keyring.ts';
import { KEY_NAMES, keyTexts, type Keys } from '../../platform/keys/keys.ts';
import type { PersonalKeys } from '../../platform/keys/personal-keys.ts';
import type { SigningKeyring } from '../../platform/keys/signing-keyring.ts';
import { endBody, FORMAT, encodeLine, VERSION, type BackupHeader } from './format.ts';

/** The service to back up, which may be handling requests at the same time. */
export interface BackupSource {
  readonly log: Pick<EventLog, 'readAll' | 'head'>;
  readonly attestation: Pick<Attestation, 'checkpointNow' | 'sign' | 'tree'>;
  readonly checkpoints: Pick<IssuedCheckpoints, 'entries'>;
  readonly keys: Keys;
  readonly personalKeys: Pick<PersonalKeys, 'find'>;
  readonly clientKeys: Pick<ClientKeys, 'find'>;
  readonly signingKeyring: Pick<SigningKeyring, 'find'>;
  /** Pending invitations, whose addresses are encrypted with personal keys. */
  readonly sentInvitations: { all(): readonly { readonly stream: StreamName }[] };
  /** Users who have not been erased. */
  readonly users: { all(): readonly { readonly userId: UserId }[] };
  readonly clients: { all(): readonly { readonly clientId: ClientId }[] };
  /** Signing keys that have not been retired. */
  readonly signingKeys: { published(): readonly { readonly kid: KeyId }[] };
  readonly clock: Clock;
}

export interface BackupProgress {
  readonly written: number;
  readonly head: number;
}

export interface BackupSummary {
  readonly position: number;
  readonly root: string;
  readonly checkpoints: number;
  readonly users: number;
  /** The number of client keys. Only clients with an imported secret or authorization details have one. */
  readonly client_keys: number;
  readonly signing_keys: number;
}

/** Large enough to keep the number of writes low, and small enough to keep memory use negligible. */
const CHUNK_CHARACTERS = 65_536;

/** About one progress report per second. */
const RECORDS_PER_REPORT = 250_000;

/**
 * Yields the text of a backup in chunks, interleaved with progress items and followed by the summary. The backup covers
 * the log up to its head at the time when the first chunk is requested. Only the keys are held in memory, not the
 * events.
 * @throws LogDamaged if an event is missing or unreadable
 * @throws OperationRefused if the records do not match the signed checkpoints, because a restore would refuse such
 *   a backup
 */
export async function* writeBackup(
  source: BackupSource,
  signal: AbortSignal,
): AsyncGenerator<string | BackupProgress | BackupSummary, void, void> {
  const { position, root, events, personalKeys, clientKeys, signingKeys, header } = await capturePosition(source);
  const issuedCheckpoints = (): Generator<IssuedEntry, void, void> =>
    checkpointsUpTo(position, source.checkpoints.entries());
  const digest = createHash('sha256');
  const noTiles = { read: () => undefined };
  const evidence = createEvidenceCheck({
    tiles: noTiles,
    checkpoints: { entries: issuedCheckpoints },
    heads: undefined,
  });
  let checkpoints = 0;
  let text = '';

  const takeChunk = (): string => {
    const chunk = text;
    digest.update(chunk);
    text = '';
    return chunk;
  };

  for (const body of preamble()) {
    text += encodeLine(body);
    if (text.length >= CHUNK_CHARACTERS) yield takeChunk();
  }
  for await (const batch of events) {
    const includedEvents = batch.filter((event) => event.position <= position);
    for (const event of includedEvents) {
      evidence.addRecords([event]);
      text += encodeLine(exportLine(event));
      if (text.length >= CHUNK_CHARACTERS) yield takeChunk();
      if (signal.aborted) return;
      if (event.position % RECORDS_PER_REPORT === 0) yield { written: event.position, head: position };
    }
    if (includedEvents.length < batch.length) break;
  }
  yield takeChunk();
  requireVerified([...evidence.conclude()], root);
  yield encodeLine(endBody({ records: position, root, sha256: digest.digest('hex') }));
  yield {
    position,
    root,
    checkpoints,
    users: personalKeys.filter(([id]) => !isInvitationKeyId(id)).length,
    client_keys: clientKeys.length,
    signing_keys: signingKeys.length,
  };

  function* preamble(): Generator<string, void, void> {
    yield JSON.stringify(header);
    const texts = keyTexts(source.keys);
    for (const name of KEY_NAMES) yield JSON.stringify({ key: name, value: texts[name] });
    for (const [user, value] of personalKeys) yield JSON.stringify({ user, value });
    for (const [client, value] of clientKeys) yield JSON.stringify({ client, value });
    for (const [kid, value] of signingKeys) yield JSON.stringify({ signing_key: kid, value });
    for (const entry of issuedCheckpoints()) {
      if ('problem' in entry) throw verificationError(entry.problem);
      checkpoints += 1;
      yield JSON.stringify({ checkpoint: entry.head.size, note: source.attestation.sign(entry.head) });
    }
  }
}

/** Yields the entries, except for checkpoints that cover more records than the backup contains. */
function* checkpointsUpTo(position: number, entries: Iterable<IssuedEntry>): Generator<IssuedEntry, void, void> {
  for (const entry of entries) if ('problem' in entry || entry.head.size <= position) yield entry;
}

function requireVerified(items: readonly VerifyItem[], root: string): void {
  const damage = items.find((item) => 'damage' in item);
  if (damage === undefined && items.some((item) => 'root' in item && item.root === root)) return;
  if (damage === undefined) throw verificationError('the records do not match the signed checkpoints');
  throw verificationError(`position ${damage.position}: ${damage.damage}`);
}

function verificationError(problem: string): OperationRefused {
  const message = `the log does not verify (${problem}), so no backup was written; run: grantlog log verify`;
  return new OperationRefused(message);
}

/** Reads everything that changes as the log grows, in one turn of the event loop. */
async function capturePosition(source: Omit<BackupSource, 'checkpoints'>) {
  const { log, attestation, clock } = source;
  const position = log.head();
  const { size, rootHash } = attestation.tree.head();
  if (size !== position) throw new Error(`the tree has ${size} records, but the log has ${position}`);
  const checkpoint = attestation.checkpointNow(); // so that the last checkpoint covers exactly these records
  const header: BackupHeader = {
    format: FORMAT,
    version: VERSION,
    created_at: new Date(clock.now()).toISOString(),
    position,
  };
  const events = log.readAll(START);
  const personalKeys = encodeKeys(
    [...source.users.all().map(({ userId }) => userId), ...source.sentInvitations.all().map(keyIdOf)],
    source.personalKeys,
  );
  const clientKeys = encodeKeys(
    source.clients.all().map(({ clientId }) => clientId),
    source.clientKeys,
  );
  const signingKeys = encodeKeys(
    source.signingKeys.published().map(({ kid }) => kid),
    source.signingKeyring,
  );
  await checkpoint;
  const root = Buffer.from(rootHash).toString('base64');
  return { position, header, root, events, personalKeys, clientKeys, signingKeys };
}

const keyIdOf = ({ stream }: { readonly stream: StreamName }): UserId => invitationKeyId(stream);

/** Copies the keys, because erasing a user or removing a client during the backup wipes the original key. */
function encodeKeys<Id extends string>(ids: readonly Id[], keys: Pick<Keyring<Id>, 'find'>) {
  return ids.flatMap((id) => {
    const key = keys.find(id);
    return key === undefined ? [] : [[id, key.toString('base64url')] as const];
  });
}
