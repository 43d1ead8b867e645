import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchOptions } from '../arguments.ts';
import { startGrantlogContender } from '../contenders/grantlog.ts';
import { copyFilledDirectory } from '../grantlog/filled-directory.ts';
import { createBenchData, type BenchData } from '../grantlog/bench-data.ts';
import { logHead, startGrantlog } from '../grantlog/server.ts';
import { startLoad } from '../load/load.ts';
import { readMemory, type Memory } from '../probe.ts';
import type { BenchResult, Session } from '../session.ts';
import { median } from '../statistics.ts';

const TARGETS = { bytesInMemory: 80, bytesInLog: 200, startSeconds: 5, replayedPerSecond: 500_000 };
const STARTS = 3;
const HEADER = ['quantity', 'figure', 'target'];

/**
 * Measures memory per live access token, compared with an empty server after the same load and a garbage collection.
 */
export async function memory(
  { tokens, connections, seconds }: BenchOptions,
  { directory, cores, report }: Session,
): Promise<BenchResult> {
  const load = startLoad(cores?.load);
  const measureMemory = async (data: BenchData): Promise<Memory> => {
    const { server, prepare } = await startGrantlogContender({ cores, connections: 0 }, data, { withProbe: true });
    try {
      await load.run({ port: server.port, connections, seconds, request: await prepare('client_credentials', 0) });
      return await readMemory(server);
    } finally {
      await server.end('SIGTERM');
    }
  };
  try {
    const emptyServer = await measureMemory(await createBenchData(join(directory, 'empty'), 0));
    const filledServer = await measureMemory(copyFilledDirectory(tokens, join(directory, 'filled'), report));
    const difference = (read: (memory: Memory) => number): number => (read(filledServer) - read(emptyServer)) / tokens;
    const [residentBytes, usedBytes] = [
      difference((usage) => usage.resident),
      difference(({ heapUsed, external }) => heapUsed + external),
    ];
    return {
      method:
        `${tokens} live client_credentials tokens, restored from a snapshot, compared with an empty server; ` +
        `both after ${seconds} s of load and a garbage collection`,
      cells: [
        HEADER,
        ['resident bytes per token (without mapped files)', residentBytes.toFixed(0), `≤ ${TARGETS.bytesInMemory}`],
        ['used bytes per token (heap and buffers)', usedBytes.toFixed(0), ''],
        ['resident MB without tokens', (emptyServer.resident / 1e6).toFixed(0), ''],
        ['resident MB with tokens', (filledServer.resident / 1e6).toFixed(0), ''],
      ],
      remarks: [],
      figures: { tokens, before: emptyServer, after: filledServer, resident: residentBytes, used: usedBytes },
    };
  } finally {
    load.end();
  }
}

/** Measures the startup time of a server that starts from a snapshot and the events after it. */
export async function start({ tokens }: BenchOptions, session: Session): Promise<BenchResult> {
  const { dataDir: emptyDir } = await createBenchData(join(session.directory, 'empty'), 0);
  const { dataDir: filledDir } = copyFilledDirectory(tokens, join(session.directory, 'filled'), session.report);
  const [emptyStarts, filledStarts] = [await measureStarts(emptyDir), await measureStarts(filledDir)];
  return {
    method: `${tokens} live access tokens, from a snapshot; medians of ${STARTS} startups`,
    cells: [
      HEADER,
      ['seconds until it is ready, with tokens', (median(filledStarts) / 1000).toFixed(2), `≤ ${TARGETS.startSeconds}`],
      ['seconds until it is ready, without tokens', (median(emptyStarts) / 1000).toFixed(2), ''],
    ],
    remarks: [],
    figures: { tokens, before: emptyStarts, after: filledStarts },
  };
}

async function measureStarts(dataDir: string): Promise<readonly number[]> {
  const durations: number[] = [];
  for (let count = 0; count < STARTS; count += 1) {
    const server = await startGrantlog(dataDir, {});
    durations.push(server.startupMs);
    await server.end('SIGTERM');
  }
  return durations;
}

/** Measures startup from the log alone, without a snapshot. */
export async function replay({ tokens }: BenchOptions, session: Session): Promise<BenchResult> {
  const { dataDir: emptyDir } = await createBenchData(join(session.directory, 'empty'), 0);
  const { dataDir: filledDir } = copyFilledDirectory(tokens, join(session.directory, 'filled'), session.report);
  const emptyStartMs = median(await measureStarts(emptyDir));
  const durations: number[] = [];
  let events = 0;
  for (let count = 0; count < STARTS; count += 1) {
    rmSync(join(filledDir, 'snapshots'), { recursive: true });
    const server = await startGrantlog(filledDir, {});
    durations.push(server.startupMs);
    events = await logHead(server);
    await server.end('SIGTERM');
  }
  const seconds = (median(durations) - emptyStartMs) / 1000;
  return {
    method:
      `startup without a snapshot minus startup with an empty log; medians of ${STARTS}. Includes all projections, ` +
      'the Merkle tree and a snapshot',
    cells: [
      HEADER,
      ['events replayed per second', (events / seconds).toFixed(0), `≥ ${TARGETS.replayedPerSecond}`],
      ['events', String(events), ''],
      ['seconds', seconds.toFixed(2), ''],
    ],
    remarks: [],
    figures: { events, before: emptyStartMs, durations },
  };
}

/** Measures the size of the data directory per token. */
export async function disk({ tokens }: BenchOptions, session: Session): Promise<BenchResult> {
  const { dataDir } = copyFilledDirectory(tokens, join(session.directory, 'filled'), session.report);
  await (await startGrantlog(dataDir, {})).end('SIGTERM'); // completes pending moves and compactions
  const sizes = readdirSync(dataDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => [name, bytesIn(join(dataDir, name))] as const);
  return {
    method: `${tokens} access tokens issued, by part of the data directory`,
    cells: [
      HEADER,
      ...sizes.map(([part, bytes]) => [
        `bytes per token in ${part}/`,
        (bytes / tokens).toFixed(1),
        part === 'log' ? `≤ ${TARGETS.bytesInLog}` : '',
      ]),
    ],
    remarks: [],
    figures: { tokens, sizes: Object.fromEntries(sizes) },
  };
}

function bytesIn(directory: string): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
