import { withOperations } from '../support/with-operations.ts';
import { expect } from 'chai';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operate } from '../../src/operations/operations.ts';
import { runCommand } from '../../src/cli/command-line.ts';
import { controlSocketPath } from '../../src/cli/operation-target.ts';
import { readConfig, type Config } from '../../src/config/config.ts';
import { serveControl } from '../../src/operations/control/server.ts';
import { openInspection } from '../../src/composition/inspection.ts';
import { openService } from '../../src/composition/open-service.ts';
import type { Service } from '../../src/composition/service.ts';
import { manualClock } from '../support/manual-clock.ts';
import { quickHasher } from '../support/quick-hasher.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';
import { withoutDatabase } from '../support/without-database.ts';

interface CommandResult {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

describe('grantlog backup and restore', () => {
  let directory: string;
  let file: string;
  let seed = 0;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    file = join(directory, 'it.backup');
    await run(['user', 'add', 'ada', '--admin', '--password-stdin'], { input: 'correct horse' });
    await run(['client', 'add', '--name', 'App', '--type', 'confidential', '--grant', 'client-credentials']);
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  function open(config: Config): Promise<Service> {
    return openService(config, {
      clock: manualClock(),
      entropy: seededEntropy((seed += 1)),
      hasher: quickHasher,
      issuer: () => 'http://localhost',
    });
  }

  async function run(
    args: readonly string[],
    { input = '', dataDir = join(directory, 'data'), signal = new AbortController().signal } = {},
  ): Promise<CommandResult> {
    const output = { out: '', err: '' };
    const terminal = {
      signal,
      out: async (text: string) => void (output.out += text),
      err: (text: string) => void (output.err += text),
      readInput: async () => input,
    };
    const status = await runCommand(args, {
      version: '1.2.3',
      terminal,
      open,
      readSettings: () => readConfig({ DATA_DIR: dataDir }, () => '{}'),
      inspect: (config) => openInspection(config, seededEntropy('none')),
      now: async () => 0,
      ...withoutDatabase,
      ...withOperations,
      serve: async () => 0,
    });
    return { status, ...output };
  }

  async function runForJson(args: readonly string[], dataDir?: string): Promise<Readonly<Record<string, unknown>>> {
    const { status, out, err } = await run([...args, '--json'], dataDir === undefined ? {} : { dataDir });
    expect(status, err).to.equal(0);
    return JSON.parse(out) as Readonly<Record<string, unknown>>;
  }

  async function whileServing(body: () => Promise<void>): Promise<void> {
    const { config } = readConfig({ DATA_DIR: join(directory, 'data') }, () => '{}');
    const service = await open(config);
    const control = await serveControl(controlSocketPath(config.dataDir), operate(service));
    try {
      await body();
    } finally {
      await control.close();
      await service.close();
    }
  }

  const listDirectory = (): readonly string[] => readdirSync(directory).toSorted();

  for (const [source, withTarget] of [
    ['of a stopped log', async (body: () => Promise<void>) => body()],
    ['of a running server', whileServing],
  ] as const) {
    it(`preserve the position, root and digests ${source}`, () =>
      withTarget(async () => {
        const result = await runForJson(['backup', file]);
        expect(result).to.deep.include({ position: 2, users: 1 });
        expect(statSync(file).mode & 0o777).to.equal(0o600);

        const restoredDir = join(directory, 'restored');
        const restoreResult = await runForJson(['restore', file, restoredDir]);
        expect(restoreResult).to.deep.include({ position: result['position'], root: result['root'], findings: 0 });
        const replay = (await runForJson(['log', 'replay'])) as unknown as {
          projections: readonly { name: string; running: string }[];
        };
        expect(restoreResult['digests']).to.deep.equal(
          Object.fromEntries(replay.projections.map(({ name, running }) => [name, running])),
        );
        expect((await run(['log', 'verify'], { dataDir: restoredDir })).status).to.equal(0);
        expect(await runForJson(['user', 'list'], restoredDir)).to.deep.equal(await runForJson(['user', 'list']));
        expect((await run(['log', 'export'], { dataDir: restoredDir })).out).to.equal(
          (await run(['log', 'export'])).out,
        );
        expect(listDirectory()).to.deep.equal(['data', 'it.backup', 'restored']);
      }));
  }

  it('print the position and the root, say where the data is, and warn that backups contain secrets', async () => {
    const result = await run(['backup', file]);
    expect(result.out)
      .to.match(/^position: 2\nroot: \S{44}\n/)
      .and.include(`\nfile: ${file}\n`);
    expect(result.err).to.include(`${file} contains all secrets: keep it as safe as the server\n`);
    const restoreResult = await run(['restore', file, join(directory, 'restored')]);
    expect(restoreResult.out)
      .to.match(/^position: 2\nroot: \S{44}\n/)
      .and.not.include('digest');
    const target = join(directory, 'restored');
    expect(restoreResult.err).to.equal(
      `verified 2 events\nrestored to ${target}; start the server with DATA_DIR=${target}\n`,
    );
  });

  it('say why a backup cannot be read or a directory cannot be created', async () => {
    await runForJson(['backup', file]);
    const absentResult = await run(['restore', join(directory, 'absent'), join(directory, 'restored')]);
    expect([absentResult.status, absentResult.err]).to.deep.equal([
      2,
      `grantlog: the file ${directory}/absent does not exist\n`,
    ]);
    const occupiedResult = await run(['restore', file, file]);
    expect([occupiedResult.status, occupiedResult.err]).to.deep.equal([
      1,
      `grantlog: ${file} cannot be used: it is not a directory; choose a new directory\n`,
    ]);
    const link = join(directory, 'link');
    symlinkSync('nowhere', link);
    const brokenResult = await run(['restore', file, link]);
    const problem = 'it is a symbolic link to nowhere, which does not exist';
    expect([brokenResult.status, brokenResult.err]).to.deep.equal([
      1,
      `grantlog: ${link} cannot be used: ${problem}; choose a new directory\n`,
    ]);
  });

  it('do not overwrite an existing file or data directory', async () => {
    await runForJson(['backup', file]);
    const originalContent = readFileSync(file);
    for (const args of [
      ['backup', file],
      ['restore', file, join(directory, 'data')],
    ]) {
      const { status, out, err } = await run(args);
      expect({ args, status, out }).to.deep.equal({ args, status: 1, out: '' });
      expect(err).to.match(/^grantlog: [^\n]+\n$/);
    }
    expect(readFileSync(file)).to.deep.equal(originalContent);
  });

  it('refuse a damaged file with status 1, and leave no files', async () => {
    await runForJson(['backup', file]);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"App"', '"Bpp"'));
    const { status, out, err } = await run(['restore', file, join(directory, 'restored')]);
    expect({ status, out }).to.deep.equal({ status: 1, out: '' });
    expect(err).to.match(/^grantlog: the backup is damaged at line 10 \(position 2\): [^\n]+\n$/);
    expect(listDirectory()).to.deep.equal(['data', 'it.backup']);
  });

  it('leave no file if the server stops during a backup', async () => {
    const control = await serveControl(controlSocketPath(join(directory, 'data')), async function* () {
      yield 'the beginning of a backup';
    });
    const { status, err } = await run(['backup', file]);
    await control.close();
    expect({ status, err }).to.deep.equal({
      status: 2,
      err: 'grantlog: the backup was interrupted; nothing was written\n',
    });
    expect(listDirectory()).to.deep.equal(['data']);
  });

  it('exit with status 2 and leave no files if they cannot run', async () => {
    const abortedSignal = AbortSignal.abort('SIGINT');
    await runForJson(['backup', join(directory, 'sound')]);
    for (const [args, options] of [
      [['backup', file], { dataDir: join(directory, 'nowhere') }],
      [['backup', file], { signal: abortedSignal }],
      [['backup', join(directory, 'no-such', 'file')], {}],
      [['restore', file, join(directory, 'restored')], {}],
      [['restore', join(directory, 'sound'), join(directory, 'restored')], { signal: abortedSignal }],
    ] as const) {
      const { status, err } = await run(args, options);
      expect(status, args.join(' ')).to.equal(2);
      expect(err, args.join(' ')).to.match(/^grantlog: [^\n]+\n$/);
      expect(listDirectory()).to.deep.equal(['data', 'sound']);
    }
    expect(existsSync(file)).to.equal(false);
  });
});
