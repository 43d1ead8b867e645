import { expect } from 'chai';
import { readFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { controlSocketPath } from '../../src/cli/operation-target.ts';
import { serveControl } from '../../src/operations/control/server.ts';
import { operate } from '../../src/operations/operations.ts';
import { PAYMENT } from '../support/detail-types.ts';
import { openServiceOf, runCommandOn } from '../support/run-command.ts';

const FILES = 'https://files.example/mcp';
const FIXED_RESOURCE = 'https://fixed.example/';

/** The arguments of the `grantlog resource add` command in docs/protocol.md. */
const ADD_COMMAND = /```sh\n(grantlog resource add [^`]+)```/
  .exec(readFileSync(join(import.meta.dirname, '../../docs/protocol.md'), 'utf8'))?.[1]
  ?.replaceAll('\\\n', ' ')
  .match(/(?:[^\s"]|"[^"]*")+/g)
  ?.slice(1)
  .map((word) => word.replaceAll('"', ''));

describe('grantlog resource', () => {
  let directory: string;
  let env: Record<string, string>;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    env = { DATA_DIR: join(directory, 'data'), GRANTLOG_RESOURCES: JSON.stringify([FIXED_RESOURCE]) };
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const run = (...args: readonly string[]) => runCommandOn(env, args, 'correct horse\n');

  async function runForJson(...args: readonly string[]): Promise<unknown> {
    const { status, out, err } = await run(...args, '--json');
    expect({ status, err }).to.deep.equal({ status: 0, err: '' });
    return JSON.parse(out);
  }

  async function whileServing(body: () => Promise<void>): Promise<void> {
    const service = await openServiceOf(env);
    const control = await serveControl(controlSocketPath(env['DATA_DIR'] ?? ''), operate(service));
    try {
      await body();
    } finally {
      await control.close();
      await service.close();
    }
  }

  for (const [target, withTarget] of [
    ['on a stopped log', (body: () => Promise<void>) => body()],
    ['on a running server', whileServing],
  ] as const) {
    it(`adds, shows, lists, changes and removes resource servers, ${target}`, () =>
      withTarget(async () => {
        const resource = await runForJson(...(ADD_COMMAND ?? []));
        expect(resource).to.deep.include({
          uri: FILES,
          name: 'Files',
          source: 'log',
          owner: null,
          scopes: [
            { name: 'files:read', description: 'Read your files' },
            { name: 'files:write', description: 'Change your files' },
          ],
          access_token_format: 'jwt',
          access_token_algorithm: null,
          access_token_lifetime: 600,
        });
        expect(await runForJson('resource', 'show', FILES)).to.deep.equal(resource);
        const resources = (await runForJson('resource', 'list')) as readonly { uri: string; source: string }[];
        expect(resources.map(({ uri, source }) => [uri, source])).to.deep.equal([
          [FILES, 'log'],
          [FIXED_RESOURCE, 'settings'],
        ]);
        await runForJson('user', 'add', 'ada', '--password-stdin');
        const clearedValues = {
          access_token_format: null,
          access_token_lifetime: null,
          scopes: [],
          metadata_url: null,
        };
        const removals = [
          '--no-scope',
          '--no-access-token-format',
          '--no-access-token-lifetime',
          '--no-publish-metadata',
        ];
        expect(
          await runForJson('resource', 'update', FILES, '--name', 'All files', '--owner', 'ada', ...removals),
        ).to.deep.include({ name: 'All files', owner: 'ada', ...clearedValues });
        expect(await runForJson('resource', 'update', FILES, '--no-owner')).to.deep.include({
          owner: null,
          ...clearedValues,
        });
        expect((await run('resource', 'list')).out)
          .to.include('All files')
          .and.include('settings');
        expect((await run('resource', 'remove', FILES, '--yes')).out).to.equal(`${FILES} was removed\n`);
        expect(await runForJson('resource', 'list')).to.have.length(1);
      }));
  }

  it('declares authorization detail types from a file, and removes them', async () => {
    const file = join(directory, 'types.json');
    writeFileSync(file, JSON.stringify([PAYMENT]));
    const resource = await runForJson('resource', 'add', FILES, '--name', 'Files', '--detail-types', file);
    expect(resource).to.deep.include({ detail_types: [PAYMENT] });
    expect(await runForJson('resource', 'update', FILES, '--name', 'All')).to.deep.include({ detail_types: [PAYMENT] });
    writeFileSync(file, JSON.stringify([{ ...PAYMENT, schema: { $ref: '#' } }]));
    const result = await run('resource', 'update', FILES, '--detail-types', file);
    expect(result.status).to.equal(1);
    expect(result.err).to.include('"$ref" keyword is not supported');
    expect(await runForJson('resource', 'update', FILES, '--no-detail-types')).to.deep.include({ detail_types: [] });
  });

  it("sets and removes a resource server's introspection client", async () => {
    const client = await runForJson(
      'client',
      'add',
      '--name',
      'Files API',
      '--type',
      'confidential',
      '--grant',
      'client-credentials',
    );
    const { client_id: id } = client as { readonly client_id: string };
    const resource = await runForJson('resource', 'add', FILES, '--name', 'Files', '--introspection-client', id);
    expect(resource).to.deep.include({ introspection_client: id });
    expect(await runForJson('resource', 'update', FILES, '--name', 'All')).to.deep.include({
      introspection_client: id,
    });
    const result = await run('resource', 'update', FILES, '--introspection-client', 'nobody');
    expect([result.status, result.err]).to.satisfy(
      ([status, error]: [number, string]) => status === 1 && error.includes('No application is registered'),
    );
    const updatedResource = await runForJson('resource', 'update', FILES, '--no-introspection-client');
    expect(updatedResource).to.deep.include({ introspection_client: null });
  });

  it("shows a resource server's scopes as text, or as JSON with --json", async () => {
    await runForJson(
      'resource',
      'add',
      FILES,
      '--name',
      'Files',
      '--scope',
      'files:read=Read your files',
      '--scope',
      'read',
    );
    expect((await run('resource', 'show', FILES)).out).to.match(
      /^scopes: files:read \(Read your files\), read \(.*\)$/m,
    );
    const update = await run('resource', 'update', FILES, '--scope', 'files:all=Change your files');
    expect(update.out).to.match(/^scopes: files:all \(Change your files\) \(was files:read \(.*\)\n$/);
    const scopes = [{ name: 'files:all', description: 'Change your files' }];
    expect(await runForJson('resource', 'show', FILES)).to.deep.include({ scopes });
  });

  it('refuses invalid input with the reason, and changes nothing', async () => {
    await runForJson('resource', 'add', FILES, '--name', 'Files');
    for (const [args, status, reason] of [
      [['add', FILES, '--name', 'Other'], 1, 'is already registered'],
      [['add', 'files.example', '--name', 'Files'], 2, 'absolute URI'],
      [['add', 'https://b.example/', '--name', 'B', '--owner', 'nobody'], 1, 'no user is named'],
      [['add', 'https://b.example/', '--name', 'B', '--scope', 'b:read'], 2, '--scope: Describe the b:read scope'],
      [['add', 'https://b.example/', '--name', 'B', '--scope', '=b'], 2, 'NAME=DESCRIPTION'],
      [['add', 'https://b.example/'], 2, '--name'],
      [['update', FILES], 2, 'nothing to change'],
      [['update', FILES, '--access-token-lifetime', '0'], 2, 'whole number of seconds'],
      [['show', 'https://b.example/'], 1, 'grantlog resource list'],
      [['update', FIXED_RESOURCE, '--name', 'Fixed'], 1, 'in the resources setting'],
      [['remove', FIXED_RESOURCE, '--yes'], 1, 'in the resources setting'],
    ] as const) {
      const result = await run('resource', ...args);
      expect(result.status, args.join(' ')).to.equal(status);
      expect(result.err, args.join(' ')).to.include(reason);
    }
    expect(await runForJson('resource', 'list')).to.have.length(2);
  });

  it('has help for each subcommand', async () => {
    for (const name of ['add', 'list', 'show', 'update', 'remove'])
      expect((await run('resource', name, '--help')).out, name).to.include(`grantlog resource ${name}`);
  });
});
