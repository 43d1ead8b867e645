import { withOperations } from '../support/with-operations.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { operate } from '../../src/operations/operations.ts';
import { runCommand } from '../../src/cli/command-line.ts';
import { controlSocketPath } from '../../src/cli/operation-target.ts';
import { readConfig, type Config } from '../../src/config/config.ts';
import { serveControl } from '../../src/operations/control/server.ts';
import { systemClock, systemEntropy } from '../../src/platform/ports.ts';
import { openInspection } from '../../src/composition/inspection.ts';
import { openService } from '../../src/composition/open-service.ts';
import type { Service } from '../../src/composition/service.ts';
import { FIXTURE } from '../operations/import/import-file.ts';
import { quickHasher } from '../support/quick-hasher.ts';
import { withoutDatabase } from '../support/without-database.ts';

const open = (config: Config): Promise<Service> =>
  openService(config, {
    clock: systemClock,
    entropy: systemEntropy(),
    hasher: quickHasher,
    issuer: () => 'http://localhost',
  });

describe('grantlog import', () => {
  let directory: string;
  let dataDir: string;
  let fixture: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    dataDir = join(directory, 'data');
    fixture = join(directory, 'dot.json');
    writeFileSync(fixture, FIXTURE);
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  async function run(
    args: readonly string[],
    input = '',
  ): Promise<{ readonly status: number; readonly out: string; readonly err: string }> {
    const output = { out: '', err: '' };
    const terminal = {
      signal: new AbortController().signal,
      out: async (text: string) => void (output.out += text),
      err: (text: string) => void (output.err += text),
      readInput: async () => input,
    };
    const readSettings = () => readConfig({ DATA_DIR: dataDir }, () => '{}');
    const status = await runCommand(['import', ...args], {
      version: '1',
      terminal,
      readSettings,
      open,
      inspect: (config) => openInspection(config, systemEntropy()),
      now: async () => 0,
      ...withoutDatabase,
      ...withOperations,
      serve: async () => 0,
    });
    return { status, ...output };
  }

  async function whileServing(body: () => Promise<void>): Promise<void> {
    const service = await open(readConfig({ DATA_DIR: dataDir }, () => '{}').config);
    const control = await serveControl(controlSocketPath(dataDir), operate(service));
    try {
      await body();
    } finally {
      await control.close();
      await service.close();
    }
  }

  for (const [target, withTarget] of [
    ['into a stopped log', async (body: () => Promise<void>) => body()],
    ['into a running server', whileServing],
  ] as const) {
    it(`imports a fixture ${target}: nothing if an entry is refused, other entries on request, and none twice`, () =>
      withTarget(async () => {
        const firstResult = await run(['django-oauth-toolkit', fixture]);
        expect(firstResult.status).to.equal(1);
        expect(firstResult.err).to.equal(
          'grantlog: nothing was imported, because 4 of 21 entries are refused: ' +
            'see the SAYS column, or import the other entries with --leave-out-refused\n',
        );
        expect(firstResult.out)
          .to.match(/^application +intranet +oauth2_provider\.application 9 +refused /m)
          .and.to.match(/^oauth2_provider\.accesstoken +1 +skipped /m);
        const partialResult = await run(['django-oauth-toolkit', fixture, '--leave-out-refused']);
        expect([partialResult.status, partialResult.err, partialResult.out.trimEnd().split('\n').at(-1)]).to.deep.equal(
          [0, '', '4 refused, 8 new with changes, 9 new, 3 skipped'],
        );
        const repeatedResult = await run(['django-oauth-toolkit', fixture, '--leave-out-refused', '--json']);
        const { imported, entries } = JSON.parse(repeatedResult.out) as {
          readonly imported: boolean;
          readonly entries: readonly { readonly outcome: string }[];
        };
        expect(imported).to.equal(true);
        expect(entries.filter(({ outcome }) => outcome === 'there')).to.have.length(17);
      }));

    it(`imports the export of a Keycloak realm ${target}`, () =>
      withTarget(async () => {
        const realm = join(import.meta.dirname, '../operations/import/keycloak-26.2.5.json');
        const { status, out } = await run(['keycloak', realm, '--leave-out-refused']);
        expect(status).to.equal(0);
        expect(out)
          .to.match(/^user +ada +user 1 +new with changes +realm administrator: becomes an administrator/m)
          .and.to.match(/^identity provider +1 +skipped +not imported: add each with grantlog provider set/m);
      }));

    it(`imports lines from standard input ${target}, but changes nothing in a dry run`, () =>
      withTarget(async () => {
        const line = '{"kind":"user","username":"ada"}\n';
        const firstResult = await run(['jsonl', '-', '--json'], line);
        expect([firstResult.status, JSON.parse(firstResult.out)]).to.deep.equal([
          0,
          { imported: true, entries: [{ kind: 'user', name: 'ada', from: 'line 1', outcome: 'taken', says: [] }] },
        ]);
        const dryRun = await run(['jsonl', '-', '--json', '--dry-run'], `${line}{"kind":"user","username":"bob"}`);
        expect([dryRun.status, (JSON.parse(dryRun.out) as { readonly imported: boolean }).imported]).to.deep.equal([
          0,
          false,
        ]);
        expect((await run(['jsonl', '-', '--dry-run'], '{"kind":"user","username":"ADA"}')).err).to.include(
          'nothing would be imported, because 1 of 1 entries are refused',
        );
      }));
  }

  it('fails if the file is missing, not a fixture, not UTF-8 or empty', async () => {
    const latin1File = join(directory, 'latin1.jsonl');
    writeFileSync(latin1File, '{"kind":"user","username":"rené","password":"café au lait"}\n', 'latin1');
    for (const [args, input, reason] of [
      [['jsonl', join(directory, 'nowhere')], '', 'does not exist'],
      [['django-oauth-toolkit', '-'], 'auth:', 'manage.py dumpdata'],
      [
        ['django-oauth-toolkit', '-'],
        '[{"model": "sites.site", "pk": 1, "fields": {}}]',
        'no users, groups or applications',
      ],
      [['jsonl', '-'], '\n', 'no users, groups or applications'],
      [['jsonl', latin1File], '', 'is not valid UTF-8'],
    ] as const) {
      const { status, err } = await run(args, input);
      expect([status, err.includes(reason)], err).to.deep.equal([2, true]);
    }
  });
});
