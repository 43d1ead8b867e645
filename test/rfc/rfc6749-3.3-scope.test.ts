import { expect } from 'chai';
import * as fc from 'fast-check';
import { expectRefusal, expectTokens, expectNothingAppended } from '../support/protocol-responses.ts';
import {
  REDIRECT_URI,
  runningService,
  type TestResponse,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

const SCOPES = ['read', 'write', 'groups'];

describe('RFC 6749 §3.3: the scope', () => {
  let running: RunningService;
  let client: TestClient;
  let owner: TestUser;

  before(async () => {
    running = await runningService();
    client = await running.addClient();
    owner = await running.addUser();
  });
  after(() => running.close());

  const requestWithPassword = (parameters: Readonly<Record<string, string>> = {}): Promise<TestResponse> =>
    running.token(client, {
      grant_type: 'password',
      username: owner.username,
      password: owner.password,
      ...parameters,
    });
  const requestWithClientCredentials = (parameters: Readonly<Record<string, string>> = {}): Promise<TestResponse> =>
    running.token(client, { grant_type: 'client_credentials', ...parameters });

  it("defaults to the grant type's default scopes if it is absent or empty", async () => {
    for (const parameters of [{}, { scope: '' }, { scope: ' ' }] as const) {
      expectTokens(await requestWithPassword(parameters), { scope: 'read write groups', refresh: true });
      expectTokens(await requestWithClientCredentials(parameters), { scope: 'read write', refresh: false });
    }
    const code = await running.authorize(client, owner);
    expectTokens(await running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI }), {
      scope: 'read write',
      refresh: true,
    });
  });

  it('is granted in the requested order, each name once, separated by one space', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...SCOPES), { minLength: 1, maxLength: 6 }),
        fc.constantFrom(' ', '  '),
        async (names, separator) => {
          const scope = [...new Set(names)].join(' ');
          expectTokens(await requestWithClientCredentials({ scope: names.join(separator) }), { scope, refresh: false });
          expectTokens(await requestWithPassword({ scope: ` ${names.join(separator)} ` }), { scope, refresh: true });
        },
      ),
      { numRuns: 20 },
    );
  });

  it('can exceed the default', async () => {
    expectTokens(await requestWithClientCredentials({ scope: 'groups' }), { scope: 'groups', refresh: false });
    const code = await running.authorize(client, owner, { scope: 'groups read' });
    expectTokens(await running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI }), {
      scope: 'groups read',
      refresh: true,
    });
  });

  it('is refused if even one name is unknown or malformed', async () => {
    const names = [
      'admin',
      'read admin',
      'READ',
      'read,write',
      'read\twrite',
      'read\nwrite',
      'r"ead',
      'r\\ead',
      'lire-é',
      '__proto__',
      'constructor',
      'toString',
    ];
    for (const scope of names) {
      expectRefusal(
        await expectNothingAppended(running, () => requestWithClientCredentials({ scope })),
        'invalid_scope',
      );
      expectRefusal(await expectNothingAppended(running, () => requestWithPassword({ scope })), 'invalid_scope');
    }
  });

  it('is mandatory if the operator has not configured a default', async () => {
    const strictService = await runningService({ settings: { defaultScopes: { 'client-credentials': [] } } });
    try {
      const strictClient = await strictService.addClient();
      expectRefusal(
        await expectNothingAppended(strictService, () =>
          strictService.token(strictClient, { grant_type: 'client_credentials' }),
        ),
        'invalid_scope',
      );
      expectTokens(await strictService.token(strictClient, { grant_type: 'client_credentials', scope: 'read' }), {
        scope: 'read',
        refresh: false,
      });
    } finally {
      await strictService.close();
    }
  });

  it('can contain only configured scopes', async () => {
    const musicService = await runningService({
      settings: {
        scopes: { 'playlist:read': 'See', 'playlist:write': 'Change' },
        defaultScopes: { password: ['playlist:read'] },
      },
    });
    try {
      const player = await musicService.addClient();
      const fan = await musicService.addUser();
      const request = (scope: string): Promise<TestResponse> =>
        musicService.token(player, { grant_type: 'password', username: fan.username, password: fan.password, scope });
      expectTokens(await request(''), { scope: 'playlist:read', refresh: true });
      expectTokens(await request('playlist:write'), { scope: 'playlist:write', refresh: true });
      expectRefusal(await request('read'), 'invalid_scope');
    } finally {
      await musicService.close();
    }
  });

  it("limits a token's access at a resource server", async () => {
    const { access } = expectTokens(await requestWithPassword({ scope: 'read' }), { scope: 'read', refresh: true });
    const headers = { authorization: `Bearer ${access}` };
    expect((await running.get('/users/', headers)).status).to.equal(200);
    expect((await running.get('/users/1/', headers)).status).to.equal(200);
    const denials = [
      await running.get('/groups/', headers),
      await running.post('/users/', { username: 'foo', password: 'bar' }, headers),
    ];
    for (const { status, json } of denials) {
      expect(status).to.equal(403);
      expect(json).to.include({ detail: 'You do not have permission to perform this action.' });
    }
  });
});
