import { createHash } from 'node:crypto';
import { verifyLog } from '../../src/audit/proofs/verify.ts';
import { checkDirectory } from '../../src/cli/doctor-directory.ts';
import { configFromSettings } from '../../src/config/config.ts';
import { START } from '../../src/event-store/event-log.ts';
import { openInspection } from '../../src/composition/inspection.ts';
import type { Service } from '../../src/composition/service.ts';
import { introspect, openImage, passwordOf, clientRequest, type Image } from './flip-image.ts';
import { manualClock } from './manual-clock.ts';
import { quickHasher } from './quick-hasher.ts';
import { seededEntropy } from './seeded-entropy.ts';
import { readWholeStream } from './whole-stream.ts';
import { requestIntrospection } from './client-requests.ts';

/** The observable state of a server on a data directory. */
export interface Observation {
  /** The reason why the server did not start, or undefined if it started. */
  readonly refusal: string | undefined;
  /** The lines printed at startup and by the check of the stored log. */
  readonly messages: readonly string[];
  /** By subject; empty if the server did not start. */
  readonly state: Readonly<Record<string, string>>;
  readonly records: readonly string[];
}

/** A request from the drill to its inspecting process, which LevelDB aborts on some kinds of damage. */
export type InspectionRequest =
  | { readonly kind: 'reports'; readonly dataDir: string }
  | { readonly kind: 'observe'; readonly dataDir: string; readonly image: Image };

/** Returns the output of the operator's commands on a directory without a running server. */
async function collectReports(dataDir: string): Promise<readonly string[]> {
  const config = configFromSettings({ dataDir });
  const findings = checkDirectory(config).filter(({ ok, check }) => !ok && check !== 'disk');
  const doctorReports = findings.map(({ says }) => `doctor: ${says}`);
  return [
    ...doctorReports,
    ...(await verifyReports(dataDir).catch((error: unknown) => [`log verify: ${messageOf(error)}`])),
  ];
}

async function verifyReports(dataDir: string): Promise<readonly string[]> {
  const inspection = await openInspection(configFromSettings({ dataDir }), seededEntropy('verify'));
  const reports: string[] = [];
  try {
    for await (const item of verifyLog(inspection, new AbortController().signal)) {
      if ('damage' in item) reports.push(`log verify: ${item.damage}`);
      if ('rule' in item && item.severity === 'finding') reports.push(`log verify: ${item.message}`);
    }
    return reports;
  } finally {
    await inspection.close();
  }
}

async function observe(dataDir: string, image: Image): Promise<Observation> {
  const messages: string[] = [];
  let service: Service;
  try {
    const clock = manualClock(image.endsAt);
    service = await openImage(dataDir, { clock, seed: 'trial', notice: (line) => void messages.push(line) });
  } catch (error) {
    return { refusal: messageOf(error), messages, state: {}, records: [] };
  }
  try {
    await service.backgroundCheck.start(new AbortController().signal);
    const records = await readRecords(service);
    const state = { ...service.projector.digests(), ...(await readState(service, image)) };
    return { refusal: undefined, messages, records, state };
  } finally {
    await service.close().catch((error: unknown) => messages.push(`it did not stop cleanly: ${messageOf(error)}`));
  }
}

/** Reads the records of the log until the first failure, which takes the place of the next record. */
async function readRecords({ log }: Service): Promise<readonly string[]> {
  const records: string[] = [];
  try {
    for await (const events of log.readAll(START)) records.push(...events.map(({ record }) => record));
  } catch (error) {
    records.push(`unreadable: ${messageOf(error)}`);
  }
  return records;
}

const PROOF_COUNT = 5;

async function readState(service: Service, image: Image): Promise<Readonly<Record<string, string>>> {
  const { clientBasic, tokens, users, imported, streams } = image;
  const clock = manualClock(image.endsAt);
  const { log, attestation } = service;
  const positions = Array.from({ length: PROOF_COUNT }, (_, index) =>
    Math.ceil((log.head() * (index + 1)) / PROOF_COUNT),
  );
  return {
    head: String(log.head()),
    checkpoint: String(attestation.newestCheckpointSize()),
    root: Buffer.from(attestation.tree.head().rootHash).toString('base64'),
    tokens: await digestResults(tokens, (token) =>
      requestIntrospection(service, clientRequest({ token }, clientBasic, clock)),
    ),
    passwords: await digestResults(
      users,
      async (user) => (await service.accounts.verify(user, passwordOf(user), quickHasher))?.user,
    ),
    streams: await digestResults(streams, (stream) => readWholeStream(log, stream)),
    proofs: await digestResults(positions, (position) =>
      attestation.tree.proveInclusion(position as never, log.head()),
    ),
    // Last, because the first use of a PBKDF2 hash replaces it, which is an event.
    imported: await digestResults(imported, (client) => introspect(service, { client, clock })),
  };
}

async function digestResults<T>(items: readonly T[], read: (item: T) => Promise<unknown>): Promise<string> {
  const hash = createHash('sha256');
  for (const item of items) hash.update(`${JSON.stringify(await read(item).catch(messageOf)) ?? ''}\n`);
  return hash.digest('hex');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

process.on('message', (inspection: InspectionRequest) => {
  const result =
    inspection.kind === 'reports' ? collectReports(inspection.dataDir) : observe(inspection.dataDir, inspection.image);
  const failed = (error: unknown): void => void process.send?.({ failed: messageOf(error) });
  void result.then((value) => process.send?.({ result: value }), failed);
});
process.on('disconnect', () => process.exit(0)); // the drill has ended
process.send?.({ ready: true });
