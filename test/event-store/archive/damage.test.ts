import { expect } from 'chai';
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { openArchive } from '../../../src/event-store/archive/archive.ts';
import { RECORDS_PER_MEMBER } from '../../../src/event-store/archive/segment-index.ts';
import { openLevelLog } from '../../../src/event-store/engines/level.ts';
import { LogDamaged, type EventLog } from '../../../src/event-store/event-log.ts';
import { readEverything, rejection } from '../../contract/event-log.contract.ts';
import { archiveAll, findArchiveDamage, requireArchive } from '../../support/archiving.ts';
import { anEvent } from '../../support/some-events.ts';
import { readWholeStream } from '../../support/whole-stream.ts';

/** The number of separate streams in each segment. */
const FIRST_SEGMENT_STREAMS = 700;
const SECOND_SEGMENT_STREAMS = 300;

describe('damage to an archive', function () {
  this.timeout(180_000);
  let parent: string;
  let dataDir: string;
  let copies = 0;

  const open = (): Promise<EventLog> =>
    openLevelLog({
      location: join(dataDir, 'log'),
      archiving: { directory: join(dataDir, 'archive'), isNeverReused: (stream) => stream.startsWith('grant-') },
    });
  const archive = (): string => join(dataDir, 'archive');
  const nameOf = (segment: number, ending: string): string =>
    readdirSync(archive()).filter((name) => name.endsWith(ending))[segment] ?? '';
  const pathOf = (segment: number, ending: string): string => join(archive(), nameOf(segment, ending));

  before(async () => {
    parent = mkdtempSync(join(tmpdir(), 'grantlog-archive-'));
    dataDir = join(parent, 'original');
    const log = await open();
    for (const size of [FIRST_SEGMENT_STREAMS, SECOND_SEGMENT_STREAMS]) {
      await Promise.all(
        Array.from({ length: size }, (_, i) => log.append(`grant-${size}-${i}`, 'no-stream', [anEvent({ i })])),
      );
      await log.append(`user-${size}`, 'no-stream', [anEvent()]); // a separate group
      await archiveAll(log);
    }
    await log.close();
  });

  beforeEach(() => {
    dataDir = join(parent, String((copies += 1)));
    cpSync(join(parent, 'original'), dataDir, { recursive: true });
  });
  after(() => rmSync(parent, { recursive: true }));

  function flipBitAt(path: string, offset: number): void {
    const bytes = readFileSync(path);
    bytes[offset] = (bytes[offset] ?? 0) ^ 0x10;
    writeFileSync(path, bytes);
  }

  async function findDamage(): Promise<readonly { readonly position: number; readonly message: string }[]> {
    const openedArchive = await openArchive(archive());
    const defects: LogDamaged[] = openedArchive.problem === undefined ? [] : [openedArchive.problem];
    for await (const damage of openedArchive.check(new AbortController().signal)) defects.push(damage);
    return defects.map(({ position, message }) => ({ position: position as number, message }));
  }

  it('is not reported for an unchanged archive', async () => {
    expect(await findDamage()).to.deep.equal([]);
    const log = await open();
    expect(await findArchiveDamage(log)).to.deep.equal([]);
    expect(requireArchive(log).end()).to.equal(FIRST_SEGMENT_STREAMS + SECOND_SEGMENT_STREAMS + 1);
    await log.close();
  });

  for (const ending of ['.jsonl.gz', '.index', '.seal']) {
    it(`is found if any byte in ${ending} is changed, and the report names the file`, async () => {
      const path = pathOf(1, ending);
      const original = readFileSync(path);
      for (
        let offset = 0;
        offset < original.length;
        offset += ending === '.seal' ? 1 : Math.ceil(original.length / 50)
      ) {
        flipBitAt(path, offset);
        const [first] = await findDamage();
        expect(first?.message, `byte ${offset}`).to.include('0000000000000701-');
        expect(first?.position, `byte ${offset}`)
          .to.be.above(FIRST_SEGMENT_STREAMS)
          .and.at.most(FIRST_SEGMENT_STREAMS + SECOND_SEGMENT_STREAMS + 1);
        writeFileSync(path, original);
      }
      expect(await findDamage()).to.deep.equal([]);
    });

    it(`is found if ${ending} is missing or truncated, and prevents reads and appends`, async () => {
      const path = pathOf(0, ending);
      const intactBytes = readFileSync(path);
      for (const damageFile of [() => rmSync(path), () => writeFileSync(path, intactBytes.subarray(0, -1))]) {
        damageFile();
        const log = await open();
        expect(() => requireArchive(log).assertComplete())
          .to.throw(LogDamaged)
          .with.property('position', 1);
        expect(await rejection(readEverything(log)))
          .to.be.instanceOf(LogDamaged)
          .with.property('position', 1);
        expect(await rejection(log.append('user-new', 'no-stream', [anEvent()]))).to.be.instanceOf(LogDamaged);
        expect(await rejection(readWholeStream(log, 'grant-700-5'))).to.be.instanceOf(LogDamaged);
        expect(await rejection(archiveAll(log))).to.be.instanceOf(LogDamaged);
        expect((await findArchiveDamage(log))[0]).to.have.property('position', 1);
        await log.close();
        writeFileSync(path, intactBytes);
      }
    });
  }

  it('is reported with the position of the first unreadable member', async () => {
    const path = pathOf(0, '.jsonl.gz');
    const bytes = readFileSync(path);
    const secondMember = bytes.indexOf(Buffer.from([0x1f, 0x8b, 0x08, 0x00]), 10);
    flipBitAt(path, secondMember + 200);
    const log = await open();
    expect(await findArchiveDamage(log)).to.have.length(1);
    const streamError = await rejection(readWholeStream(log, `grant-700-${RECORDS_PER_MEMBER + 5}`));
    for (const refusal of [(await findArchiveDamage(log))[0], await rejection(readEverything(log)), streamError]) {
      expect(refusal).to.have.property('position', RECORDS_PER_MEMBER + 1);
      expect((refusal as Error).message).to.include(nameOf(0, '.jsonl.gz'));
    }
    expect((await readWholeStream(log, 'grant-700-5')).events).to.have.length(1);
    await log.close();
  });

  it('is reported if one segment or every segment is missing', async () => {
    for (const ending of ['.jsonl.gz', '.index', '.seal']) rmSync(pathOf(0, ending));
    let log = await open();
    expect(() => requireArchive(log).assertComplete())
      .to.throw('no archive file')
      .with.property('position', 1);
    await log.close();
    rmSync(archive(), { recursive: true });
    log = await open();
    expect(() => requireArchive(log).assertComplete())
      .to.throw('an archive file is missing')
      .with.property('position', 1);
    expect(await rejection(log.append('user-new', 'no-stream', [anEvent()]))).to.be.instanceOf(LogDamaged);
    await log.close();
  });

  it('is reported if the live log is missing, and positions are not reused', async () => {
    rmSync(join(dataDir, 'log'), { recursive: true });
    const log = await open();
    expect(() => requireArchive(log).assertComplete())
      .to.throw(LogDamaged)
      .with.property('position', FIRST_SEGMENT_STREAMS + SECOND_SEGMENT_STREAMS + 2);
    expect(await rejection(log.append('user-new', 'no-stream', [anEvent()]))).to.be.instanceOf(LogDamaged);
    await log.close();
  });

  it('is not reported for an unrelated file, or for files from an interrupted run', async () => {
    writeFileSync(join(archive(), 'notes.txt'), 'mine');
    writeFileSync(join(archive(), 'records.new'), 'half');
    renameSync(pathOf(1, '.index'), join(archive(), '0000000000002000-0000000000003000.index'));
    cpSync(join(parent, 'original', 'archive'), archive(), { recursive: true });
    const log = await open();
    expect(await findArchiveDamage(log)).to.deep.equal([]);
    await log.append('grant-last', 'no-stream', [anEvent()]);
    await archiveAll(log);
    expect(readdirSync(archive())).to.include('notes.txt').and.have.length(10);
    await log.close();
  });

  it('can be examined with gunzip, which prints one record per line, as an export does', async () => {
    const log = await open();
    const all = await readEverything(log);
    await log.close();
    const lines = [0, 1].flatMap((segment) =>
      gunzipSync(readFileSync(pathOf(segment, '.jsonl.gz')))
        .toString()
        .trimEnd()
        .split('\n'),
    );
    expect(lines).to.deep.equal(
      all.slice(0, FIRST_SEGMENT_STREAMS + SECOND_SEGMENT_STREAMS + 1).map(({ record }) => record),
    );
    expect(all.at(-1)?.position).to.equal(FIRST_SEGMENT_STREAMS + SECOND_SEGMENT_STREAMS + 2);
  });
});
