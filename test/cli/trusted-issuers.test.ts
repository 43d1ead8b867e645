import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { controlSocketPath } from '../../src/cli/operation-target.ts';
import { serveControl } from '../../src/operations/control/server.ts';
import { operate } from '../../src/operations/operations.ts';
import { issuerKeys } from '../support/trusted-issuers.ts';
import { openServiceOf, runCommandOn } from '../support/run-command.ts';

const ISSUER = 'https://issuer.example';
const API = 'https://api.example/';
const WARNING = 'grantlog: warning: https:\\/\\/issuer\\.example\\/keys .*';

describe('grantlog trusted-issuer', () => {
  let directory: string;
  let env: Record<string, string>;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    env = { DATA_DIR: join(directory, 'data'), GRANTLOG_RESOURCES: JSON.stringify([API]) };
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  function writeKeys(): string {
    const path = join(directory, 'keys.json');
    writeFileSync(path, JSON.stringify({ keys: [issuerKeys().jwk] }));
    return path;
  }

  const run = (...args: readonly string[]) => runCommandOn(env, args);

  async function runForJson(...args: readonly string[]): Promise<unknown> {
    const { status, out, err } = await run(...args, '--json');
    expect({ status, err }).to.deep.equal({ status: 0, err: '' });
    return JSON.parse(out);
  }

  async function addClient(name: string, type: 'confidential' | 'public' = 'confidential'): Promise<string> {
    const options = ['--grant', 'authorization-code', '--redirect-uri', 'https://app.example/callback'];
    const registration = await runForJson('client', 'add', '--name', name, '--type', type, ...options);
    return (registration as { readonly client_id: string }).client_id;
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
    it(`sets, replaces, shows, lists and removes issuers, ${target}`, () =>
      withTarget(async () => {
        const app = await addClient('App');
        const rights = ['--use', 'assertion', '--client', app, '--scope', 'read', '--map', 'client'];
        expect(await runForJson('trusted-issuer', 'set', ISSUER, '--jwks', writeKeys(), ...rights)).to.deep.include({
          issuer: ISSUER,
          uses: ['assertion'],
          keys: ['key of another issuer'],
          jwks_uri: null,
          audience: null,
          required_claims: [],
          mapping: 'client',
          name_claim: null,
          users: null,
          clients: [app],
          scope: ['read'],
          resources: null,
          max_token_lifetime_seconds: 3_600,
          max_assertion_age_seconds: 600,
        });
        const [key] = (await runForJson('trusted-issuer', 'keys', ISSUER)) as readonly Record<string, unknown>[];
        expect(await runForJson('trusted-issuer', 'show', ISSUER)).to.deep.include({
          thumbprints: [key?.['thumbprint']],
        });
        expect(key).to.deep.include({ kid: 'key of another issuer', kty: 'EC' });
        const limits = [
          '--resource',
          API,
          '--token-lifetime',
          '10m',
          '--assertion-age',
          '1h',
          '--audience',
          'grantlog',
        ];
        const keyOptions = ['--jwks-uri', `${ISSUER}/keys`, '--use', 'assertion', '--use', 'subject-token'];
        const mapping = ['--map', 'user-name', '--name-claim', 'preferred_username'];
        const claims = ['--claim', '/kubernetes.io/namespace=prod', '--scope', 'write'];
        const clients = ['--client', `${app} sub=job:7`, '--client', 'App environment=live and well'];
        const options = [...keyOptions, ...mapping, ...claims, ...clients, ...limits];
        const { out, err } = await run('trusted-issuer', 'set', ISSUER, ...options, '--json');
        expect(err, 'nothing responds at the URL').to.match(
          new RegExp(`^${WARNING}; until its keys can be read, its tokens are refused; .*\\n$`),
        );
        const issuer: unknown = JSON.parse(out);
        expect(issuer).to.deep.include({
          uses: ['assertion', 'subject-token'],
          keys: [],
          jwks_uri: `${ISSUER}/keys`,
          audience: ['grantlog'],
          required_claims: ['/kubernetes.io/namespace=prod'],
          mapping: 'user-name',
          name_claim: 'preferred_username',
          clients: [`${app} sub=job:7`, `${app} environment=live and well`],
          scope: ['write'],
          resources: [API],
          max_token_lifetime_seconds: 600,
          max_assertion_age_seconds: 3_600,
        });
        expect(await runForJson('trusted-issuer', 'show', ISSUER)).to.deep.equal(issuer);
        expect((await run('trusted-issuer', 'list')).out).to.include(`${ISSUER}  assertion subject-token`);
        expect(await runForJson('trusted-issuer', 'list')).to.deep.equal([issuer]);
        expect((await run('trusted-issuer', 'remove', ISSUER, '--yes')).out).to.equal(
          `${ISSUER} is no longer trusted\n`,
        );
        expect(await runForJson('trusted-issuer', 'list')).to.deep.equal([]);
      }));
  }

  it('refuses a mapping table without users or with unknown users', async () => {
    const [app, jwks] = [await addClient('App'), writeKeys()];
    const rights = ['--use', 'assertion', '--client', app, '--scope', 'read', '--map', 'table', '--jwks', jwks];
    const result = await run('trusted-issuer', 'set', ISSUER, ...rights, '--user', 'jane=nobody');
    expect(result.err).to.include('Nobody has the user name nobody.');
    expect((await run('trusted-issuer', 'set', ISSUER, ...rights)).err).to.include(
      'The table must have 1 to 200 subjects.',
    );
  });

  it('refuses invalid input with the reason, and sets nothing', async () => {
    const [app, jwks] = [await addClient('App'), writeKeys()];
    const rights = ['--use', 'assertion', '--map', 'client'];
    const set = (...args: readonly string[]) => run('trusted-issuer', 'set', ISSUER, ...rights, ...args);
    for (const [args, reason] of [
      [['--client', app, '--scope', 'read'], 'a required option is missing: --jwks or --jwks-uri'],
      [['--jwks', jwks, '--client', 'nobody', '--scope', 'read'], 'No application has the client id nobody.'],
      [['--jwks', jwks, '--client', app, '--scope', 'openid'], 'The scope openid needs a login here'],
      [['--jwks', jwks, '--client', app], '--scope'],
      [['--jwks', jwks, '--scope', 'read'], '--client'],
    ] as const) {
      const { status, err } = await set(...args);
      expect({ args, isRefused: status !== 0 }).to.deep.equal({ args, isRefused: true });
      expect(err).to.include(reason);
    }
    expect((await run('trusted-issuer', 'show', ISSUER)).err).to.include('see: grantlog trusted-issuer list');
    expect((await run('trusted-issuer', 'remove', ISSUER, '--yes')).status).to.not.equal(0);
    expect(await runForJson('trusted-issuer', 'list')).to.deep.equal([]);
  });
});
