import { expect } from 'chai';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openServiceOf, runCommandOn } from '../support/run-command.ts';

const PASSWORD = 'correct horse battery staple';
const CHOOSE_DIRECTORY = "set DATA_DIR or --data-dir to the server's data directory";

describe('a command on a data directory', () => {
  let parentDirectory: string;
  let dataDir: string;

  beforeEach(() => {
    parentDirectory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    dataDir = join(parentDirectory, 'data');
  });
  afterEach(() => rmSync(parentDirectory, { recursive: true }));

  const run = (command: string, directory = dataDir) =>
    runCommandOn({ DATA_DIR: directory }, command.split(' '), PASSWORD);

  const readFiles = (directory: string): readonly string[] =>
    readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .map((name) => join(directory, name))
      .map((path) => `${path} ${statSync(path).isFile() ? readFileSync(path).toString('base64') : ''}`)
      .toSorted();

  const READING_COMMANDS = ['log as-of --position 1', 'log tail', 'log what-if --set requirePkce=all', 'user list'];

  describe('whose log is missing, although its recorded head shows events', () => {
    beforeEach(async () => {
      expect((await run('user add ada')).status).to.equal(0);
      renameSync(join(dataDir, 'log'), join(parentDirectory, 'log'));
    });

    for (const command of READING_COMMANDS)
      it(`reports the loss, and creates no file: ${command}`, async () => {
        const filesBefore = readFiles(dataDir);
        const { status, out, err } = await run(command);
        expect({ status, out }).to.deep.equal({ status: 2, out: '' });
        expect(err).to.include(
          `${join(dataDir, 'log')}, does not exist, but events up to position 1 were acknowledged`,
        );
        expect(readFiles(dataDir)).to.deep.equal(filesBefore);
      });

    it('reports the loss as damage, and creates no file: log verify', async () => {
      const filesBefore = readFiles(dataDir);
      const { status, out } = await run('log verify');
      expect(status).to.equal(1);
      expect(out).to.match(/^DAMAGED at position 1: .* does not exist, but events up to position 1/);
      expect(readFiles(dataDir)).to.deep.equal(filesBefore);
    });

    it('reports the loss even if the key is missing that authenticates the recorded head', async () => {
      unlinkSync(join(dataDir, 'keys/log.key'));
      const filesBefore = readFiles(dataDir);
      for (const command of [...READING_COMMANDS, 'user add eve']) {
        const { status, err } = await run(command);
        expect(status, command).to.equal(2);
        expect(err).to.include(`${join(dataDir, 'log')} contains no log files, but ${dataDir} has a record of a log`);
      }
      expect(readFiles(dataDir)).to.deep.equal(filesBefore);
    });

    it('reports the loss even if the recorded head is missing as well, because checkpoints were issued', async () => {
      unlinkSync(join(dataDir, 'log.head'));
      const filesBefore = readFiles(dataDir);
      for (const command of [...READING_COMMANDS, 'user add eve']) {
        const { status, err } = await run(command);
        expect(status, command).to.equal(2);
        expect(err, command).to.include('events up to position 1 were acknowledged');
      }
      expect(readFiles(dataDir)).to.deep.equal(filesBefore);
    });

    it('reports the loss even if an empty directory has taken its place', async () => {
      mkdirSync(join(dataDir, 'log'));
      const filesBefore = readFiles(dataDir);
      for (const command of [...READING_COMMANDS, 'log repair', 'log repair --accept-loss'])
        expect((await run(command)).err, command).to.include('the log ends at position 0, but events up to position 1');
      expect(readFiles(dataDir)).to.deep.equal(filesBefore);
    });

    it('is not repaired without a backup, because a checkpoint was issued, and no file is created', async () => {
      const filesBefore = readFiles(dataDir);
      for (const command of ['log repair', 'log repair --accept-loss']) {
        const { status, err } = await run(command);
        expect(status, command).to.equal(1);
        expect(err).to.match(
          /cannot be repaired without a backup: a checkpoint of 1 records was issued, but .* does not/,
        );
      }
      expect(readFiles(dataDir)).to.deep.equal(filesBefore);
    });

    it('works again once the log is back', async () => {
      await run('user list');
      renameSync(join(parentDirectory, 'log'), join(dataDir, 'log'));
      expect((await run('user list')).out).to.include('ada');
    });
  });

  for (const command of [...READING_COMMANDS, 'log repair', 'log verify'])
    it(`that no server has used reports that there is no log, and creates no file: ${command}`, async () => {
      mkdirSync(join(dataDir, 'log'), { recursive: true });
      writeFileSync(join(dataDir, 'log/syslog'), '');
      const { status, err } = await run(command);
      expect([status, err]).to.deep.equal([2, `grantlog: there is no event log in ${dataDir}; ${CHOOSE_DIRECTORY}\n`]);
      expect(readdirSync(dataDir)).to.deep.equal(['log']);
    });

  it('whose log directory has files of other programs changes neither these files nor their modes', async () => {
    const file = join(dataDir, 'log/syslog');
    mkdirSync(join(dataDir, 'log'), { recursive: true });
    writeFileSync(file, '');
    chmodSync(file, 0o644);
    const { status, err } = await run('user add ada');
    expect(status).to.equal(2);
    expect(err).to.include(`${join(dataDir, 'log')} cannot be used as an event log, because it contains other files`);
    expect(err).to.include('such as syslog');
    expect(statSync(file).mode & 0o777).to.equal(0o644);
    expect(readdirSync(join(dataDir, 'log'))).to.deep.equal(['syslog']);
  });

  it('whose log directory has only numbered .log files keeps them, although LevelDB would delete them', async () => {
    mkdirSync(join(dataDir, 'log'), { recursive: true });
    for (const name of ['000003.log', '20261128.log']) writeFileSync(join(dataDir, 'log', name), name);
    for (const command of [...READING_COMMANDS, 'user add ada'])
      expect((await run(command)).status, command).to.equal(2);
    expect(readdirSync(join(dataDir, 'log')).toSorted()).to.deep.equal(['000003.log', '20261128.log']);
  });

  it('whose log lacks a file is damaged, even if there is also a file of another program', async () => {
    expect((await run('user add ada')).status).to.equal(0);
    unlinkSync(join(dataDir, 'log/CURRENT'));
    writeFileSync(join(dataDir, 'log/notes.txt'), '');
    const { status, err } = await run('user list');
    expect(status).to.equal(2);
    expect(err).to.include(`${join(dataDir, 'log/CURRENT')} is missing`);
  });

  it('whose log directory has only a hidden file is new', async () => {
    mkdirSync(join(dataDir, 'log'), { recursive: true });
    writeFileSync(join(dataDir, 'log/.gitkeep'), '');
    expect((await run('user add ada')).status).to.equal(0);
  });

  const ALL_COMMANDS = [...READING_COMMANDS, 'user add ada', 'log repair', 'keys rotate cookies'];

  it('that is a file, or in one, says so', async () => {
    writeFileSync(dataDir, '');
    for (const [directory, problem] of [
      [dataDir, 'it is not a directory'],
      [join(dataDir, 'data'), `${dataDir} is not a directory`],
    ] as const)
      await expectRefusal(directory, `the data directory ${directory} cannot be used: ${problem}; ${CHOOSE_DIRECTORY}`);
  });

  it('that is a symbolic link to nothing, or in one, names its target, and does not create it', async () => {
    const target = join(parentDirectory, 'unmounted');
    symlinkSync(target, dataDir);
    const problem = `is a symbolic link to ${target}, which does not exist`;
    await expectRefusal(dataDir, `the data directory ${dataDir} cannot be used: it ${problem}; ${CHOOSE_DIRECTORY}`);
    await expectRefusal(join(dataDir, 'data'), `cannot be used: ${dataDir} ${problem}`);
    expect(readdirSync(parentDirectory)).to.deep.equal(['data']);
  });

  it('that cannot be created says so (needs Linux)', async function () {
    if (!existsSync('/proc/self')) this.skip();
    const { status, err } = await run('user add ada', '/proc/nowhere');
    expect(status).to.equal(2);
    expect(err).to.match(/^grantlog: the data directory \/proc\/nowhere cannot be created \(.*\); set DATA_DIR/);
  });

  it('whose log is a symbolic link to nothing names its target', async () => {
    mkdirSync(dataDir);
    const target = join(parentDirectory, 'unmounted');
    symlinkSync(target, join(dataDir, 'log'));
    const problem = `cannot be used: it is a symbolic link to ${target}, which does not exist`;
    expect((await run('user add ada')).err).to.include(`the log directory ${join(dataDir, 'log')} ${problem}`);
    expect(readdirSync(dataDir)).to.deep.equal(['log']);
  });

  async function expectRefusal(directory: string, expectedMessage: string): Promise<void> {
    for (const command of ALL_COMMANDS) {
      const { status, out, err } = await run(command, directory);
      expect({ status, out }, command).to.deep.equal({ status: 2, out: '' });
      expect(err, command).to.include(expectedMessage);
    }
    const refusal = await openServiceOf({ DATA_DIR: directory }).catch((error: unknown) => String(error));
    expect(refusal, 'the server').to.include(expectedMessage);
  }

  for (const command of [
    'keys rotate cookies',
    'keys rotate cookies --drop-previous --yes',
    'keys drop-previous --yes',
  ])
    it(`that does not exist says so: ${command}`, async () => {
      const { status, err } = await run(command);
      const problem = `the data directory ${dataDir} does not exist; ${CHOOSE_DIRECTORY}`;
      expect([status, err]).to.deep.equal([2, `grantlog: ${problem}\n`]);
    });

  it('without a directory of keys names that directory', async () => {
    mkdirSync(dataDir);
    const { status, err } = await run('keys rotate cookies');
    expect(status).to.equal(2);
    expect(err).to.include(`the key directory ${join(dataDir, 'keys')} does not exist; no key was changed`);
  });
});
