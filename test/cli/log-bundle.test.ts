import { withOperations } from '../support/with-operations.ts';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { writeBundle } from '../../src/audit/proofs/bundle-directory.ts';
import type { BundlePart } from '../../src/audit/proofs/bundle.ts';
import { operate } from '../../src/operations/operations.ts';
import { runCommand } from '../../src/cli/command-line.ts';
import { controlSocketPath } from '../../src/cli/operation-target.ts';
import { readConfig } from '../../src/config/config.ts';
import { serveControl } from '../../src/operations/control/server.ts';
import { systemClock, systemEntropy } from '../../src/platform/ports.ts';
import { openInspection } from '../../src/composition/inspection.ts';
import { openService } from '../../src/composition/open-service.ts';
import type { Service } from '../../src/composition/service.ts';
import { quickHasher } from '../support/quick-hasher.ts';
import { withoutDatabase } from '../support/without-database.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('log export --bundle', () => {
  let directory: string;
  let bundle: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    bundle = join(directory, 'bundle');
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  const readSettingsIn = (dataDir = join(directory, 'data')) => readConfig({ DATA_DIR: dataDir }, () => '{}');
  const open = (): Promise<Service> =>
    openService(readSettingsIn().config, {
      clock: systemClock,
      entropy: systemEntropy(),
      hasher: quickHasher,
      issuer: () => 'http://localhost',
    });

  async function run(
    args: readonly string[],
    readSettings = () => readSettingsIn(),
  ): Promise<{ status: number; out: string; err: string }> {
    const output = { out: '', err: '' };
    const status = await runCommand(args, {
      version: '1',
      readSettings,
      open,
      inspect: (config) => openInspection(config, systemEntropy()),
      now: async () => 0,
      ...withoutDatabase,
      ...withOperations,
      serve: async () => 0,
      terminal: {
        signal: new AbortController().signal,
        readInput: async () => '',
        out: async (text) => void (output.out += text),
        err: (text) => void (output.err += text),
      },
    });
    return { status, ...output };
  }

  async function whileOpen(action: (service: Service) => Promise<void>): Promise<void> {
    const service = await open();
    for (let number = 0; number < 260; number += 1) await service.groupDirectory.create(`group ${number}`, OPERATOR);
    try {
      await action(service);
    } finally {
      await service.close();
    }
  }

  const verify = (...options: readonly string[]) =>
    run(['log', 'verify', '--bundle', bundle, ...options], () => readSettingsIn(join(directory, 'no such directory')));

  it('writes the same bundle from a running server and from a stopped log, and log verify needs neither', async () => {
    let key = '';
    await whileOpen(async (service) => {
      const control = await serveControl(controlSocketPath(readSettingsIn().config.dataDir), operate(service));
      expect((await run(['log', 'export', '--bundle', bundle])).status).to.equal(0);
      key = service.attestation.verifierKey();
      await control.close();
    });
    const { status, out } = await verify('--key', key);
    expect({ status, out }).to.deep.include({ status: 0 });
    expect(out).to.match(/of 260 records, verified against 1 checkpoint and 3 tiles\n$/);
    const serverFiles = ['records.jsonl', 'MANIFEST', 'tile/1/000.p/1'].map((file) =>
      readFileSync(join(bundle, file), 'latin1'),
    );
    rmSync(bundle, { recursive: true });
    expect((await run(['log', 'export', '--bundle', bundle])).status).to.equal(0);
    expect(
      ['records.jsonl', 'MANIFEST', 'tile/1/000.p/1'].map((file) => readFileSync(join(bundle, file), 'latin1')),
    ).to.deep.equal(serverFiles);
    expect(statSync(join(bundle, 'records.jsonl')).mode & 0o777).to.equal(0o600);
  });

  it('refuses a target directory that is not empty', async () => {
    await whileOpen(async () => {});
    mkdirSync(bundle);
    writeFileSync(join(bundle, 'mine'), 'mine');
    const { status, err } = await run(['log', 'export', '--bundle', bundle]);
    expect({ status, err }).to.deep.equal({
      status: 2,
      err: `grantlog: ${bundle} is not empty; specify an empty or new directory\n`,
    });
  });

  describe('when it cannot complete', () => {
    const createPart = (file: string): BundlePart => ({ file, text: `${file}\n` });
    const failExport = async (signal: AbortSignal, interrupt: () => void | Promise<void>): Promise<string> => {
      async function* parts(): AsyncGenerator<BundlePart, void, void> {
        yield createPart('key');
        yield createPart('tile/0/000');
        expect(readdirSync(directory)).to.deep.equal(['bundle.new']);
        await interrupt();
      }
      const message = await writeBundle(bundle, parts(), signal).then(() => 'the bundle was written', String);
      expect(readdirSync(directory)).to.deep.equal([]);
      return message;
    };

    it('leaves no files when writing fails, when the server disconnects and when the export is aborted', async () => {
      const controller = new AbortController();
      const failWriting = (): never => {
        throw new Error('the server went away');
      };
      expect(await failExport(controller.signal, failWriting)).to.include('the server went away');
      expect(await failExport(controller.signal, () => controller.abort())).to.match(/abort/i);
      const partsWithLongName = async function* partsWithLongName(): AsyncGenerator<BundlePart, void, void> {
        yield createPart('key');
        yield createPart('x'.repeat(300));
      };
      expect(await writeBundle(bundle, partsWithLongName()).catch(String)).to.include('ENAMETOOLONG');
      expect(readdirSync(directory)).to.deep.equal([]);
    });

    it('leaves no files when the process reaches its file size limit', async () => {
      const main = join(import.meta.dirname, '..', '..', 'dist', 'main.js');
      const limitedCommand = `ulimit -f 16; exec "${process.execPath}" "${main}" log export --bundle "${bundle}"`;
      const env = { ...process.env, DATA_DIR: join(directory, 'data') };
      await whileOpen(async (service) => {
        const control = await serveControl(controlSocketPath(readSettingsIn().config.dataDir), operate(service));
        const output = promisify(execFile)('bash', ['-c', limitedCommand], { env });
        const failure = await output.then(
          () => expect.fail('the bundle was written'),
          (error: unknown) => error,
        );
        expect(failure).to.have.property('code').that.is.above(0);
        expect(String(failure)).to.include('EFBIG');
        await control.close();
      });
      expect(readdirSync(directory)).to.deep.equal(['data']);
    });

    it("keeps another export's unfinished bundle, and says what to do", async () => {
      await whileOpen(async () => {});
      mkdirSync(`${bundle}.new`);
      const { status, err } = await run(['log', 'export', '--bundle', bundle]);
      expect(status).to.equal(2);
      expect(err).to.include(`${bundle}.new already exists: another export is writing it or was killed`);
    });
  });

  it('lets log verify fail with status 1 and name the file and position of a changed record', async () => {
    await whileOpen(async () => {});
    await run(['log', 'export', '--bundle', bundle]);
    const file = join(bundle, 'records.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replace('group 17', 'group 71'));
    const { status, out, err } = await verify();
    expect(status).to.equal(1);
    expect(out).to.match(/^DAMAGED records\.jsonl at position 18: /);
    expect(err).to.equal(
      'grantlog: the bundle does not verify; the first damaged part is records.jsonl at position 18. ' +
        'Request a new copy\n',
    );
    expect((await verify('--key', 'another+00000000+AAAA')).err).to.include('the first damaged part is key');
  });

  it('lets log verify exit with status 2 if the bundle is missing, or if --key is given without --bundle', async () => {
    expect((await verify()).status).to.equal(2);
    expect((await run(['log', 'verify', '--key', 'some'])).status).to.equal(2);
  });
});
