import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { openBundle } from '../../../src/audit/proofs/bundle-directory.ts';
import { verifyBundle, type BundleItem } from '../../../src/audit/proofs/verify-bundle.ts';
import { renameVerifierKey } from '../../../src/audit/merkle/note-key.ts';
import { exportBundle, createServiceWithRecords } from '../../support/bundled-log.ts';
import { runningService, type RunningService } from '../../support/running-service.ts';
import { repetitions } from '../../support/repetitions.ts';

const SCRIPT = fileURLToPath(new URL('../../../scripts/verify-bundle.mjs', import.meta.url));
const RECORDS = 600;

interface DamageLocation {
  readonly file: string;
  readonly position: number | null;
}

/** The standalone verifier, which throws an error for the first defect. */
type StandaloneVerifier = (directory: string, key?: string) => { readonly size: number; readonly root: string };

describe('a bundle', () => {
  let standalone: StandaloneVerifier;
  let running: RunningService;
  let bundle: Awaited<ReturnType<typeof exportBundle>>;
  let files: readonly string[];

  before(async function () {
    this.timeout(300_000);
    ({ verifyBundle: standalone } = (await import(SCRIPT)) as { verifyBundle: StandaloneVerifier });
    running = await createServiceWithRecords(RECORDS);
    bundle = await exportBundle(running);
    files = listFiles(bundle.directory);
  });

  after(async () => {
    bundle?.remove();
    await running?.close();
  });

  const pathOf = (file: string): string => join(bundle.directory, file);

  async function verifyItems(directory = bundle.directory, key?: string): Promise<readonly BundleItem[]> {
    const items: BundleItem[] = [];
    for await (const item of verifyBundle(openBundle(directory), key, new AbortController().signal)) items.push(item);
    return items;
  }

  /** Runs both verifiers, which must agree on the location of the damage. */
  async function findDamage(key?: string): Promise<DamageLocation | undefined> {
    const ownDamage = (await verifyItems(bundle.directory, key)).find((item) => 'file' in item);
    const standaloneDamage = catchDamage(() => standalone(bundle.directory, key));
    expect(
      standaloneDamage === undefined,
      `ours: ${JSON.stringify(ownDamage)}, standalone: ${JSON.stringify(standaloneDamage)}`,
    ).to.equal(ownDamage === undefined);
    if (standaloneDamage?.file === 'records.jsonl') expect(ownDamage).to.deep.include(standaloneDamage);
    return ownDamage === undefined ? undefined : { file: ownDamage.file, position: ownDamage.position };
  }

  /** Changes files, calls `action`, and restores all files. */
  async function whileChanged<Result>(change: () => void, action: () => Promise<Result>): Promise<Result> {
    const backup = mkdtempSync(join(tmpdir(), 'grantlog-kept-'));
    copyAll(bundle.directory, backup);
    try {
      change();
      return await action();
    } finally {
      rmSync(bundle.directory, { recursive: true });
      copyAll(backup, bundle.directory);
      rmSync(backup, { recursive: true });
    }
  }

  async function verifyAfterOverwriting(file: string, bytes: Buffer): Promise<DamageLocation | undefined> {
    const original = readFileSync(pathOf(file));
    try {
      writeFileSync(pathOf(file), bytes);
      return await findDamage();
    } finally {
      writeFileSync(pathOf(file), original);
    }
  }

  const records = (): string[] => readFileSync(pathOf('records.jsonl'), 'utf8').trimEnd().split('\n');
  const verifyWithRecords = (lines: readonly string[]): Promise<DamageLocation | undefined> =>
    verifyAfterOverwriting('records.jsonl', Buffer.from(lines.map((line) => `${line}\n`).join('')));
  const aPosition = fc.nat({ max: RECORDS - 1 });

  it('verifies with both verifiers and the key of its log', async () => {
    const summary = standalone(bundle.directory, bundle.key);
    expect(summary).to.deep.include({ size: running.log.head(), checkpoints: 6 });
    expect((await verifyItems(bundle.directory, bundle.key)).at(-1)).to.deep.equal(summary);
  });

  it('contains the exact records, full and partial tiles, and every checkpoint', async () => {
    expect(records()).to.deep.equal((await running.events()).map(({ record }) => record));
    expect(files).to.include.members(['tile/0/000', 'tile/0/001', 'key', 'MANIFEST']);
    expect(files).to.include.members(['tile/entries/000', 'tile/entries/001', 'checkpoint']);
    expect(files.filter((file) => file.includes('.p/'))).to.have.length(3);
    const checkpoint = readFileSync(pathOf(`checkpoints/${running.log.head()}`), 'utf8');
    expect(readFileSync(pathOf('checkpoint'), 'utf8')).to.equal(checkpoint);
    expect(checkpoint).to.equal(await running.service().attestation.checkpointNow());
  });

  it('verifies if the log is empty, ends with a full tile or has one record', async () => {
    for (const size of [0, 1, 256]) {
      const smallService = await runningService();
      for (let number = 0; number < size; number += 1)
        await smallService.service().groupDirectory.create(`group ${number}`, OPERATOR);
      const smallBundle = await exportBundle(smallService);
      expect(standalone(smallBundle.directory)).to.include({ size });
      expect((await verifyItems(smallBundle.directory)).at(-1)).to.include({ size });
      smallBundle.remove();
      await smallService.close();
    }
  }).timeout(300_000);

  it("verifies after the log's name has changed, because the key stays the same", async () => {
    const { attestation } = running.service();
    const file = files.find((name) => name.startsWith('checkpoints/')) ?? '';
    expect(readFileSync(pathOf(file), 'utf8')).to.match(/^localhost:8000\n/);
    expect(attestation.verifierKey()).to.match(/^localhost:8000\+/);
    const movedBundle = await exportBundle({
      ...running,
      service: () => ({
        ...running.service(),
        attestation: {
          ...attestation,
          verifierKey: () => renameVerifierKey(attestation.verifierKey(), 'auth.example'),
        },
      }),
    });
    expect((await verifyItems(movedBundle.directory)).at(-1)).to.include({ size: running.log.head() });
    expect(standalone(movedBundle.directory)).to.include({ size: running.log.head() });
    movedBundle.remove();
  });

  it('does not verify if a static-log file contradicts the other files', async () => {
    const renamedCheckpoint = readFileSync(pathOf('checkpoint'), 'utf8').replace(/^\S+/, 'another.example');
    expect((await verifyAfterOverwriting('checkpoint', Buffer.from(renamedCheckpoint)))?.file).to.equal('checkpoint');
    const entries = readFileSync(pathOf('tile/entries/001'));
    const damage = await verifyAfterOverwriting('tile/entries/000', entries);
    expect(damage).to.deep.equal({ file: 'tile/entries/000', position: null });
  });

  it('verifies without the static-log files, like bundles from earlier releases', async () => {
    const removeStaticLog = (): void => {
      const manifest = readFileSync(pathOf('MANIFEST'), 'utf8').split('\n');
      const isStaticLogFile = (file: string): boolean => file === 'checkpoint' || file.startsWith('tile/entries/');
      for (const file of manifest.filter(isStaticLogFile)) rmSync(pathOf(file));
      writeFileSync(pathOf('MANIFEST'), manifest.filter((file) => !isStaticLogFile(file)).join('\n'));
    };
    expect(await whileChanged(removeStaticLog, () => findDamage(bundle.key))).to.equal(undefined);
  });

  it('does not verify with a different key', async () => {
    const otherService = await runningService({ seed: 'another log' });
    expect(await findDamage(otherService.service().attestation.verifierKey())).to.deep.equal({
      file: 'key',
      position: null,
    });
    await otherService.close();
  });

  it('does not verify if any bit is flipped', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.nat({ max: 7 }),
        async (nth, fraction, bit) => {
          const file = files[nth % files.length] ?? '';
          const bytes = readFileSync(pathOf(file));
          const offset = Math.floor(fraction * bytes.length);
          bytes[offset] = (bytes[offset] ?? 0) ^ (1 << bit);
          expect(await verifyAfterOverwriting(file, bytes), `bit ${bit} of byte ${offset} of ${file}`).not.to.equal(
            undefined,
          );
        },
      ),
      { numRuns: repetitions(150) },
    );
  }).timeout(300_000);

  it('is reported as damaged at a record with a flipped bit', async () => {
    await fc.assert(
      fc.asyncProperty(aPosition, fc.nat({ max: 6 }), async (index, bit) => {
        const lines = records().map((line) => Buffer.from(line));
        const line = lines[index];
        if (line === undefined) return;
        line[0] = (line[0] ?? 0) ^ (1 << bit);
        fc.pre(line[0] !== 10);
        const bytes = Buffer.concat(lines.flatMap((recordLine) => [recordLine, Buffer.from('\n')]));
        expect(await verifyAfterOverwriting('records.jsonl', bytes)).to.deep.equal({
          file: 'records.jsonl',
          position: index + 1,
        });
      }),
      { numRuns: repetitions(30) },
    );
  }).timeout(180_000);

  it('does not verify if any file is truncated', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), async (nth, length) => {
        const file = files[nth % files.length] ?? '';
        const bytes = readFileSync(pathOf(file));
        expect(await verifyAfterOverwriting(file, bytes.subarray(0, length % bytes.length)), file).not.to.equal(
          undefined,
        );
      }),
      { numRuns: repetitions(60) },
    );
  }).timeout(180_000);

  it('does not verify if any file has an extra byte', async () => {
    for (const file of files) {
      expect(
        await verifyAfterOverwriting(file, Buffer.concat([readFileSync(pathOf(file)), Buffer.from('\n')])),
        file,
      ).not.to.equal(undefined);
    }
  });

  it('is reported as damaged at the first of two swapped records', async () => {
    await fc.assert(
      fc.asyncProperty(aPosition, aPosition, async (indexA, indexB) => {
        fc.pre(indexA !== indexB);
        const lines = records();
        [lines[indexA], lines[indexB]] = [lines[indexB] ?? '', lines[indexA] ?? ''];
        expect(await verifyWithRecords(lines)).to.deep.equal({
          file: 'records.jsonl',
          position: Math.min(indexA, indexB) + 1,
        });
      }),
      { numRuns: repetitions(30) },
    );
  }).timeout(180_000);

  it('is reported as damaged at the position where a record is repeated or missing', async () => {
    await fc.assert(
      fc.asyncProperty(aPosition, fc.boolean(), async (index, isRepeated) => {
        const lines = records();
        lines.splice(index, isRepeated ? 0 : 1, ...(isRepeated ? [lines[index] ?? ''] : []));
        expect(await verifyWithRecords(lines)).to.deep.equal({
          file: 'records.jsonl',
          position: index + (isRepeated ? 2 : 1),
        });
      }),
      { numRuns: repetitions(30) },
    );
  }).timeout(180_000);

  it('does not verify if any file is missing, and the report names the file', async () => {
    for (const file of files) {
      const damage = await whileChanged(
        () => rmSync(pathOf(file)),
        () => findDamage(),
      );
      expect(damage?.file, file).to.equal(file);
    }
  }).timeout(180_000);

  it('does not verify with an extra file, listed or not, and the report names the file', async () => {
    const names = [
      'notes.txt',
      'tile/0/002',
      'tile/1/001',
      'tile/0/001.p/3',
      'tile/entries/003',
      'tile/entries/001.p/3',
      'checkpoints/7',
      'checkpoints/x',
      'key.old',
    ];
    for (const file of names) {
      const add = (): void => {
        mkdirSync(dirname(pathOf(file)), { recursive: true });
        writeFileSync(pathOf(file), 'more\n');
      };
      expect((await whileChanged(add, () => findDamage()))?.file).to.equal(file);
      const addAndList = (): void => {
        add();
        writeFileSync(pathOf('MANIFEST'), `${file}\n`, { flag: 'a' });
      };
      expect((await whileChanged(addAndList, () => findDamage()))?.file).to.equal(file);
    }
  }).timeout(180_000);

  it('does not verify if a leaf has been changed along with its record', async () => {
    const damage = await whileChanged(
      () => {
        const { createHash } = process.getBuiltinModule('node:crypto');
        const lines = records();
        lines[3] = (lines[3] ?? '').replace(/"version":\d/, '"version":9');
        writeFileSync(pathOf('records.jsonl'), lines.map((line) => `${line}\n`).join(''));
        const tile = readFileSync(pathOf('tile/0/000'));
        createHash('sha256')
          .update(`\0${lines[3]}`)
          .digest()
          .copy(tile, 3 * 32);
        writeFileSync(pathOf('tile/0/000'), tile);
      },
      () => findDamage(),
    );
    expect(damage?.file).to.match(/^checkpoints\/1\d\d$/);
  });

  it('is also audited for rule violations', async () => {
    const invalidService = await runningService();
    await invalidService.service().groupDirectory.create('staff', OPERATOR);
    const [createdEvent] = await invalidService.events();
    if (createdEvent === undefined) throw new Error('no event');
    // No decider appends an event twice.
    await invalidService.log.append(createdEvent.stream, createdEvent.revision, [createdEvent]);
    const { directory, remove } = await exportBundle(invalidService);
    expect(
      (await verifyItems(directory)).filter((item) => 'rule' in item && item.severity === 'finding'),
    ).to.have.length.above(0);
    remove();
    await invalidService.close();
  });

  describe('the standalone script', () => {
    const run = (...args: string[]) => spawnSync(process.execPath, [SCRIPT, ...args], { encoding: 'utf8' });

    it('exits with 0 and prints a summary', () => {
      const { status, stdout, stderr } = run(bundle.directory, '--key', bundle.key);
      expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
      expect(stdout).to.match(
        new RegExp(`^verified: root \\S+ of ${running.log.head()} records, 6 checkpoints, 4 tiles\n$`),
      );
    });

    it('exits with 1 and names the damage', async () => {
      const lines = records();
      lines[41] = lines[42] ?? '';
      const { status, stdout } = await whileChanged(
        () => writeFileSync(pathOf('records.jsonl'), `${lines.join('\n')}\n`),
        async () => run(bundle.directory),
      );
      expect(status).to.equal(1);
      expect(stdout).to.match(/^DAMAGED records\.jsonl at position 42: /);
    });

    it('exits with 2 if the directory is missing or the arguments are invalid', () => {
      expect(run(join(bundle.directory, 'nowhere')).status).to.equal(2);
      expect(run().status).to.equal(2);
      expect(run(bundle.directory, '--key').status).to.equal(2);
      expect(run(bundle.directory, '--other').status).to.equal(2);
    });

    it('prints its usage', () => {
      const { status, stdout } = run('--help');
      expect(status).to.equal(0);
      expect(stdout).to.match(/^Usage: /);
    });

    it('is short and depends only on Node', () => {
      const source = readFileSync(SCRIPT, 'utf8');
      expect(source.split('\n').length).to.be.below(350);
      const importedModules = [...source.matchAll(/from '([^']+)'|import\('([^']+)'\)/g)].map(([, name]) => name);
      expect(importedModules).to.deep.equal(['node:crypto', 'node:fs', 'node:path']);
    });
  });
});

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

function catchDamage(run: () => unknown): DamageLocation | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    const { file, position } = error as Partial<DamageLocation>;
    if (file === undefined || position === undefined) throw error;
    return { file, position };
  }
}

function listFiles(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)));
}

function copyAll(from: string, to: string): void {
  for (const file of listFiles(from)) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    copyFileSync(join(from, file), join(to, file));
  }
}
