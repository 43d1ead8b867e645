import { createHash } from 'node:crypto';
import { verifyLog } from '../../src/audit/proofs/verify.ts';
import { checkDirectory } from '../../src/cli/doctor-checks.ts';
import { configFromSettings } from '../../src/config/config.ts';
import { START } from '../../src/event-store/event-log.ts';
import { openInspection } from '../../src/composition/inspection.ts';
import type { Service } from '../../src/composition/service.ts';
import { introspect, openImage, passwordOf, request, type Image } from './flip-image.ts';
import { manualClock } from './manual-clock.ts';
import { quickHasher } from './quick-hasher.ts';
import { seededEntropy } from './seeded-entropy.ts';
import { wholeStream } from './whole-stream.ts';
import { requestIntrospection } from './client-requests.ts';

/** Everything that is visible of a server on a data directory. */
export interface Observed {
  /** Why it did not start. */
  readonly refusal: string | undefined;
  /** Lines that it printed at its start and after the check of the stored log. */
  readonly said: readonly string[];
  /** By subject; empty if it did not start. */
  readonly seen: Readonly<Record<string, string>>;
  readonly records: readonly string[];
}

/** A request of a drill to the process that inspects: LevelDB aborts it on some kinds of damage. */
export type Look =
  | { readonly look: 'tellings'; readonly dataDir: string }
  | { readonly look: 'observe'; readonly dataDir: string; readonly image: Image };

/** The output of the operator's commands on a directory without a running server. */
async function tellings(dataDir: string): Promise<readonly string[]> {
  const config = configFromSettings({ dataDir });
  const findings = checkDirectory(config).filter(({ ok, check }) => !ok && check !== 'disk');
  const ofDoctor = findings.map(({ says }) => `doctor: ${says}`);
  return [...ofDoctor, ...(await verifying(dataDir).catch((error: unknown) => [`log verify: ${messageOf(error)}`]))];
}

async function verifying(dataDir: string): Promise<readonly string[]> {
  const inspection = await openInspection(configFromSettings({ dataDir }), seededEntropy('verify'));
  const found: string[] = [];
  try {
    for await (const item of verifyLog(inspection, new AbortController().signal)) {
      if ('damage' in item) found.push(`log verify: ${item.damage}`);
      if ('rule' in item && item.severity === 'finding') found.push(`log verify: ${item.message}`);
    }
    return found;
  } finally {
    await inspection.close();
  }
}

async function observe(dataDir: string, image: Image): Promise<Observed> {
  const said: string[] = [];
  let service: Service;
  try {
    const clock = manualClock(image.endsAt);
    service = await openImage(dataDir, { clock, seed: 'trial', notice: (line) => void said.push(line) });
  } catch (error) {
    return { refusal: messageOf(error), said, seen: {}, records: [] };
  }
  try {
    await service.backgroundCheck.start(new AbortController().signal);
    const records = await recordsOf(service);
    const seen = { ...service.projector.digests(), ...(await answersOf(service, image)) };
    return { refusal: undefined, said, records, seen };
  } finally {
    await service.close().catch((error: unknown) => said.push(`it did not stop well: ${messageOf(error)}`));
  }
}

/** Reads until the first failure. */
async function recordsOf({ log }: Service): Promise<readonly string[]> {
  const records: string[] = [];
  try {
    for await (const events of log.readAll(START)) records.push(...events.map(({ record }) => record));
  } catch (error) {
    records.push(`unreadable: ${messageOf(error)}`);
  }
  return records;
}

const PROOFS = 5;

async function answersOf(service: Service, image: Image): Promise<Readonly<Record<string, string>>> {
  const { clientBasic, tokens, users, imported, streams } = image;
  const clock = manualClock(image.endsAt);
  const { log, attestation } = service;
  const proven = Array.from({ length: PROOFS }, (_, at) => Math.ceil((log.head() * (at + 1)) / PROOFS));
  return {
    head: String(log.head()),
    checkpoint: String(attestation.newestCheckpointSize()),
    root: Buffer.from(attestation.tree.head().rootHash).toString('base64'),
    tokens: await digestOf(tokens, (token) => requestIntrospection(service, request({ token }, clientBasic, clock))),
    passwords: await digestOf(
      users,
      async (user) => (await service.accounts.verify(user, passwordOf(user), quickHasher))?.user,
    ),
    streams: await digestOf(streams, (stream) => wholeStream(log, stream)),
    proofs: await digestOf(proven, (position) => attestation.tree.proveInclusion(position as never, log.head())),
    // Last, because the first use of a PBKDF2 hash replaces it, which is an event.
    imported: await digestOf(imported, (client) => introspect(service, { client, clock })),
  };
}

async function digestOf<T>(items: readonly T[], ask: (item: T) => Promise<unknown>): Promise<string> {
  const hash = createHash('sha256');
  for (const item of items) hash.update(`${JSON.stringify(await ask(item).catch(messageOf)) ?? ''}\n`);
  return hash.digest('hex');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

process.on('message', (asked: Look) => {
  const answer = asked.look === 'tellings' ? tellings(asked.dataDir) : observe(asked.dataDir, asked.image);
  const failed = (error: unknown): void => void process.send?.({ failed: messageOf(error) });
  void answer.then((found) => process.send?.({ found }), failed);
});
process.on('disconnect', () => process.exit(0)); // whoever asked is gone
process.send?.({ ready: true });
