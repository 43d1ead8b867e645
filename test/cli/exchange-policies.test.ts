import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { controlSocketPath } from '../../src/cli/operation-target.ts';
import { serveControl } from '../../src/operations/control/server.ts';
import { operate } from '../../src/operations/operations.ts';
import { openServiceOf, runCommandOn } from '../support/run-command.ts';

const API = 'https://api.example/';

describe('grantlog exchange-policy', () => {
  let directory: string;
  let env: Record<string, string>;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    env = { DATA_DIR: join(directory, 'data'), GRANTLOG_RESOURCES: JSON.stringify([API]) };
  });
  afterEach(() => rmSync(directory, { recursive: true }));

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
    it(`sets, replaces, shows, lists and removes policies, ${target}`, () =>
      withTarget(async () => {
        const [broker, app] = [await addClient('Broker'), await addClient('App', 'public')];
        const names = {
          client_id: broker,
          client_name: 'Broker',
          subject_client_id: app,
          subject_client_name: 'App',
        };
        expect(await runForJson('exchange-policy', 'set', broker, app, '--mode', 'impersonation')).to.deep.include({
          ...names,
          modes: ['impersonation'],
          scope: null,
          resources: null,
        });
        const modes = ['--mode', 'delegation', '--mode', 'impersonation'];
        const limits = ['--scope', 'read', '--scope', 'write', '--resource', API];
        const policy = await runForJson('exchange-policy', 'set', broker, app, ...modes, ...limits);
        expect(policy).to.deep.include({
          ...names,
          modes: ['impersonation', 'delegation'],
          scope: ['read', 'write'],
          resources: [API],
        });
        expect(await runForJson('exchange-policy', 'show', broker, app)).to.deep.equal(policy);
        expect(await runForJson('exchange-policy', 'show', 'Broker', 'App'), 'by name').to.deep.equal(policy);
        await runForJson('exchange-policy', 'set', 'Broker', broker, '--mode', 'delegation');
        expect(await runForJson('exchange-policy', 'list')).to.have.length(2);
        expect((await run('exchange-policy', 'list')).out).to.include(`impersonation delegation  read write  ${API}`);
        expect((await run('exchange-policy', 'remove', broker, broker, '--yes')).out).to.equal(
          `the policy that let Broker (${broker}) exchange tokens of Broker (${broker}) was removed\n`,
        );
        expect(await runForJson('exchange-policy', 'list')).to.deep.equal([policy]);
        await runForJson('client', 'remove', app, '--yes');
        expect(await runForJson('exchange-policy', 'list')).to.deep.equal([]);
      }));
  }

  it('warns, and prints the command to run, if the application is not registered for token exchange', async () => {
    const [late, app] = [await addClient('Late'), await addClient('App', 'public')];
    const remedy = `grantlog client update ${late} --grant authorization-code --grant token-exchange`;
    const policy = await runForJson('exchange-policy', 'set', late, app, '--mode', 'delegation');
    expect((policy as { readonly warning: string }).warning).to.equal(
      `Late is not registered for token exchange, so the policy has no effect yet. Run: ${remedy}`,
    );
    const { out, err } = await run('exchange-policy', 'show', late, app);
    expect([out.includes('not registered'), err.includes(remedy)], 'as text').to.deep.equal([false, true]);
    await runForJson('client', 'update', late, '--grant', 'authorization-code', '--grant', 'token-exchange');
    expect(await runForJson('exchange-policy', 'show', late, app)).to.not.have.property('warning');
  });

  it('asks for an id if several applications have the name', async () => {
    const [twin, otherTwin] = [await addClient('Twin'), await addClient('Twin')];
    const { status, err } = await run('exchange-policy', 'set', 'Twin', twin, '--mode', 'delegation');
    expect(status).to.equal(1);
    expect(err).to.include('2 applications are named "Twin"; specify the client id of one: ').and.include(otherTwin);
  });

  it('refuses invalid policies with the reason, and sets nothing', async () => {
    const [broker, app] = [await addClient('Broker'), await addClient('App', 'public')];
    const set = (...args: readonly string[]) => run('exchange-policy', 'set', ...args, '--mode', 'delegation');
    for (const [args, reason] of [
      [['nobody', app], 'no client has the id "nobody"; see: grantlog client list'],
      [[broker, 'nobody'], 'no client has the id "nobody"; see: grantlog client list'],
      [[app, broker], 'Only a confidential application can exchange tokens.'],
      [
        [broker, app, '--scope', 'nothing'],
        'The scope nothing is neither in the settings nor defined by a resource server.',
      ],
      [[broker, app, '--scope', 'openid'], 'An exchange cannot grant the scope openid.'],
      [[broker, app, '--scope', 'introspection'], 'An exchange cannot grant the scope introspection.'],
      [
        [broker, app, '--resource', 'https://other.example/'],
        'The resource server https://other.example/ is not known',
      ],
    ] as const) {
      const { status, err } = await set(...args);
      expect({ args, isRefused: status !== 0, err }).to.deep.include({ args, isRefused: true });
      expect(err).to.include(reason);
    }
    expect((await run('exchange-policy', 'set', broker, app)).err).to.include('--mode');
    expect((await run('exchange-policy', 'set', broker, app, '--mode', 'theft')).err).to.include('delegation');
    expect((await run('exchange-policy', 'show', broker, app)).err).to.include('see: grantlog exchange-policy list');
    expect((await run('exchange-policy', 'show', broker, 'nobody')).err).to.include('no client has the id "nobody"');
    expect((await run('exchange-policy', 'remove', broker, app, '--yes')).err).to.match(
      /no policy lets client "[^"]+" \(\w+\) exchange tokens issued to client "[^"]+" \(\w+\)/,
    );
    expect(await runForJson('exchange-policy', 'list')).to.deep.equal([]);
  });
});
