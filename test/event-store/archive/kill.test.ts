import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openLevelLog } from '../../../src/event-store/engines/level.ts';
import type { EventLog, RecordedEvent } from '../../../src/event-store/event-log.ts';
import { readEverything } from '../../contract/event-log.contract.ts';
import { requireArchive, findArchiveDamage } from '../../support/archiving.ts';
import { createDatabase } from '../../support/postgres/cluster.ts';
import { openTestLog, withConnection } from '../../support/postgres/open-log.ts';
import { seededChoice } from '../../support/seeded-choice.ts';
import { readWholeStream } from '../../support/whole-stream.ts';
import { RUN_TYPESCRIPT } from '../../support/typescript.ts';

const TARGET = fileURLToPath(new URL('../../support/archive-kill-target.ts', import.meta.url));
const ROUNDS = 5;
const DATABASE_ROUNDS = 4;

describe('a process that is killed while it is archiving', function () {
  this.timeout(300_000);
  let dataDir: string;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'grantlog-archive-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  /** Kills the process soon after it has printed `steps` lines. Resolves with the last acknowledged position. */
  async function runAndKill(args: readonly string[], steps: number, turns: number): Promise<number> {
    const target = spawn(process.execPath, [RUN_TYPESCRIPT, TARGET, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exit = once(target, 'exit');
    let acknowledgedPosition = 0;
    for await (const line of createInterface({ input: target.stdout })) {
      acknowledgedPosition = Number(line);
      if ((steps -= 1) > 0) continue;
      for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      target.kill('SIGKILL');
    }
    expect((await exit)[1]).to.equal('SIGKILL');
    return acknowledgedPosition;
  }

  /** @param open opens the log after each kill */
  async function killRepeatedly(args: readonly string[], rounds: number, open: () => Promise<EventLog>): Promise<void> {
    const choice = seededChoice(7);
    let archiveEnd = 0;
    for (let round = 0; round < rounds; round += 1) {
      const acknowledgedPosition = await runAndKill(args, choice.below(40) + 1, choice.below(200));
      const log = await open();
      requireArchive(log).assertComplete();
      expect(await findArchiveDamage(log)).to.deep.equal([]);
      const all = await readEverything(log);
      expect(all.length, `round ${round}`).to.be.at.least(acknowledgedPosition);
      expect(all.map(({ position }) => position as number)).to.deep.equal(all.map((_, index) => index + 1));
      for (const [stream, events] of sampleStreams(all)) {
        expect((await readWholeStream(log, stream)).events, stream).to.deep.equal(events);
      }
      expect(requireArchive(log).end()).to.be.at.least(archiveEnd);
      archiveEnd = requireArchive(log).end();
      await log.close();
    }
    expect(archiveEnd).to.be.above(0);
  }

  it('leaves a log with every acknowledged event exactly once', () =>
    killRepeatedly([dataDir], ROUNDS, () =>
      openLevelLog({
        location: join(dataDir, 'log'),
        archiving: { directory: join(dataDir, 'archive'), isNeverReused: (stream) => stream.startsWith('grant-') },
      }),
    ));

  it('leaves a log in PostgreSQL with every acknowledged event exactly once', async () => {
    const url = await createDatabase();
    await (await openTestLog(url)).close();
    await killRepeatedly([dataDir, url], DATABASE_ROUNDS, async () => {
      // Otherwise, the next process would wait until the killed one has expired.
      await withConnection(url, (connection) => connection.query({ text: 'delete from grantlog.nodes' }));
      return openTestLog(url, { archiveDirectory: join(dataDir, 'archive'), isMigrated: true });
    });
  });
});

/** Returns every seventh stream, and the stream that spans the whole log. */
function sampleStreams(all: readonly RecordedEvent[]): ReadonlyMap<string, readonly RecordedEvent[]> {
  const streams = new Map<string, RecordedEvent[]>();
  for (const event of all) streams.set(event.stream, (streams.get(event.stream) ?? []).concat(event));
  return new Map([...streams].filter(([stream], index) => index % 7 === 0 || stream === 'user-a'));
}
