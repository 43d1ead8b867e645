import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startPostgres } from '../../postgres/cluster.ts';
import type { ClientId } from '../../../src/domain/values.ts';
import { fillTokens } from '../../postgres/fill-tokens.ts';
import type { BenchOptions } from '../arguments.ts';
import { CHECKOUT } from '../checkout.ts';
import { createBenchData } from '../grantlog/bench-data.ts';
import { readMetric, startGrantlog } from '../grantlog/server.ts';
import type { ServerProcess } from '../server-process.ts';
import type { BenchResult, Session } from '../session.ts';
import { median } from '../statistics.ts';

const JOINS = 3;

/** Measures the startup of a node with an empty disk, on a log in PostgreSQL with many live tokens. */
export async function joinCluster({ tokens }: BenchOptions, session: Session): Promise<BenchResult> {
  const postgres = await startPostgres({ max_wal_size: '8GB' });
  try {
    const url = await postgres.createDatabase();
    return await measure(tokens, url, session);
  } finally {
    await postgres.destroy();
  }
}

async function measure(tokens: number, url: string, { directory, report }: Session): Promise<BenchResult> {
  const settings = {
    GRANTLOG_LOG: url,
    GRANTLOG_KEYS: join(directory, 'keys'),
    GRANTLOG_SNAPSHOT_EVENTS: '10000', // so that even a small log gets a snapshot
  };
  migrate(settings);
  const startNode = (name: string): Promise<ServerProcess> => startGrantlog(join(directory, name), { settings });

  /** Starts a node with an empty disk, stops it, and returns its startup time in milliseconds. */
  async function joinAndLeave(name: string, expected: number): Promise<number> {
    const node = await startNode(name);
    const liveTokens = await readMetric(node, 'grantlog_access_tokens');
    await node.end('SIGTERM');
    rmSync(join(directory, name), { recursive: true });
    if (liveTokens !== expected) throw new Error(`the node has ${liveTokens} live tokens, not ${expected}`);
    return node.startupMs;
  }

  const empty: number[] = [];
  for (let count = 0; count < JOINS; count += 1) empty.push(await joinAndLeave('empty', 0));
  const fillStartedAt = performance.now();
  const sharedStorage = { log: url, keys: settings.GRANTLOG_KEYS };
  const { clientId } = await createBenchData(join(directory, 'registering'), 0, sharedStorage);
  const head = await fillTokens(url, { count: tokens, clientId: clientId as ClientId }, report);
  report(`filled in ${((performance.now() - fillStartedAt) / 1000).toFixed(0)} s; starting a node without a snapshot`);
  const leader = await startNode('leader');
  const replayMs = leader.startupMs;
  report(`served after ${(replayMs / 1000).toFixed(1)} s; waiting for its snapshot`);
  const snapshotMs = await waitForSnapshot(leader, head);
  const joinTimes: number[] = [];
  for (let count = 0; count < JOINS; count += 1) joinTimes.push(await joinAndLeave('joining', tokens));
  await leader.end('SIGTERM');
  return {
    method:
      `${tokens} live access tokens in PostgreSQL on the same machine; the node's disk is empty. With a snapshot and ` +
      `without tokens: medians of ${JOINS}`,
    cells: [
      ['quantity', 'figure'],
      ['seconds until it is ready, from the snapshot', seconds(median(joinTimes))],
      ['seconds until it is ready, without a snapshot', seconds(replayMs)],
      ['seconds until it is ready, without tokens', seconds(median(empty))],
      ['seconds until the leader has written its first snapshot', seconds(snapshotMs)],
    ],
    remarks: [],
    figures: { tokens, empty, replayMs, joined: joinTimes, snapshotMs },
  };
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(2);
}

function migrate(settings: Readonly<Record<string, string>>): void {
  const { status, stderr } = spawnSync(process.execPath, [join(CHECKOUT, 'dist/main.js'), 'migrate'], {
    env: { ...process.env, ...settings },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the schema of the database could not be created: ${stderr}`);
}

const POLL_MILLISECONDS = 100;
const MAX_WRITE_MILLISECONDS = 600_000;

async function waitForSnapshot(leader: ServerProcess, position: number): Promise<number> {
  const startedAt = performance.now();
  while ((await readMetric(leader, 'grantlog_snapshot_position')) < position) {
    if (performance.now() - startedAt > MAX_WRITE_MILLISECONDS)
      throw new Error('the leader has not written a snapshot');
    await setTimeout(POLL_MILLISECONDS);
  }
  return performance.now() - startedAt;
}
