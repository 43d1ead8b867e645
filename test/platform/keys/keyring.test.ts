import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { findDamagedLines, openFileKeyring, writeKeyring } from '../../../src/platform/keys/file-keyring.ts';
import type { Keyring } from '../../../src/platform/keys/keyring.ts';

const createKey = (byte: number): Buffer => Buffer.alloc(32, byte);
const IDS = ['ada', 'bob', 'cleo'] as const;

describe('a keyring', () => {
  let directory: string;
  let path: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    path = join(directory, 'some.keys');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const open = (): Promise<Keyring<string>> => openFileKeyring<string>(path);
  const reopenKeys = async (): Promise<readonly (Buffer | undefined)[]> => {
    const keys = await open();
    return IDS.map((id) => keys.find(id));
  };
  const readLines = (): string[] => readFileSync(path, 'utf8').trimEnd().split('\n');

  async function fill(): Promise<Buffer> {
    const keys = await open();
    for (const [index, id] of IDS.entries()) await keys.add(id, createKey(index + 1));
    return readFileSync(path);
  }

  it('stores keys under arbitrary ids', async () => {
    const arbitraryIds = fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(arbitraryIds, async (ids) => {
        rmSync(path, { force: true });
        const keys = await open();
        for (const [index, id] of ids.entries()) await keys.add(id, createKey(index));
        const reopened = await open();
        for (const [index, id] of ids.entries())
          expect(reopened.find(id), JSON.stringify(id)).to.deep.equal(createKey(index));
        expect(reopened.ids()).to.deep.equal(ids);
        expect(reopened.damagedLines()).to.deep.equal([]);
      }),
      { numRuns: 50 },
    );
  });

  it('does not accept a line with a flipped bit, reports its number, and finds all other keys', async () => {
    const intactBytes = await fill();
    for (let offset = 0; offset < intactBytes.length; offset += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const damagedBytes = Buffer.from(intactBytes);
        damagedBytes[offset] = (damagedBytes[offset] ?? 0) ^ (1 << bit);
        writeFileSync(path, damagedBytes);
        const keys = await open();
        const foundKeys = IDS.map((id) => keys.find(id));
        for (const [index, foundKey] of foundKeys.entries()) {
          if (foundKey !== undefined) expect(foundKey, `byte ${offset} bit ${bit}`).to.deep.equal(createKey(index + 1));
        }
        const missingCount = foundKeys.filter((foundKey) => foundKey === undefined).length;
        const isFinalNewline = offset === intactBytes.length - 1;
        expect(missingCount, `byte ${offset} bit ${bit}`).to.be.within(
          1,
          intactBytes[offset] === 0x0a && !isFinalNewline ? 2 : 1,
        );
        if (!isFinalNewline) expect(keys.damagedLines().length, `byte ${offset} bit ${bit}`).to.be.at.least(1);
        expect(keys.damagedLines()).to.deep.equal(findDamagedLines(path));
      }
    }
  });

  it('keeps a damaged line unchanged through other changes, so that it can be repaired', async () => {
    await fill();
    const [ada = '', bob = '', cleo = ''] = readLines();
    writeFileSync(path, `${ada}\n${bob.replace('bob', 'bib')}\n${cleo}\n`);
    const keys = await open();
    await keys.add('dan', createKey(4));
    await keys.destroy('cleo');
    expect(readLines().slice(0, 2)).to.deep.equal([ada, bob.replace('bob', 'bib')]);
    writeFileSync(path, readFileSync(path, 'utf8').replace('bib', 'bob'));
    const repairedKeyring = await open();
    const foundKeys = ['ada', 'bob', 'cleo', 'dan'].map((id) => repairedKeyring.find(id));
    expect(foundKeys).to.deep.equal([createKey(1), createKey(2), undefined, createKey(4)]);
    expect(repairedKeyring.damagedLines()).to.deep.equal([]);
  });

  it('is repaired by an intact line for the same id, anywhere in the file', async () => {
    await fill();
    const [, bob = ''] = readLines();
    writeFileSync(path, readFileSync(path, 'utf8').replace(bob, bob.replace(/.$/, '?')));
    appendFileSync(path, `${bob}\n`);
    const keys = await open();
    expect(keys.find('bob')).to.deep.equal(createKey(2));
    expect(keys.damagedLines()).to.deep.equal([2]);
    await keys.dropDamagedLines();
    expect(keys.damagedLines()).to.deep.equal([]);
    expect(await reopenKeys()).to.deep.equal([createKey(1), createKey(2), createKey(3)]);
  });

  it('destroys a key with a damaged line if the line still has the id', async () => {
    await fill();
    const secret = createKey(2).toString('base64url');
    writeFileSync(path, readFileSync(path, 'utf8').replace(secret, secret.replace('I', 'J')));
    const keys = await open();
    expect([keys.find('bob'), keys.damagedLines()]).to.deep.equal([undefined, [2]]);
    await keys.destroy('bob');
    expect(readFileSync(path, 'utf8')).to.not.include('bob').and.not.include(secret.slice(5));
    expect(keys.damagedLines()).to.deep.equal([]);
  });

  it('can retry a destruction whose write failed, and does not find the key before the retry', async () => {
    await fill();
    const keys = await open();
    mkdirSync(`${path}.new`); // prevents writing a new version of the file
    expect(await keys.destroy('bob').catch((error: unknown) => error)).to.be.instanceOf(Error);
    expect(IDS.map((id) => keys.find(id))).to.deep.equal([createKey(1), undefined, createKey(3)]);
    rmdirSync(`${path}.new`);
    await keys.destroy('bob');
    expect(await reopenKeys()).to.deep.equal([createKey(1), undefined, createKey(3)]);
  });

  it('accepts an incomplete final line if its key is complete, and otherwise keeps the line for repair', async () => {
    const intactBytes = await fill();
    const lastLineStart = intactBytes.indexOf('cleo');
    const keyEnd = lastLineStart + 'cleo '.length + createKey(3).toString('base64url').length;
    for (let length = lastLineStart + 1; length < intactBytes.length; length += 1) {
      const isAccepted = length === keyEnd || length === intactBytes.length - 1;
      const truncatedLine = intactBytes.subarray(lastLineStart, length).toString();
      writeFileSync(path, intactBytes.subarray(0, length));
      const keys = await open();
      expect(keys.find('cleo'), `cut at ${length}`).to.deep.equal(isAccepted ? createKey(3) : undefined);
      expect(keys.damagedLines())
        .to.deep.equal(isAccepted ? [] : [3])
        .and.deep.equal(findDamagedLines(path));
      await keys.add('dan', createKey(4));
      const reopened = await open();
      expect([reopened.find('bob'), reopened.find('dan')]).to.deep.equal([createKey(2), createKey(4)]);
      if (isAccepted) expect(reopened.find('cleo')).to.deep.equal(createKey(3));
      else expect(readLines()[2], 'the line stays').to.equal(truncatedLine);
      await keys.dropDamagedLines();
      expect((await open()).damagedLines()).to.deep.equal([]);
    }
  });

  it('reads lines from earlier releases, which lack a checksum, and adds one', async () => {
    writeFileSync(path, IDS.map((id, index) => `${id} ${createKey(index + 1).toString('base64url')}\n`).join(''), {
      mode: 0o600,
    });
    expect(await reopenKeys()).to.deep.equal([createKey(1), createKey(2), createKey(3)]);
    expect(
      readLines().every((line) => /^\w+ [\w-]{43} [0-9a-f]{8}$/.test(line)),
      readLines().join('\n'),
    ).to.equal(true);
    expect(statSync(path).mode & 0o777).to.equal(0o600);
    writeFileSync(path, IDS.map((id, index) => `${id} ${createKey(index + 1).toString('base64url')}`).join('\n'));
    expect(await reopenKeys(), 'without the final newline').to.deep.equal([createKey(1), createKey(2), createKey(3)]);
    expect([readLines().length, (await open()).damagedLines()]).to.deep.equal([3, []]);
  });

  it('can be written in one step when a backup is restored', async () => {
    writeKeyring(
      path,
      IDS.map((id, index) => [id, createKey(index + 1)] as const),
    );
    expect(await reopenKeys()).to.deep.equal([createKey(1), createKey(2), createKey(3)]);
  });
});
