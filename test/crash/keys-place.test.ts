import { withOperations } from '../support/with-operations.ts';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkDirectory, checkKeys } from '../../src/cli/doctor-checks.ts';
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
const FILES = ['cookies.key', 'log.key', 'names.key', 'refresh.key', 'users.keys'];

describe('the keys in the directory that the setting `keys` specifies', () => {
  let directory: string;
  let settings: { readonly dataDir: string; readonly keys: string };
  let notices: string[];
  let starts = 0;
  const start = (config: Config = configFromSettings(settings)): Promise<Service> =>
    openService(config, {
      clock: manualClock(),
      entropy: seededEntropy(`keys place ${(starts += 1)}`),
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
    expect(readdirSync(settings.keys).toSorted()).to.deep.equal(FILES);
    expect(existsSync(join(settings.dataDir, 'keys'))).to.equal(false);
    const service = await start();
    expect(await service.accounts.verify('ada', 'x', quickHasher)).to.have.nested.property('user.username', 'ada');
    await service.close();
  });

  it('are reported with this directory by messages, doctor and repairs', async () => {
    const [users, cookies] = [join(settings.keys, 'users.keys'), join(settings.keys, 'cookies.key')];
    writeFileSync(users, readFileSync(users, 'utf8').replace(/.$/m, '?'));
    notices = [];
    await (await start()).close();
    expect(notices.join('\n')).to.include(`no key in ${users}`);
    writeFileSync(cookies, 'damaged');
    expect(await failureOf(start())).to.include(`${cookies} is damaged`);
    const found = checkDirectory(configFromSettings(settings)).find(({ check }) => check === 'keys');
    expect(found?.says).to.include(`damaged in ${settings.keys}: cookies.key, line 1 of users.keys`);
    const { repaired } = await repairDataDirectory(settings, {
      acceptLoss: false,
      keysToReplace: ['cookies'],
      entropy: seededEntropy('repair'),
      notice: () => {},
    });
    expect(repaired.join('\n')).to.include(`${cookies} moved to`);
    await (await start()).close();
  });

  it('are required: with a directory that lacks them, the server does not start, and writes no file', async () => {
    const elsewhere = join(directory, 'elsewhere');
    const movedConfig = configFromSettings({ ...settings, keys: elsewhere });
    expect(await failureOf(start(movedConfig))).to.include(`${join(elsewhere, 'refresh.key')} is missing`);
    expect(existsSync(elsewhere)).to.equal(false);
    cpSync(settings.keys, elsewhere, { recursive: true });
    await (await start(movedConfig)).close();
  });

  it('are not changed by a restore, which prints the location of the restored keys', async () => {
    const [file, restored] = [join(directory, 'one.backup'), join(directory, 'restored')];
    await run('backup', file);
    const before = FILES.map((name) => readFileSync(join(settings.keys, name), 'utf8'));
    const { err } = await run('restore', file, restored);
    expect(err).to.include(`the restored keys are in ${restored}/keys`).and.include(settings.keys);
    const now = FILES.map((name) => readFileSync(join(settings.keys, name), 'utf8'));
    expect(now).to.deep.equal(before);
    for (const [index, name] of FILES.entries()) {
      expect(readFileSync(join(restored, 'keys', name), 'utf8'), name).to.equal(before[index]);
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

  it('need secrets of 32 bytes each, which messages do not repeat', () => {
    const encoded = Buffer.alloc(32, 7).toString('base64url');
    for (const valid of [SECRET, SECRET.toUpperCase(), encoded, `${encoded}=`, `${SECRET},${encoded}, ${SECRET}`]) {
      expect(problemsOf({ keysSecret: valid }), valid).to.deep.equal([]);
    }
    for (const invalid of [
      '',
      'hunter2',
      SECRET.slice(1),
      `${SECRET}0`,
      `${encoded}A`,
      `${SECRET},`,
      `${SECRET} ${SECRET}`,
    ]) {
      const [problem = '', ...others] = problemsOf({ keysSecret: invalid });
      expect(others).to.deep.equal([]);
      expect(problem, invalid).to.match(/^keysSecret: must be 32 random bytes/);
      if (invalid !== '') expect(problem).to.not.include(invalid);
    }
  });

  it('are refused for a log in LevelDB, before any file is written', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'grantlog-place-'));
    const settings = { dataDir: directory, keys: 'database', keysSecret: SECRET, log: 'postgres://u@one/grantlog' };
    const config = configFromSettings(settings);
    const opening = openDataDirectory(config, { entropy: seededEntropy('none'), notice: () => {} });
    const failure = await opening.catch((error: Error) => error.message);
    expect(failure).to.match(/the log is not in PostgreSQL: set GRANTLOG_LOG .* or GRANTLOG_KEYS to a directory/);
    expect(readdirSync(directory)).to.deep.equal([]);
    expect(checkKeys(config, false).says).to.match(/^in the database/);
    rmSync(directory, { recursive: true });
  });
});
