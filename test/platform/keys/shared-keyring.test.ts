import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { openFileKeyring } from '../../../src/platform/keys/file-keyring.ts';
import type { Keyring } from '../../../src/platform/keys/keyring.ts';
import { RUN_TYPESCRIPT } from '../../support/typescript.ts';

const run = promisify(execFile);
const IDS = ['ada', 'bob', 'cleo', 'dan'] as const;
const NODES = 3;

describe('a key file that several nodes share', () => {
  let directory: string;
  let path: string;
  let nodes: readonly Keyring<string>[];
  const nodeAt = (index: number): Keyring<string> => nodes[index] ?? expect.fail(`there is no node ${index}`);
  const open = (): Promise<Keyring<string>> => openFileKeyring<string>(path);

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    path = join(directory, 'users.keys');
    nodes = await Promise.all(Array.from({ length: NODES }, open));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('behaves on every node like one map, after each change of any sequence', async () => {
    const step = fc.record({
      node: fc.nat(NODES - 1),
      id: fc.constantFrom(...IDS),
      change: fc.constantFrom('add' as const, 'add' as const, 'destroy' as const, 'restart' as const),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        rmSync(path, { force: true });
        nodes = await Promise.all(Array.from({ length: NODES }, open));
        const model = new Map<string, Buffer>();
        for (const [stepIndex, { node, id, change }] of steps.entries()) {
          if (change === 'restart') {
            const reopened = await open();
            nodes = nodes.map((current, index) => (index === node ? reopened : current));
          } else if (change === 'destroy') {
            await nodeAt(node).destroy(id);
            model.delete(id);
          } else {
            const key = Buffer.alloc(32, stepIndex + 1);
            const storedKey = await nodeAt(node).add(id, key);
            expect(storedKey, 'the first key stays').to.deep.equal(model.get(id) ?? key);
            model.set(id, Buffer.from(storedKey));
          }
          for (const { find, ids } of nodes) {
            for (const name of IDS)
              expect(find(name), `${name} after step ${stepIndex}`).to.deep.equal(model.get(name));
            expect([...ids()].toSorted()).to.deep.equal([...model.keys()].toSorted());
          }
          const fileText = existsSync(path) ? readFileSync(path, 'utf8') : '';
          expect(fileText.split('\n'), fileText).to.have.length(model.size + 1);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('loses and corrupts no key when all nodes change it at the same time', async () => {
    const changes = nodes.flatMap((node, nodeIndex) =>
      Array.from({ length: 20 }, async (_, index) => {
        await node.add(`${nodeIndex}-${index}`, Buffer.alloc(32, index));
        if (index % 4 === 0) await nodeAt((nodeIndex + 1) % NODES).destroy(`${nodeIndex}-${index}`);
      }),
    );
    await Promise.all(changes);
    const expected = nodes.flatMap((_, nodeIndex) =>
      Array.from({ length: 20 }, (__, index) => (index % 4 === 0 ? [] : [`${nodeIndex}-${index}`])).flat(),
    );
    for (const node of [...nodes, await open()]) {
      expect([...node.ids()].toSorted()).to.deep.equal(expected.toSorted());
      expect(node.damagedLines()).to.deep.equal([]);
    }
  });

  it('gives all nodes the same key when they add a key for the same id at the same time', async () => {
    const keys = await Promise.all(nodes.map((node, index) => node.add('ada', Buffer.alloc(32, index + 1))));
    for (const key of keys) expect(key).to.deep.equal(keys[0]);
    expect(readFileSync(path, 'utf8').split('\n')).to.have.length(2);
  });

  it('loses no key when processes change it at the same time, and leaves no lock or draft', async function () {
    this.timeout(300_000);
    const program = join(import.meta.dirname, '../../support/keyring-process.ts');
    const names = ['one', 'two', 'three'];
    await Promise.all(names.map((name) => run(process.execPath, [RUN_TYPESCRIPT, program, path, name, '30'])));
    const [node] = nodes;
    for (const name of names) {
      for (let index = 0; index < 30; index += 1) {
        const expected = index % 3 === 2 ? undefined : Buffer.alloc(32, index);
        expect(node?.find(`${name}-${index}`), `${name}-${index}`).to.deep.equal(expected);
      }
    }
    expect(node?.damagedLines()).to.deep.equal([]);
    expect(readdirSync(directory)).to.deep.equal(['users.keys']);
  });

  it('wipes a destroyed key from the memory of every node that reads the file again', async () => {
    await nodeAt(0).add('ada', Buffer.alloc(32, 1));
    await nodeAt(0).add('bob', Buffer.alloc(32, 2));
    const keyInMemory = nodeAt(1).find('ada') ?? expect.fail('not shared');
    await nodeAt(0).destroy('ada');
    expect(nodeAt(1).find('bob')).to.deep.equal(Buffer.alloc(32, 2));
    expect(keyInMemory).to.deep.equal(Buffer.alloc(32, 0));
  });

  it('never gets a destroyed key back from a node that has not read the file since the destruction', async () => {
    for (const [index, id] of IDS.entries()) await nodeAt(0).add(id, Buffer.alloc(32, index + 1));
    expect(nodeAt(1).ids()).to.have.length(4);
    await nodeAt(0).destroy('ada');
    await nodeAt(1).destroy('bob');
    await nodeAt(2).dropDamagedLines();
    expect(readFileSync(path, 'utf8')).to.not.match(/^(?:ada|bob) /m);
    for (const node of nodes) expect(node.ids()).to.deep.equal(['cleo', 'dan']);
  });

  it('keeps the loaded keys while the file is missing, so that a backup can still be written', async () => {
    await nodeAt(0).add('ada', Buffer.alloc(32, 1));
    rmSync(path);
    expect(nodeAt(0).find('ada')).to.deep.equal(Buffer.alloc(32, 1));
    await nodeAt(0).add('bob', Buffer.alloc(32, 2));
    expect((await open()).ids(), 'a lost key is not written again').to.deep.equal(['bob']);
  });
});
