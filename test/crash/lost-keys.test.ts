import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { operate } from '../../src/operations/operations.ts';
import type { CheckResult } from '../../src/cli/doctor-checks.ts';
import { checkDirectory } from '../../src/cli/doctor-directory.ts';
import { checkServerState } from '../../src/cli/doctor-server.ts';
import { controlSocketPath } from '../../src/cli/operation-target.ts';
import { configFromSettings } from '../../src/config/config.ts';
import { serveControl } from '../../src/operations/control/server.ts';
import type { Service } from '../../src/composition/service.ts';
import { createStarter } from '../support/stored-files.ts';
import { quickHasher } from '../support/quick-hasher.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const ADMINISTRATOR = ['administrator'] as const;
const NAMES = ['ada', 'bob', 'cleo', 'dan'] as const;

describe('a damaged line in users.keys', () => {
  let dataDir: string;
  const starter = createStarter();
  let service: Service;
  let intactFile: string;
  const path = (): string => join(dataDir, 'keys', 'users.keys');

  async function restart(whileStopped: () => void): Promise<void> {
    await service.close();
    whileStopped();
    service = await starter.start(dataDir);
  }

  const changeChecksum = (line: string): string => line.replace(/.$/, (last) => (last === '0' ? '1' : '0'));

  /** Changes the line for the account with this number, counting from 1. */
  function damage(number: number, change: (line: string) => string = changeChecksum): void {
    const lines = readFileSync(path(), 'utf8').trimEnd().split('\n');
    writeFileSync(path(), lines.map((line, index) => `${index + 1 === number ? change(line) : line}\n`).join(''));
  }

  async function findUsersWhoCanLogIn(): Promise<readonly string[]> {
    const logIn = (name: string) => service.accounts.verify(name, `${name}'s password`, quickHasher);
    const results = await Promise.all(NAMES.map(logIn));
    return results.flatMap((result) => (result === undefined ? [] : [result.user.username]));
  }

  const findUser = (name: string) => service.projections.users.findByName(name) ?? expect.fail(`there is no ${name}`);

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'grantlog-keys-'));
    service = await starter.start(dataDir);
    for (const username of NAMES) {
      const account = { username, password: `${username}'s password`, roles: username === 'ada' ? ADMINISTRATOR : [] };
      expect(await service.accounts.register(account, OPERATOR)).to.have.property('user');
    }
    intactFile = readFileSync(path(), 'utf8');
  });
  afterEach(async () => {
    await service.close();
    rmSync(dataDir, { recursive: true });
  });

  for (const [damageKind, change] of [
    ['with a wrong checksum', undefined],
    ['with a different id', (line: string) => `_${line.slice(1)}`],
    ['that is unreadable', () => '\u0000'],
    ['that is missing', () => ''],
  ] as const) {
    it(`${damageKind} locks out only its account, and the server reports the account`, async () => {
      const { userId } = findUser('bob');
      await restart(() => damage(2, change));
      expect(await findUsersWhoCanLogIn()).to.deep.equal(['ada', 'cleo', 'dan']);
      const [notice = '', ...otherNotices] = starter.notices();
      expect(otherNotices).to.deep.equal([]);
      for (const part of [`number 2 (${userId})`, path(), 'grantlog restore FILE DIR']) expect(notice).to.include(part);
      expect(notice.includes('damaged lines in the key file: 2')).to.equal(damageKind !== 'that is missing');
      expect(service.projections.users.hasAdministrator(), 'no set-up link').to.equal(true);
      const duplicateRegistration = await service.accounts.register(
        { username: 'bob', password: 'another password' },
        OPERATOR,
      );
      expect(duplicateRegistration, 'the name stays taken').to.have.property('errors');
    });
  }

  it('is reported by doctor, with or without a running server', async () => {
    await restart(() => damage(3));
    const control = await serveControl(controlSocketPath(dataDir), operate(service));
    const serverResults = await checkServerState({ dataDir });
    await control.close();
    const accountsResult = serverResults.find(({ check }) => check === 'accounts');
    expect([accountsResult?.ok, accountsResult?.says.includes('number 3')], accountsResult?.says).to.deep.equal([
      false,
      true,
    ]);
    const keysResult = (checkDirectory(configFromSettings({ dataDir })) as CheckResult[]).find(
      ({ check }) => check === 'keys',
    );
    expect([keysResult?.ok, keysResult?.says.includes('line 3 of users.keys')], keysResult?.says).to.deep.equal([
      false,
      true,
    ]);
    writeFileSync(path(), intactFile);
    expect(checkDirectory(configFromSettings({ dataDir })).find(({ check }) => check === 'keys')?.ok).to.equal(true);
  });

  it('is reported before a backup, which is written without the key', async () => {
    await restart(() => damage(2));
    const items: unknown[] = [];
    for await (const item of operate(service)('backup', {}, new AbortController().signal)) items.push(item);
    const { warning } = items[0] as { readonly warning: string };
    expect(warning).to.include('some keys will be missing from the backup').and.include('number 2');
    expect(items.at(-1)).to.include({ users: 3 });
  });

  it('is repaired by restoring the line from a backup', async () => {
    await restart(() => damage(2));
    await restart(() => damage(2, () => intactFile.split('\n')[1] ?? ''));
    expect(await findUsersWhoCanLogIn()).to.deep.equal([...NAMES]);
    expect(starter.notices()).to.deep.equal([]);
  });

  it('is repaired by adding the line from a backup, and the damaged line is removed', async () => {
    await restart(() => damage(2));
    await restart(() => writeFileSync(path(), `${readFileSync(path(), 'utf8')}${intactFile.split('\n')[1]}\n`));
    expect(await findUsersWhoCanLogIn()).to.deep.equal([...NAMES]);
    expect(starter.notices()).to.have.length(1);
    expect(starter.notices()[0]).to.match(/had damaged lines \(2\), which were removed: every account has its key/);
    const sortedLines = (text: string): readonly string[] => text.trimEnd().split('\n').toSorted();
    expect(sortedLines(readFileSync(path(), 'utf8'))).to.deep.equal(sortedLines(intactFile));
  });

  it('is removed when the account is erased, even if its id is damaged', async () => {
    const secret = intactFile.split('\n')[1]?.split(' ')[1] ?? '';
    const bob = findUser('bob');
    await restart(() => damage(2, (line) => `_${line.slice(1)}`));
    expect(readFileSync(path(), 'utf8')).to.include(secret);
    await service.accounts.erase(service.projections.users.find(bob.userId) ?? expect.fail(), OPERATOR);
    expect(readFileSync(path(), 'utf8')).to.not.include(secret);
    expect(service.lostKeys.problem()).to.equal(undefined);
    await restart(() => {});
    expect(await findUsersWhoCanLogIn()).to.deep.equal(['ada', 'cleo', 'dan']);
  });

  it('is distinguished from an erasure, after which the missing key is not reported', async () => {
    await service.accounts.erase(findUser('cleo'), OPERATOR);
    await restart(() => {});
    expect(starter.notices()).to.deep.equal([]);
    expect(service.lostKeys.accounts()).to.deep.equal([]);
    await restart(() => damage(1));
    expect(service.lostKeys.accounts().map(({ id }) => id)).to.deep.equal([1]);
  });

  it('is detected even in a file without checksums, because the key does not decrypt the data', async () => {
    await restart(() => {
      const lines = intactFile
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ').slice(0, 2).join(' '));
      writeFileSync(
        path(),
        lines.map((line, index) => `${index === 1 ? line.replace(/.{3}$/, 'AAA') : line}\n`).join(''),
      );
    });
    expect(await findUsersWhoCanLogIn()).to.deep.equal(['ada', 'cleo', 'dan']);
    expect(starter.notices()).to.have.length(1);
    expect(starter.notices()[0]).to.include('number 2');
  });
});
