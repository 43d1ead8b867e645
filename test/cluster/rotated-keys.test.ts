import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { changeStoredKeys } from '../../src/composition/change-keys.ts';
import { migrateDatabase } from '../../src/composition/postgres-directory.ts';
import { readConfig } from '../../src/config/config.ts';
import type { KeyTexts } from '../../src/platform/keys/keys.ts';
import { systemEntropy } from '../../src/platform/ports.ts';
import { createDatabase } from '../support/postgres/cluster.ts';
import { runOnDatabase, type CommandResult } from '../support/postgres/run-on-database.ts';

type StoredKeys = Partial<KeyTexts> & { readonly previous: readonly string[] };

describe('grantlog keys', function () {
  this.timeout(180_000);
  let scratch: string;
  let env: Readonly<Record<string, string>>;

  beforeEach(() => {
    scratch = mkdtempSync(join(tmpdir(), 'grantlog-'));
  });
  afterEach(() => rmSync(scratch, { recursive: true }));

  const run = (commandLine: string): Promise<CommandResult> => runOnDatabase(commandLine.split(' '), env);

  async function readStoredKeys(): Promise<StoredKeys> {
    let keys: StoredKeys | undefined;
    await changeStoredKeys(readConfig(env, () => '{}').config, systemEntropy(), async (store) => {
      keys = { ...(await store.texts()), previous: (await store.previousCookieKeys()).map(({ text }) => text) };
    });
    return keys ?? expect.fail();
  }

  const storages: Readonly<Record<string, () => Promise<Readonly<Record<string, string>>>>> = {
    'in a data directory': async () => ({ DATA_DIR: join(scratch, 'data') }),
    'in a database': async () => {
      const url = await createDatabase();
      await migrateDatabase(url);
      return {
        GRANTLOG_LOG: url,
        GRANTLOG_KEYS: 'database',
        GRANTLOG_KEYS_SECRET: '5a'.repeat(32),
        DATA_DIR: join(scratch, 'data'),
      };
    },
  };

  for (const [storage, settings] of Object.entries(storages)) {
    describe(storage, () => {
      let initialKeys: StoredKeys;

      beforeEach(async () => {
        env = await settings();
        await run('group add staff');
        initialKeys = await readStoredKeys();
      });

      it('rotates the cookie key, keeps the previous one, and drops it', async () => {
        const rotation = await run('keys rotate cookies');
        expect(rotation, rotation.err).to.include({ status: 0 });
        expect(rotation.out).to.include('accepts the previous key until you run grantlog keys drop-previous');
        expect(rotation.out).to.include('after 14 days');
        const rotatedKeys = await readStoredKeys();
        expect(rotatedKeys.cookies)
          .to.match(/^[0-9a-f]{64}$/)
          .and.not.equal(initialKeys.cookies);
        expect(rotatedKeys).to.deep.equal({
          ...initialKeys,
          cookies: rotatedKeys.cookies,
          previous: [initialKeys.cookies],
        });
        expect(await run('keys drop-previous --yes')).to.include({ status: 0 });
        expect(await readStoredKeys()).to.deep.equal({ ...rotatedKeys, previous: [] });
        expect(await run('group list')).to.include({ status: 0 });
      });

      it('keeps every earlier cookie key when the key is rotated again, and drops them all at once', async () => {
        await run('keys rotate cookies');
        const middleKeys = await readStoredKeys();
        const secondRotation = await run('keys rotate cookies');
        expect(secondRotation.out).to.include('accepts the 2 previous keys until you run grantlog keys drop-previous');
        expect((await readStoredKeys()).previous).to.deep.equal([middleKeys.cookies, initialKeys.cookies]);
        const refusal = await run('keys drop-previous');
        expect(refusal.status).to.equal(2);
        expect(refusal.err).to.match(/the newest of these keys was replaced on .* so sessions can depend on it until /);
        expect(JSON.parse((await run('keys drop-previous --yes --json')).out)).to.include({ dropped: 2 });
        expect((await readStoredKeys()).previous).to.deep.equal([]);
        expect(await run('keys drop-previous')).to.include({ status: 0 });
      });

      it('drops the previous cookie key immediately on request', async () => {
        await run('keys rotate cookies');
        const { cookies } = await readStoredKeys();
        const rotation = JSON.parse((await run('keys rotate cookies --drop-previous --yes --json')).out) as object;
        expect(rotation).to.include({ key: 'cookies', previous_accepted: false });
        const rotatedKeys = await readStoredKeys();
        expect(rotatedKeys.previous).to.deep.equal([]);
        expect(rotatedKeys.cookies).to.not.equal(cookies);
      });

      it('replaces the refresh key only after confirmation, and states the consequence', async () => {
        const refusal = await run('keys rotate refresh');
        expect(refusal.status).to.equal(2);
        expect(refusal.err).to.include('all existing refresh tokens are refused').and.include('--accept-loss');
        expect(await readStoredKeys()).to.deep.equal(initialKeys);
        expect((await run('keys rotate refresh --accept-loss')).out).to.include('Restart all nodes now');
        const rotatedKeys = await readStoredKeys();
        expect(rotatedKeys.refresh).to.not.equal(initialKeys.refresh);
        expect(rotatedKeys).to.deep.equal({ ...initialKeys, refresh: rotatedKeys.refresh });
        expect(await run('group list')).to.include({ status: 0 });
      });

      it('refuses to replace the other keys, and gives the reason', async () => {
        expect((await run('keys rotate names')).err).to.include('is never replaced');
        expect((await run('keys rotate log')).err).to.include('proves the history');
        expect((await run('keys rotate other')).err).to.include('there is no key other');
        expect(await readStoredKeys()).to.deep.equal(initialKeys);
      });
    });
  }

  it('does not create a missing data directory', async () => {
    env = { DATA_DIR: join(scratch, 'missing') };
    expect((await run('keys rotate cookies')).err).to.include('missing does not exist');
    expect(existsSync(join(scratch, 'missing'))).to.equal(false);
  });

  it("replaces a lost key in a database, as the node's error message advises", async () => {
    env = await (storages['in a database'] ?? expect.fail())();
    await run('group add staff');
    const rotateWith = (secret: string) =>
      runOnDatabase(['keys', 'rotate', 'cookies'], { ...env, GRANTLOG_KEYS_SECRET: secret });
    expect((await rotateWith('6b'.repeat(32))).err, 'the wrong secret').to.include('no key that can be read');
    expect(
      (await rotateWith(`${'6b'.repeat(32)},${'5a'.repeat(32)}`)).status,
      'a secret that is lost afterward',
    ).to.equal(0);
    const failure = await run('group list');
    expect(failure.err)
      .to.include('the cookies key in the database cannot be decrypted')
      .and.include('grantlog keys rotate');
    expect(await run('keys rotate cookies')).to.include({ status: 0 });
    expect(await run('group list')).to.include({ status: 0 });
  });

  it('replaces a damaged cookie key in a directory', async () => {
    env = { DATA_DIR: join(scratch, 'data') };
    await run('group add staff');
    const path = join(scratch, 'data', 'keys', 'cookies.key');
    writeFileSync(path, 'damaged');
    expect(await run('keys rotate cookies')).to.include({ status: 0 });
    expect(readFileSync(path, 'utf8')).to.match(/^[0-9a-f]{64} /);
    expect(await run('group list')).to.include({ status: 0 });
  });
});
