import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchOptions } from '../arguments.ts';
import { grantlog } from '../contenders/grantlog.ts';
import { copyFilledDirectory } from '../grantlog/filled-directory.ts';
import { createBenchData, type BenchData } from '../grantlog/bench-data.ts';
import { logHead, startGrantlog } from '../grantlog/server.ts';
import { startLoad } from '../load/load.ts';
import { readMemory, type Memory } from '../probe.ts';
import type { BenchResult, Session } from '../session.ts';
import { median } from '../statistics.ts';

/** What it takes to hold many live access tokens: in memory, on disk, and until a start is done. */

const TARGETS = { bytesInMemory: 80, bytesInLog: 200, startSeconds: 5, replayedASecond: 500_000 };
const STARTS = 3;
const HEAD = ['what', 'figure', 'target'];

/** The difference to a server with nothing in it, each after the same load and then a garbage collection: what a server at work takes anyway cancels out. */
export async function memory(
  { tokens, connections, seconds }: BenchOptions,
  { directory, cores, report: say }: Session,
): Promise<BenchResult> {
  const load = startLoad(cores?.load);
  const memoryWith = async (home: BenchData): Promise<Memory> => {
    const { server, prepare } = await grantlog({ cores, connections: 0 }, home, { probed: true });
    try {
      await load.run({ port: server.port, connections, seconds, request: await prepare('client_credentials', 0) });
      return await readMemory(server);
    } finally {
      await server.end('SIGTERM');
    }
  };
  try {
    const before = await memoryWith(await createBenchData(join(directory, 'empty'), 0));
    const after = await memoryWith(copyFilledDirectory(tokens, join(directory, 'filled'), say));
    const difference = (read: (memory: Memory) => number): number => (read(after) - read(before)) / tokens;
    const [resident, used] = [
      difference((one) => one.resident),
      difference(({ heapUsed, external }) => heapUsed + external),
    ];
    return {
      method:
        `${tokens} live access tokens of clients for themselves, restored from a snapshot; what is more than in a server with none, ` +
        `each after ${seconds} s of load and a garbage collection`,
      cells: [
        HEAD,
        ['bytes for a token, resident (mapped files not counted)', resident.toFixed(0), `≤ ${TARGETS.bytesInMemory}`],
        ['bytes for a token, in use (heap and buffers)', used.toFixed(0), ''],
        ['MB resident with none', (before.resident / 1e6).toFixed(0), ''],
        ['MB resident with all', (after.resident / 1e6).toFixed(0), ''],
      ],
      remarks: [],
      figures: { tokens, before, after, resident, used },
    };
  } finally {
    load.end();
  }
}

/** From the start of the process until it takes requests, with a snapshot and what came after it. */
export async function start({ tokens }: BenchOptions, session: Session): Promise<BenchResult> {
  const { dataDir: none } = await createBenchData(join(session.directory, 'empty'), 0);
  const { dataDir: many } = copyFilledDirectory(tokens, join(session.directory, 'filled'), session.report);
  const [before, after] = [await measureStarts(none), await measureStarts(many)];
  return {
    method: `${tokens} live access tokens, from a snapshot; medians of ${STARTS} starts`,
    cells: [
      HEAD,
      ['seconds until it serves, with all', (median(after) / 1000).toFixed(2), `≤ ${TARGETS.startSeconds}`],
      ['seconds until it serves, with none', (median(before) / 1000).toFixed(2), ''],
    ],
    remarks: [],
    figures: { tokens, before, after },
  };
}

async function measureStarts(dataDir: string): Promise<readonly number[]> {
  const took: number[] = [];
  for (let count = 0; count < STARTS; count += 1) {
    const server = await startGrantlog(dataDir, {});
    took.push(server.startupMs);
    await server.end('SIGTERM');
  }
  return took;
}

/** A start that has nothing to go on from but the log. */
export async function replay({ tokens }: BenchOptions, session: Session): Promise<BenchResult> {
  const { dataDir: none } = await createBenchData(join(session.directory, 'empty'), 0);
  const { dataDir: many } = copyFilledDirectory(tokens, join(session.directory, 'filled'), session.report);
  const before = median(await measureStarts(none));
  const took: number[] = [];
  let events = 0;
  for (let count = 0; count < STARTS; count += 1) {
    rmSync(join(many, 'snapshots'), { recursive: true });
    const server = await startGrantlog(many, {});
    took.push(server.startupMs);
    events = await logHead(server);
    await server.end('SIGTERM');
  }
  const seconds = (median(took) - before) / 1000;
  return {
    method: `a start without a snapshot, less a start with an empty log; medians of ${STARTS}. Every projection and the tree over the log are made, and snapshots written`,
    cells: [
      HEAD,
      ['events replayed a second', (events / seconds).toFixed(0), `≥ ${TARGETS.replayedASecond}`],
      ['events', String(events), ''],
      ['seconds', seconds.toFixed(2), ''],
    ],
    remarks: [],
    figures: { events, before, took },
  };
}

/** What lies in the data directory for each token. */
export async function disk({ tokens }: BenchOptions, session: Session): Promise<BenchResult> {
  const { dataDir } = copyFilledDirectory(tokens, join(session.directory, 'filled'), session.report);
  await (await startGrantlog(dataDir, {})).end('SIGTERM'); // what is left to be moved or compacted at a start is
  const sizes = readdirSync(dataDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => [name, bytesIn(join(dataDir, name))] as const);
  return {
    method: `${tokens} access tokens issued, by part of the data directory`,
    cells: [
      HEAD,
      ...sizes.map(([part, bytes]) => [
        `bytes for a token in ${part}/`,
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
