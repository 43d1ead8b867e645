import { existsSync, mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { fileTileStore } from '../../../src/audit/proofs/tile-store.ts';
import type { Tile } from '../../../src/audit/merkle/tile.ts';

const tileOf = (index: number): Tile => ({ level: 0, index, hashes: Buffer.alloc(8192, index + 1) });

describe('stored tiles', () => {
  let directory: string;
  let notices: string[];
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-tiles-'));
    notices = [];
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const open = () => fileTileStore(directory, (line) => void notices.push(line));
  const fileOf = (index: number): string => join(directory, 'tile', '0', String(index).padStart(3, '0'));
  const failureOf = (promise: Promise<unknown>): Promise<string> => promise.then(() => 'no failure', String);

  it('are readable immediately and durable when settled', async () => {
    const store = open();
    for (const index of [0, 1, 2]) store.add(tileOf(index));
    expect(store.read(0, 1)).to.deep.equal(tileOf(1).hashes);
    await store.settled();
    for (const index of [0, 1, 2]) expect(readFileSync(fileOf(index))).to.deep.equal(tileOf(index).hashes);
    expect([store.failures(), notices]).to.deep.equal([0, []]);
  });

  it('are reported once if they cannot be written, and are written later', async () => {
    writeFileSync(join(directory, 'tile'), 'a file instead of a directory');
    const store = open();
    store.add(tileOf(0)); // not awaited, and an unhandled rejection would terminate the process
    expect(await failureOf(store.settled())).to.include('1 log tile could not be written');
    store.add(tileOf(1));
    expect(await failureOf(store.settled())).to.include('2 log tiles could not be written');
    expect(store.read(0, 0)).to.deep.equal(tileOf(0).hashes);
    expect(store.failures()).to.be.at.least(2);
    expect(notices).to.have.length(1);
    expect(notices[0]).to.match(/a log tile could not be written \(Error: (?:ENOTDIR|EEXIST)/);

    unlinkSync(join(directory, 'tile'));
    await store.settled();
    for (const index of [0, 1]) expect(readFileSync(fileOf(index))).to.deep.equal(tileOf(index).hashes);
    expect(notices.at(-1)).to.equal('log tiles can be written again');
    store.add(tileOf(2));
    await store.settled();
    expect(existsSync(fileOf(2))).to.equal(true);
    expect(notices).to.have.length(2);
  });
});
