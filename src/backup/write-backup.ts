import { createHash } from 'node:crypto';
import { OperationRefused } from '../admin/refused.ts';
import type { Attestation } from '../attestation/attestation.ts';
import type { Checkpoints } from '../attestation/checkpoints.ts';
import { createSealCheck, type VerifyItem } from '../attestation/verify.ts';
import type { UserId } from '../domain/values.ts';
import { START, type EventLog } from '../eventsourcing/event-log.ts';
import { exportLine } from '../eventsourcing/export-line.ts';
import type { Clock } from '../ports.ts';
import { KEY_NAMES, keyTexts, type Keys } from '../storage/keys.ts';
import type { PersonalKeys } from '../storage/personal-keys.ts';
import { endBody, FORMAT, sealLine, VERSION, type BackupHeader } from './format.ts';

/** What a backup is made of: a service that may be at work meanwhile. */
export interface BackupSource {
  readonly log: Pick<EventLog, 'readAll' | 'head'>;
  readonly attestation: Pick<Attestation, 'checkpointNow' | 'tree'>;
  readonly checkpoints: Pick<Checkpoints, 'sizes' | 'find'>;
  readonly keys: Keys;
  readonly personalKeys: Pick<PersonalKeys, 'find'>;
  /** The users that are not erased. */
  readonly users: { all(): readonly { readonly userId: UserId }[] };
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
}

/** Large enough for few writes, small enough to be nothing in memory. */
const CHUNK_CHARACTERS = 65_536;

/** About a line a second. */
const RECORDS_A_REPORT = 250_000;

/**
 * The text of a backup, chunk by chunk, with a word on its progress now and then and the summary last.
 * It is of the position at which the log stands when the first chunk is asked for, whatever is
 * appended meanwhile; only the users' keys, and no events, are held in memory.
 * @throws LogDamaged an event is missing or unreadable
 * @throws OperationRefused the records are not those that were sealed: a restore would refuse the backup
 */
export async function* writeBackup(source: BackupSource, signal: AbortSignal): AsyncGenerator<string | BackupProgress | BackupSummary, void, void> {
  const { position, root, events, personalKeys, sizes, header } = fixPosition(source);
  const digest = createHash('sha256');
  const seal = createSealCheck({ key: source.keys.log, tiles: { read: () => undefined }, checkpoints: { sizes: () => sizes, find: source.checkpoints.find } });
  let text = '';

  const take = (): string => {
    const chunk = text;
    digest.update(chunk);
    text = '';
    return chunk;
  };

  for (const body of preamble()) {
    text += sealLine(body);
    if (text.length >= CHUNK_CHARACTERS) yield take();
  }
  for await (const batch of events) {
    const wanted = batch.filter((event) => event.position <= position);
    for (const event of wanted) {
      seal.take([event]);
      text += sealLine(exportLine(event));
      if (text.length >= CHUNK_CHARACTERS) yield take();
      if (signal.aborted) return;
      if (event.position % RECORDS_A_REPORT === 0) yield { written: event.position, head: position };
    }
    if (wanted.length < batch.length) break;
  }
  yield take();
  mustBeSound([...seal.conclude()], root);
  yield sealLine(endBody({ records: position, root, sha256: digest.digest('hex') }));
  yield { position, root, checkpoints: sizes.length, users: personalKeys.length };

  function* preamble(): Generator<string, void, void> {
    yield JSON.stringify(header);
    const texts = keyTexts(source.keys);
    for (const name of KEY_NAMES) yield JSON.stringify({ key: name, value: texts[name] });
    for (const [user, value] of personalKeys) yield JSON.stringify({ user, value });
    for (const size of sizes) yield JSON.stringify({ checkpoint: size, note: source.checkpoints.find(size) });
  }
}

function mustBeSound(found: readonly VerifyItem[], root: string): void {
  const damage = found.find((item) => 'damage' in item);
  if (damage === undefined && found.some((item) => 'root' in item && item.root === root)) return;
  const what = damage === undefined ? 'the records are not those that were sealed' : `position ${damage.position}: ${damage.damage}`;
  throw new OperationRefused(`the log does not verify (${what}), and neither would the backup; see: grantlog log verify`);
}

/** Everything that changes as the log goes on, read in one turn. */
function fixPosition({ log, attestation, checkpoints, personalKeys, users, clock }: BackupSource) {
  const position = log.head();
  const { size, rootHash } = attestation.tree.head();
  if (size !== position) throw new Error(`the tree is of ${size} records, the log of ${position}`);
  attestation.checkpointNow(); // kept, so that the last of the checkpoints is over exactly these records
  const header: BackupHeader = { format: FORMAT, version: VERSION, created_at: new Date(clock.now()).toISOString(), position };
  return {
    position,
    header,
    root: Buffer.from(rootHash).toString('base64'),
    events: log.readAll(START),
    sizes: checkpoints.sizes().filter((kept) => kept <= position),
    // Texts, because a user who is erased meanwhile has their key wiped.
    personalKeys: users.all().flatMap(({ userId }) => {
      const key = personalKeys.find(userId);
      return key === undefined ? [] : [[userId, key.toString('base64url')] as const];
    }),
  };
}
