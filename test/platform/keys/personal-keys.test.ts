import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { keyDirectory } from '../../../src/platform/keys/key-directory.ts';
import { PERSONAL_KEYS, type PersonalKeys } from '../../../src/platform/keys/personal-keys.ts';
import { userId } from '../../support/domain-values.ts';

const createKey = (byte: number): Buffer => Buffer.alloc(32, byte);

describe('personal keys', () => {
  let directory: string;
  beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'grantlog-'))));
  afterEach(() => rmSync(directory, { recursive: true }));
  const open = (): Promise<PersonalKeys> => keyDirectory(join(directory, 'keys')).keyring(PERSONAL_KEYS);
  const file = (): string => join(directory, 'keys', 'users.keys');

  for (const [kind, create] of [
    ['in memory', PERSONAL_KEYS.inMemory],
    ['in a file', () => open()],
  ] as const) {
    it(`${kind} are found under their ids until they are destroyed`, async () => {
      const keys = await create();
      await keys.add(userId('ada'), createKey(1));
      await keys.add(userId('bob'), createKey(2));
      expect([keys.find(userId('ada')), keys.find(userId('bob')), keys.find(userId('eve'))]).to.deep.equal([
        createKey(1),
        createKey(2),
        undefined,
      ]);
      await keys.destroy(userId('ada'));
      await keys.destroy(userId('ada'));
      await keys.destroy(userId('eve'));
      expect([keys.find(userId('ada')), keys.find(userId('bob'))]).to.deep.equal([undefined, createKey(2)]);
    });
  }

  it('survive a restart, unless destroyed', async () => {
    const keys = await open();
    for (const [index, name] of ['ada', 'bob', 'cleo'].entries()) await keys.add(userId(name), createKey(index));
    await keys.destroy(userId('bob'));
    await keys.add(userId('dan'), createKey(9));
    const reopened = await open();
    expect(['ada', 'bob', 'cleo', 'dan'].map((name) => reopened.find(userId(name)))).to.deep.equal([
      createKey(0),
      undefined,
      createKey(2),
      createKey(9),
    ]);
  });

  it('leave no trace in the directory once destroyed', async () => {
    const keys = await open();
    await keys.add(userId('ada'), createKey(1));
    await keys.add(userId('bob'), createKey(2));
    await keys.destroy(userId('ada'));
    for (const name of readdirSync(join(directory, 'keys')))
      expect(readFileSync(join(directory, 'keys', name), 'utf8')).to.not.contain(createKey(1).toString('base64url'));
    expect(readdirSync(join(directory, 'keys'))).to.deep.equal(['users.keys']);
  });

  const modes = (): readonly number[] => [
    statSync(join(directory, 'keys')).mode & 0o777,
    statSync(file()).mode & 0o777,
  ];

  it('are readable only by the owner of the process, before and after a rewrite', async () => {
    const keys = await open();
    await keys.add(userId('ada'), createKey(1));
    expect(modes()).to.deep.equal([0o700, 0o600]);
    await keys.destroy(userId('ada'));
    expect(modes()).to.deep.equal([0o700, 0o600]);
  });

  it('survive the truncation of the last line at any byte, as do keys that are added later', async () => {
    const completeLine = `${userId('bob')} ${createKey(2).toString('base64url')}`;
    for (let length = 0; length <= completeLine.length; length += 1) {
      const keys = await open();
      await keys.add(userId('ada'), createKey(1));
      appendFileSync(file(), completeLine.slice(0, length));
      const findAll = async (): Promise<unknown[]> => {
        const reopened = await open();
        return ['ada', 'bob', 'cleo'].map((name) => reopened.find(userId(name)));
      };
      const bob = length === completeLine.length ? createKey(2) : undefined;
      expect(await findAll(), `truncated after ${length}`).to.deep.equal([createKey(1), bob, undefined]);
      await (await open()).add(userId('cleo'), createKey(3));
      expect(await findAll(), `truncated after ${length}`).to.deep.equal([createKey(1), bob, createKey(3)]);
      writeFileSync(file(), '');
    }
  });
});
