import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeBundle } from '../../src/audit/proofs/bundle-directory.ts';
import { createBundle } from '../../src/audit/proofs/bundle.ts';
import { runningService, type RunningService } from './running-service.ts';

/** Creates a valid log of at least `records` records, from real requests, with a checkpoint after every hundred. */
export async function createServiceWithRecords(records: number): Promise<RunningService> {
  const running = await runningService();
  const client = await running.addClient();
  let signedSize = 0;
  while (running.log.head() < records) {
    const { status, text } = await running.token(client, { grant_type: 'client_credentials' });
    if (status !== 200) throw new Error(text);
    if (running.log.head() < signedSize + 100) continue;
    await running.service().attestation.checkpointNow();
    signedSize = running.log.head();
  }
  return running;
}

/** Exports the log as a bundle on disk. */
export async function exportBundle(
  running: RunningService,
): Promise<{ readonly directory: string; readonly key: string; remove(): void }> {
  const {
    log,
    attestation,
    inspection: { checkpoints },
  } = running.service();
  const parent = mkdtempSync(join(tmpdir(), 'grantlog-bundle-'));
  const directory = join(parent, 'bundle');
  await writeBundle(directory, createBundle({ log, attestation, checkpoints }));
  return { directory, key: attestation.verifierKey(), remove: () => rmSync(parent, { recursive: true }) };
}
