import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { operate } from '../../src/operations/operations.ts';
import type { ClientId } from '../../src/domain/values.ts';
import type { Service } from '../../src/composition/service.ts';
import { importClient } from '../support/chosen-secrets.ts';
import { createStarter } from '../support/stored-files.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const NEVER = new AbortController().signal;

const KEY_OWNERS = [
  {
    owner: 'an erased user',
    file: 'users.keys',
    async add({ accounts }: Service): Promise<string> {
      const registration = await accounts.register({ username: 'bob', password: 'the password of bob' }, OPERATOR);
      return 'user' in registration ? registration.user.userId : expect.fail('bob was not registered');
    },
    async remove({ accounts, projections }: Service): Promise<void> {
      await accounts.erase(projections.users.findByName('bob') ?? expect.fail('there is no bob'), OPERATOR);
    },
  },
  {
    owner: 'a removed client',
    file: 'clients.keys',
    add: async (service: Service): Promise<string> => (await importClient(service, 'in plain text', 'ant')).clientId,
    remove: ({ registration }: Service): Promise<void> => registration.remove('ant' as ClientId, OPERATOR),
  },
] as const;

for (const { owner, file, add, remove } of KEY_OWNERS) {
  describe(`the key of ${owner}, if its file cannot be written`, () => {
    let dataDir: string;
    let service: Service;
    let id: string;
    const starter = createStarter();
    const path = (): string => join(dataDir, 'keys', file);
    const isStored = (): boolean => readFileSync(path(), 'utf8').includes(id);
    const tryToRemove = (): Promise<string> =>
      remove(service).then(
        () => 'done',
        (error: Error) => error.name,
      );

    /** Prevents new versions of the file from being created. */
    const blockFile = (): void => mkdirSync(`${path()}.new`);
    const unblockFile = (): void => rmdirSync(`${path()}.new`);

    async function backUp(): Promise<string> {
      let text = '';
      for await (const part of operate(service)('backup', {}, NEVER)) text += typeof part === 'string' ? part : '';
      return text;
    }

    beforeEach(async () => {
      dataDir = mkdtempSync(join(tmpdir(), 'grantlog-keys-'));
      service = await starter.start(dataDir);
      id = await add(service);
    });
    afterEach(async () => {
      if (existsSync(`${path()}.new`)) unblockFile();
      await service.close();
      rmSync(dataDir, { recursive: true });
    });

    it('is destroyed while the server runs, as soon as the file can be written', async () => {
      blockFile();
      expect([await tryToRemove(), isStored()]).to.deep.equal(['KeyStillStoredError', true]);
      expect(starter.notices())
        .to.have.length(1)
        .and.satisfy(([line]: string[]) => line?.includes(path()));
      unblockFile();
      while (starter.notices().length < 2) await setImmediate();
      expect(starter.notices()[1]).to.match(/can be written again/);
      expect(isStored()).to.equal(false);
    });

    it('is destroyed when the server stops', async () => {
      blockFile();
      expect(await tryToRemove()).to.equal('KeyStillStoredError');
      unblockFile();
      await service.close();
      const storedAfterStop = isStored();
      service = await starter.start(dataDir);
      expect(storedAfterStop).to.equal(false);
    });

    it('is destroyed at the next startup, or later if the file still cannot be written', async () => {
      blockFile();
      expect(await tryToRemove()).to.equal('KeyStillStoredError');
      await service.close();
      service = await starter.start(dataDir);
      expect([isStored(), starter.notices().length], 'the server starts nevertheless').to.deep.equal([true, 1]);
      await service.close();
      unblockFile();
      service = await starter.start(dataDir);
      expect([isStored(), starter.notices()]).to.deep.equal([false, []]);
    });

    it('is unusable and in no backup even before it is destroyed', async () => {
      const hasKey = (text: string): boolean => text.includes(`"${id}","value"`);
      expect(hasKey(await backUp())).to.equal(true);
      blockFile();
      expect(await tryToRemove()).to.equal('KeyStillStoredError');
      expect(hasKey(await backUp())).to.equal(false);
      const { personalKeys, clientKeys } = service;
      expect([personalKeys.find(id as never), clientKeys.find(id as never)]).to.deep.equal([undefined, undefined]);
    });
  });
}
