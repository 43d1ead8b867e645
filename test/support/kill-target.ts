import type { AddressInfo } from 'node:net';
import { replayAndCompare, type ReplayProgress, type ReplayResult } from '../../src/operations/replay.ts';
import { configFromSettings } from '../../src/config/config.ts';
import { START } from '../../src/event-store/event-log.ts';
import { createApp } from '../../src/http/app.ts';
import { systemClock, systemEntropy } from '../../src/platform/ports.ts';
import { openService } from '../../src/composition/open-service.ts';
import type { Service } from '../../src/composition/service.ts';
import { drillSettings, type FromTarget } from './kill-protocol.ts';
import { quickHasher } from './quick-hasher.ts';

/**
 * The server process of the kill drill: `node --import tsx kill-target.ts DATA_DIR`, with an IPC channel to its parent.
 * Runs the real service and application, except for a quick password hasher, so that it starts fast.
 */
const config = configFromSettings(drillSettings(process.argv[2] ?? ''));
const service = await openService(config, {
  clock: systemClock,
  entropy: systemEntropy(),
  hasher: quickHasher,
  issuer: () => 'http://localhost',
});
const app = createApp(service, {
  error: ({ err }) => send({ unexpected: err instanceof Error ? (err.stack ?? err.message) : String(err) }),
});
const server = app.listen(0, '127.0.0.1', () => send({ port: (server.address() as AddressInfo).port }));
process.on('message', () => void report());
process.on('disconnect', () => process.exit(1)); // the drill has ended

function send(message: FromTarget): void {
  process.send?.(message);
}

async function report(): Promise<void> {
  const findings = await examine(service).catch((error: unknown) => [String(error)]);
  send({ findings, events: service.log.head() });
}

/** Describes damage to the stored log and to the running projections. */
async function examine({ log, projector, rebuild }: Service): Promise<readonly string[]> {
  const findings: string[] = [];
  const head: number = log.head();
  let last: number = START;
  for await (const batch of log.readAll(START)) {
    for (const { position } of batch) {
      if (position !== last + 1) findings.push(`position ${position} follows ${last}`);
      last = position;
    }
  }
  if (last < head) findings.push(`the log ends at ${last}, not at its head ${head}`);
  for await (const step of replayAndCompare({ projector, rebuild, clock: systemClock }, new AbortController().signal))
    findings.push(...describeDifferences(step));
  return findings;
}

function describeDifferences(step: ReplayProgress | ReplayResult): readonly string[] {
  if (!('projections' in step)) return [];
  return step.projections
    .filter(({ same }) => !same)
    .map(({ name }) => `the projection ${name} differs from a replay of the log`);
}
