import { withOperations } from '../support/with-operations.ts';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkDirectory, checkKeys } from '../../src/cli/doctor-directory.ts';
import { runCommand } from '../../src/cli/command-line.ts';
import { configFromSettings, ConfigError, readConfig, type Config } from '../../src/config/config.ts';
import { openDataDirectory } from '../../src/composition/data-directory.ts';
import { openInspection } from '../../src/composition/inspection.ts';
import { openService } from '../../src/composition/open-service.ts';
import type { Service } from '../../src/composition/service.ts';
import { repairDataDirectory } from '../../src/operations/repair/repair.ts';
import { manualClock } from '../support/manual-clock.ts';
import { quickHasher } from '../support/quick-hasher.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';
import { withoutDatabase } from '../support/without-database.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const SECRET = '0f'.repeat(32);
const KEY_FILES = ['cookies.key', 'log.key', 'names.key', 'refresh.key', 'users.keys'];

describe('keys in the directory specified by the `keys` setting', () => {
  let directory: string;
  let settings: { readonly dataDir: string; readonly keys: string };
  let notices: string[];
  let startCount = 0;
  const start = (config: Config = configFromSettings(settings)): Promise<Service> =>
    openService(config, {
      clock: manualClock(),
      entropy: seededEntropy(`keys place ${(startCount += 1)}`),
      hasher: quickHasher,
      issuer: () => 'http://localhost',
      notice: (line) => void notices.push(line),
    });
  const failureOf = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => 'no failure',
      ({ message }: Error) => message,
    );

  /** Runs a command with both settings in the environment. */
  async function run(...args: readonly string[]): Promise<{ readonly out: string; readonly err: string }> {
    const output = { out: '', err: '' };
    const status = await runCommand(args, {
      version: '1.2.3',
      terminal: {
        signal: new AbortController().signal,
        out: async (text) => void (output.out += text),
        err: (text) => void (output.err += text),
        readInput: async () => '',
      },
      open: start,
      readSettings: () => readConfig({ DATA_DIR: settings.dataDir, GRANTLOG_KEYS: settings.keys }, () => '{}'),
      inspect: (config) => openInspection(config, seededEntropy('none')),
      now: async () => 0,
      ...withoutDatabase,
      ...withOperations,
      serve: async () => 0,
    });
    expect(status, output.err).to.equal(0);
    return output;
  }

  beforeEach(async () => {
    notices = [];
    directory = mkdtempSync(join(tmpdir(), 'grantlog-place-'));
    settings = { dataDir: join(directory, 'data'), keys: join(directory, 'secrets', 'keys') };
    const service = await start();
    expect(await service.accounts.register({ username: 'ada', password: 'x' }, OPERATOR)).to.have.property('user');
    await service.close();
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('are created and found in that directory, and no key is in the data directory', async () => {
    expect(readdirSync(settings.keys).toSorted()).to.deep.equal(KEY_FILES);
    expect(existsSync(join(settings.dataDir, 'keys'))).to.equal(false);
    const service = await start();
    expect(await service.accounts.verify('ada', 'x', quickHasher)).to.have.nested.property('user.username', 'ada');
    await service.close();
  });

  it('are reported with the path of this directory by messages, doctor and repairs', async () => {
    const [usersFile, cookiesFile] = [join(settings.keys, 'users.keys'), join(settings.keys, 'cookies.key')];
    writeFileSync(usersFile, readFileSync(usersFile, 'utf8').replace(/.$/m, '?'));
    notices = [];
    await (await start()).close();
    expect(notices.join('\n')).to.include(`no key in ${usersFile}`);
    writeFileSync(cookiesFile, 'damaged');
    expect(await failureOf(start())).to.include(`${cookiesFile} is damaged`);
    const keysResult = checkDirectory(configFromSettings(settings)).find(({ check }) => check === 'keys');
    expect(keysResult?.says).to.include(`damaged in ${settings.keys}: cookies.key, line 1 of users.keys`);
    const { repaired } = await repairDataDirectory(settings, {
      acceptLoss: false,
      keysToReplace: ['cookies'],
      entropy: seededEntropy('repair'),
      notice: () => {},
    });
    expect(repaired.join('\n')).to.include(`moved ${cookiesFile} to`);
    await (await start()).close();
  });

  it('are required: if the directory lacks them, the server does not start, and writes no file', async () => {
    const otherDirectory = join(directory, 'elsewhere');
    const movedConfig = configFromSettings({ ...settings, keys: otherDirectory });
    expect(await failureOf(start(movedConfig))).to.include(`${join(otherDirectory, 'refresh.key')} is missing`);
    expect(existsSync(otherDirectory)).to.equal(false);
    cpSync(settings.keys, otherDirectory, { recursive: true });
    await (await start(movedConfig)).close();
  });

  it('are not changed by a restore, which prints the location of the restored keys', async () => {
    const [file, restoredDataDir] = [join(directory, 'one.backup'), join(directory, 'restored')];
    await run('backup', file);
    const keysBefore = KEY_FILES.map((name) => readFileSync(join(settings.keys, name), 'utf8'));
    const { err } = await run('restore', file, restoredDataDir);
    expect(err).to.include(`the restored keys are in ${restoredDataDir}/keys`).and.include(settings.keys);
    const keysAfter = KEY_FILES.map((name) => readFileSync(join(settings.keys, name), 'utf8'));
    expect(keysAfter).to.deep.equal(keysBefore);
    for (const [index, name] of KEY_FILES.entries()) {
      expect(readFileSync(join(restoredDataDir, 'keys', name), 'utf8'), name).to.equal(keysBefore[index]);
    }
  });
});

describe('keys in the database', () => {
  const problemsOf = (settings: Parameters<typeof configFromSettings>[0]): readonly string[] => {
    try {
      configFromSettings(settings);
      return [];
    } catch (error) {
      return error instanceof ConfigError ? error.problems : expect.fail(String(error));
    }
  };

  it('need a secret and a log in PostgreSQL', () => {
    const [keys, keysSecret, log] = ['database', SECRET, 'postgres://u@one/grantlog'];
    expect(problemsOf({ keys, log })).to.have.length(1);
    expect(problemsOf({ keys, log })[0]).to.match(/^GRANTLOG_KEYS: .*set GRANTLOG_KEYS_SECRET/);
    expect(problemsOf({ keys, keysSecret })).to.have.length(1);
    expect(problemsOf({ keys, keysSecret })[0]).to.match(/^GRANTLOG_KEYS: .*set GRANTLOG_LOG/);
    expect(problemsOf({ keys, keysSecret, log })).to.deep.equal([]);
    expect(problemsOf({ keys: './database' })).to.deep.equal([]);
  });

  it('need secrets of 32 bytes, and messages never repeat them', () => {
    const encodedSecret = Buffer.alloc(32, 7).toString('base64url');
    for (const validSecret of [
      SECRET,
      SECRET.toUpperCase(),
      encodedSecret,
      `${encodedSecret}=`,
      `${SECRET},${encodedSecret}, ${SECRET}`,
    ]) {
      expect(problemsOf({ keysSecret: validSecret }), validSecret).to.deep.equal([]);
    }
    for (const invalidSecret of [
      '',
      'hunter2',
      SECRET.slice(1),
      `${SECRET}0`,
      `${encodedSecret}A`,
      `${SECRET},`,
      `${SECRET} ${SECRET}`,
    ]) {
      const [problem = '', ...otherProblems] = problemsOf({ keysSecret: invalidSecret });
      expect(otherProblems).to.deep.equal([]);
      expect(problem, invalidSecret).to.match(/^keysSecret: must be 32 random bytes/);
      if (invalidSecret !== '') expect(problem).to.not.include(invalidSecret);
    }
  });

  it('are refused for a log in LevelDB, before any file is written', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'grantlog-place-'));
    const settings = { dataDir: directory, keys: 'database', keysSecret: SECRET, log: 'postgres://u@one/grantlog' };
    const config = configFromSettings(settings);
    const outcome = openDataDirectory(config, { entropy: seededEntropy('none'), notice: () => {} });
    const failure = await outcome.catch((error: Error) => error.message);
    expect(failure).to.match(/the log is not in PostgreSQL: set GRANTLOG_LOG .* or GRANTLOG_KEYS to a directory/);
    expect(readdirSync(directory)).to.deep.equal([]);
    expect(checkKeys(config, false).says).to.match(/^in the database/);
    rmSync(directory, { recursive: true });
  });
});
