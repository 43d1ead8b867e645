import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { openCopySource, openCopyTarget } from '../../src/composition/copy-locations.ts';
import { openService } from '../../src/composition/open-service.ts';
import { configFromSettings } from '../../src/config/config.ts';
import { START, type EventLog, type Position, type RecordedEvent } from '../../src/event-store/event-log.ts';
import { openLevelLog } from '../../src/event-store/engines/level.ts';
import { createMemoryLog } from '../../src/event-store/engines/memory.ts';
import { copyLog } from '../../src/operations/copy-log.ts';
import { systemClock, systemEntropy } from '../../src/platform/ports.ts';
import { quickHasher } from '../support/quick-hasher.ts';
import { createDatabase } from '../support/postgres/cluster.ts';
import { openTestLog } from '../support/postgres/open-log.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';
import { someEvents } from '../support/some-events.ts';
import { readPages, readWholeStream } from '../support/whole-stream.ts';

/** The stream and the number of events for each append. */
const appends = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c\u0000"\\'), fc.integer({ min: 1, max: 5 })), {
  minLength: 1,
  maxLength: 30,
});
const LOCATION_KINDS = ['directory', 'database'] as const;

describe('log copy', function () {
  this.timeout(180_000);
  let scratchDirectory: string;
  let locationCount: number;

  beforeEach(() => {
    scratchDirectory = mkdtempSync(join(tmpdir(), 'grantlog-copy-'));
    locationCount = 0;
  });
  afterEach(() => rmSync(scratchDirectory, { recursive: true, force: true }));

  for (const from of LOCATION_KINDS) {
    for (const to of LOCATION_KINDS) {
      it(`copies every record, stream and position from a ${from} to a ${to}, then accepts appends`, async () => {
        await fc.assert(
          fc.asyncProperty(appends, async (streams) => {
            const [source, target] = [await createLocation(from), await createLocation(to)];
            const events = await fill(source, streams);
            const summary = await copy(source, target);
            expect(summary).to.include({ position: events.length, copied: events.length });
            expect(await copy(source, target)).to.deep.equal({ ...summary, copied: 0 });
            expect(await readContents(target)).to.deep.equal(events);
            await fill(target, [['a', 1]]);
          }),
          { numRuns: 4 },
        );
      });
    }
  }

  for (const kind of LOCATION_KINDS) {
    it(`continues an interrupted copy to a ${kind}`, async () => {
      const target = await createLocation(kind);
      const log = await createSourceLog(3_000);
      const controller = new AbortController();
      const interruptedCopy = copyTo(target, log, controller.signal, () => controller.abort());
      expect(await interruptedCopy.catch((error: unknown) => error)).to.have.property('name', 'AbortError');
      const { copied, position } = await copyTo(target, log);
      expect(position).to.equal(3_000);
      expect(copied).to.be.within(1, 2_999);
      expect(await readContents(target)).to.deep.equal(await readPages(log.readAll(START)));
    });

    it(`copies to a ${kind} only the events that the source had at the beginning`, async () => {
      const log = await createSourceLog(5);
      const target = await createLocation(kind);
      const growingLog = { head: () => 3 as Position, readAll: log.readAll.bind(log) };
      expect(await copyTo(target, growingLog)).to.include({ position: 3, copied: 3 });
      expect(await copyTo(target, log)).to.include({ position: 5, copied: 2 });
    });

    it(`writes nothing to a ${kind} that contains different events`, async () => {
      const target = await createLocation(kind);
      const existingEvents = await fill(target, [['other', 2]]);
      const refusal: unknown = await copyTo(target, await createSourceLog(5)).catch((error: unknown) => error);
      expect(refusal).to.be.an('error').with.property('message').that.contains('nothing was copied');
      expect(await readContents(target)).to.deep.equal(existingEvents);
    });

    it(`writes nothing to a ${kind} that contains more events than the source`, async () => {
      const target = await createLocation(kind);
      await fill(target, [['s', 2]]);
      const refusal: unknown = await copyTo(target, await createSourceLog(1)).catch((error: unknown) => error);
      expect(refusal).to.be.an('error').with.property('message').that.contains('nothing was copied');
    });
  }

  it('does not write to a database that a node is using', async () => {
    const url = await createDatabase();
    const node = await openTestLog(url);
    const refusal: unknown = await openCopyTarget(url).catch((error: unknown) => error);
    expect(refusal).to.be.an('error').with.property('message').that.contains('is in use (nodes: 1)');
    await node.close();
    await (await openCopyTarget(url)).close();
  });

  it('refuses a source without a log', async () => {
    const refusal: unknown = await openCopySource(
      join(scratchDirectory, 'none'),
      { archive: null, keys: null },
      createEntropy(),
    ).catch((error: unknown) => error);
    expect(refusal).to.be.an('error').with.property('message').that.contains('neither a data directory');
  });

  it('refuses a source whose log is missing although its head is recorded, and creates no file', async () => {
    writeFileSync(join(scratchDirectory, 'log.head'), '');
    const refusal: unknown = await openCopySource(
      scratchDirectory,
      { archive: null, keys: null },
      createEntropy(),
    ).catch((error: unknown) => error);
    expect(String(refusal)).to.include(
      `the log in ${scratchDirectory} is missing, although its head is recorded there`,
    );
    expect(readdirSync(scratchDirectory)).to.deep.equal(['log.head']);
  });

  it('refuses a source that lost its newest events, even if its keys are in a different directory', async () => {
    const [dataDir, keys] = [join(scratchDirectory, 'data'), join(scratchDirectory, 'keys')];
    const service = await openService(configFromSettings({ dataDir, keys }), {
      clock: systemClock,
      entropy: systemEntropy(),
      hasher: quickHasher,
      issuer: () => 'http://localhost',
    });
    await service.accounts.register(
      { username: 'ada', password: 'x' },
      { actor: { kind: 'operator' }, requestId: null },
    );
    await service.close();
    const logFile = readdirSync(join(dataDir, 'log')).find((name) => name.endsWith('.log')) ?? expect.fail();
    truncateSync(join(dataDir, 'log', logFile), 0);
    const refusal: unknown = await openCopySource(dataDir, { archive: null, keys }, createEntropy()).catch(
      (error: unknown) => error,
    );
    expect(String(refusal)).to.match(/the log ends at position 0, but events up to position [1-9]/);
  });

  it('refuses a target that is a file or a broken link, or whose log has files of other programs', async () => {
    const at = (name: string): string => join(scratchDirectory, name);
    writeFileSync(at('file'), '');
    symlinkSync('nowhere', at('link'));
    mkdirSync(at('var/log'), { recursive: true });
    writeFileSync(at('var/log/syslog'), '');
    for (const [name, problem] of [
      ['file', 'it is not a directory; choose another directory'],
      ['link', 'it is a symbolic link to nowhere, which does not exist; choose another directory'],
      ['var', 'because it contains other files, such as syslog'],
    ] as const) {
      const refusal: unknown = await openCopyTarget(at(name)).catch((error: unknown) => error);
      expect(String(refusal), name).to.include(problem);
    }
    expect(readdirSync(at('var/log'))).to.deep.equal(['syslog']);
  });

  async function createLocation(kind: (typeof LOCATION_KINDS)[number]): Promise<string> {
    locationCount += 1;
    return kind === 'database' ? createDatabase() : join(scratchDirectory, String(locationCount));
  }

  async function copy(from: string, to: string) {
    const source = await openCopySource(from, { archive: null, keys: null }, createEntropy());
    try {
      return await copyTo(to, source);
    } finally {
      await source.close();
    }
  }
});

const createEntropy = () => seededEntropy(1);

async function copyTo(
  location: string,
  source: Pick<EventLog, 'readAll' | 'head'>,
  signal: AbortSignal = new AbortController().signal,
  progress: () => void = () => {},
) {
  const target = await openCopyTarget(location);
  try {
    return await copyLog({ source, target, signal, progress });
  } finally {
    await target.close();
  }
}

function openLocation(location: string): Promise<EventLog> {
  return location.startsWith('postgres:') ? openTestLog(location) : openLevelLog({ location: join(location, 'log') });
}

/** Appends to streams in the log, and returns all events in it. */
async function fill(
  location: string,
  batches: readonly (readonly [stream: string, count: number])[],
): Promise<readonly RecordedEvent[]> {
  const log = await openLocation(location);
  for (const [stream, count] of batches)
    await log.append(stream, (await readWholeStream(log, stream)).revision, someEvents(count));
  await log.close();
  return readContents(location);
}

async function readContents(location: string): Promise<readonly RecordedEvent[]> {
  const log = await openLocation(location);
  const events = await readPages(log.readAll(START));
  await log.close();
  return events;
}

async function createSourceLog(count: number): Promise<EventLog> {
  const log = createMemoryLog();
  await log.append('s', 'no-stream', someEvents(count));
  return log;
}
