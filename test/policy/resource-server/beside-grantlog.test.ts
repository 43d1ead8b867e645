import { expect } from 'chai';
import fc from 'fast-check';
import Koa from 'koa';
import { createApp } from '../../../src/http/app.ts';
import { bearerToken } from '../../../src/http/pipeline/bearer-token.ts';
import { requirePolicy } from '../../../src/http/pipeline/require-policy.ts';
import { allScopes, readWrite } from '../../../src/policy/policies.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import {
  remoteIntrospection,
  type RemoteIntrospectionOptions,
} from '../../../src/policy/resource-server/remote-introspection.ts';
import { withServer } from '../../support/with-server.ts';
import { aMethod, aScopePolicy, SETTINGS } from '../../support/policy-arbitraries.ts';
import { runningService, type RunningService, type TestClient, type TestUser } from '../../support/running-service.ts';
import { seededEntropy } from '../../support/seeded-entropy.ts';

const CALENDAR = 'https://calendar.example/';
const METADATA = 'http://localhost:8000/.well-known/oauth-protected-resource';
const NAMES = ['read', 'write', 'groups', 'a', 'b', 'a:read', 'a:write', 'b:read', 'b:write'];

interface ApiResponse {
  readonly status: number;
  readonly challenge: string | null;
  readonly body: string;
}

async function request(
  origin: string,
  token: string,
  { method = 'GET', path = '/guarded' } = {},
): Promise<ApiResponse> {
  const response = await fetch(origin + path, { method, headers: { authorization: `Bearer ${token}` } });
  return { status: response.status, challenge: response.headers.get('www-authenticate'), body: await response.text() };
}

describe('A separate resource server', () => {
  let running: RunningService;
  let resourceServer: TestClient;
  let client: TestClient;
  let user: TestUser;
  /** The policy of the guarded route on both servers. */
  let policy: Policy;

  beforeEach(async () => {
    running = await runningService({
      settings: { scopes: Object.fromEntries(NAMES.map((name) => [name, name])), resources: [CALENDAR] },
    });
    resourceServer = await running.addClient();
    client = await running.addClient();
    user = await running.addUser('ada');
    policy = allScopes([]);
  });
  afterEach(() => running.close());

  async function requestTokens(
    scope: readonly string[],
  ): Promise<{ readonly access: string; readonly refresh: string }> {
    const { json } = await running.token(client, { grant_type: 'password', ...user, scope: scope.join(' ') });
    return { access: String(json?.['access_token']), refresh: String(json?.['refresh_token']) };
  }

  function guard(app: Koa): Koa {
    return app
      .use((ctx, next) => (ctx.path === '/guarded' ? requirePolicy(policy)(ctx, next) : next()))
      .use((ctx) => {
        if (ctx.path === '/guarded') ctx.body = (ctx.state as { readonly principal: object }).principal;
      });
  }

  function createApi(options: Partial<RemoteIntrospectionOptions> = {}): Koa {
    const app = new Koa();
    app.silent = true;
    const find = remoteIntrospection(
      {
        endpoint: `${running.origin()}/o/introspect/`,
        clientId: resourceServer.id,
        clientSecret: resourceServer.secret,
        ...options,
      },
      { clock: running.clock, entropy: seededEntropy('cache') },
    );
    app.use(bearerToken({ find }));
    return app;
  }

  function createGrantlogApp(): Koa {
    return guard(createApp(running.service(), { error: (details) => expect.fail(String(details['err'])) }));
  }

  it('makes the same decisions as Grantlog itself, for every policy, method and scope', async () => {
    await withServer(createGrantlogApp(), async (grantlogOrigin) =>
      withServer(guard(createApi()), async (apiOrigin) => {
        await fc.assert(
          fc.asyncProperty(
            aScopePolicy,
            aMethod,
            fc.subarray(NAMES, { minLength: 1 }),
            fc.boolean(),
            async (generatedPolicy, method, scope, isForClient) => {
              policy = generatedPolicy;
              const access = isForClient
                ? String(
                    (await running.token(client, { grant_type: 'client_credentials', scope: scope.join(' ') })).json?.[
                      'access_token'
                    ],
                  )
                : (await requestTokens(scope)).access;
              const responses = [
                await request(grantlogOrigin, access, { method }),
                await request(apiOrigin, access, { method }),
                await request(apiOrigin, access, { method }),
              ];
              expect(responses[1]).to.deep.equal(responses[0]);
              expect(responses[2], 'from the cache').to.deep.equal(responses[0]);
            },
          ),
          { numRuns: 150 },
        );
      }),
    );
  });

  it('responds like the sample API to valid and invalid tokens', async () => {
    const app = createApi();
    app
      .use((ctx, next) =>
        requirePolicy(ctx.path === '/groups/' ? allScopes(['groups']) : readWrite(SETTINGS), {
          resourceMetadata: METADATA,
        })(ctx, next),
      )
      .use((ctx) => {
        ctx.body = [];
      });
    await withServer(app, async (apiOrigin) => {
      for (const scope of [['read'], ['write'], ['groups'], ['read', 'write', 'groups']]) {
        const { access } = await requestTokens(scope);
        for (const token of [access, 'unknown', `${access}x`]) {
          for (const [method, path] of [
            ['GET', '/users/'],
            ['DELETE', '/users/'],
            ['GET', '/groups/'],
          ] as const) {
            const expected = await request(running.origin(), token, { method, path });
            const { status, challenge, body } = await request(apiOrigin, token, { method, path });
            if (expected.status === 200 || expected.status === 405) expect(status).to.equal(200);
            else {
              // This API does not support DPoP.
              const [bearerChallenge = null] = expected.challenge?.split(', DPoP ') ?? [];
              expect({ status, challenge, body }).to.deep.equal({ ...expected, challenge: bearerChallenge });
            }
          }
        }
      }
    });
  });

  it('notices a revocation after at most cacheSeconds, and immediately if cacheSeconds is 0', async () => {
    await withServer(guard(createApi()), async (apiOrigin) =>
      withServer(guard(createApi({ cacheSeconds: 0 })), async (uncachedOrigin) => {
        const { access } = await requestTokens(['read']);
        expect([
          (await request(apiOrigin, access)).status,
          (await request(uncachedOrigin, access)).status,
        ]).to.deep.equal([200, 200]);
        running.clock.advance(4);
        await running.post('/o/revoke_token/', { token: access }, { authorization: client.basic });
        expect([
          (await request(apiOrigin, access)).status,
          (await request(uncachedOrigin, access)).status,
        ]).to.deep.equal([200, 401]);
        running.clock.advance(5.999);
        expect((await request(apiOrigin, access)).status).to.equal(200);
        running.clock.advance(0.001);
        expect((await request(apiOrigin, access)).status).to.equal(401);
      }),
    );
  });

  it('never accepts a token after its expiry, even if cacheSeconds is longer', async () => {
    await withServer(guard(createApi({ cacheSeconds: 3600 })), async (apiOrigin) => {
      const { access } = await requestTokens(['read']);
      running.clock.advance(36_000 - 2);
      expect((await request(apiOrigin, access)).status).to.equal(200);
      running.clock.advance(1.999);
      expect((await request(apiOrigin, access)).status).to.equal(200);
      running.clock.advance(0.001);
      expect((await request(apiOrigin, access)).status).to.equal(401);
    });
  });

  it('accepts a token restricted to certain resource servers only if it is among them', async () => {
    const { json } = await running.token(client, {
      grant_type: 'password',
      ...user,
      scope: 'read',
      resource: CALENDAR,
    });
    const [restrictedToken, unrestrictedToken] = [
      String(json?.['access_token']),
      (await requestTokens(['read'])).access,
    ];
    for (const [resource, status] of [
      [CALENDAR, 200],
      ['https://other.example/', 401],
      [undefined, 401],
    ] as const) {
      await withServer(guard(createApi(resource === undefined ? {} : { resource })), async (apiOrigin) => {
        expect((await request(apiOrigin, restrictedToken)).status, resource).to.equal(status);
        expect((await request(apiOrigin, unrestrictedToken)).status, resource).to.equal(200);
      });
    }
  });

  it('accepts a JWT only if the audience names it; the default audience is the issuer (RFC 9068 §3)', async () => {
    client = await running.addClient({ accessTokenFormat: 'jwt' });
    const requestToken = async (parameters: object): Promise<string> =>
      String((await running.token(client, { grant_type: 'password', ...user, ...parameters })).json?.['access_token']);
    const [tokenForApi, tokenForIssuer] = [
      await requestToken({ resource: CALENDAR, scope: 'read' }),
      await requestToken({ scope: 'read' }),
    ];
    for (const [resource, statuses] of [
      [CALENDAR, [200, 401]],
      ['http://localhost:8000', [401, 200]],
    ] as const) {
      await withServer(guard(createApi({ resource })), async (apiOrigin) => {
        expect([
          (await request(apiOrigin, tokenForApi)).status,
          (await request(apiOrigin, tokenForIssuer)).status,
        ]).to.deep.equal(statuses);
      });
    }
  });

  it('never accepts a refresh token, even one of its own client', async () => {
    resourceServer = client;
    await withServer(guard(createApi()), async (apiOrigin) => {
      const { access, refresh } = await requestTokens(['read']);
      expect(
        (await running.post('/o/introspect/', { token: refresh }, { authorization: client.basic })).json,
      ).to.include({ active: true });
      expect((await request(apiOrigin, refresh)).status).to.equal(401);
      expect((await request(apiOrigin, access)).status).to.equal(200);
    });
  });

  it('authenticates even if its id and secret contain special characters', async () => {
    const secrets = ['a secret', 'a+b%20c', 'ü:&=/?', '100%', '%41 and a long enough tail of it'];
    const authorizationHeaders: string[] = [];
    const endpoint = new Koa().use((ctx) => {
      authorizationHeaders.push(ctx.get('authorization'));
      ctx.body = { active: false };
    });
    await withServer(endpoint, async (origin) => {
      for (const clientSecret of secrets)
        await remoteIntrospection({ endpoint: origin, clientId: 'id of:mine', clientSecret })('token');
    });
    const decodedCredentials = authorizationHeaders.map((header) =>
      Buffer.from(header.slice('Basic '.length), 'base64')
        .toString()
        .split(':')
        .map((field) => decodeURIComponent(field.replaceAll('+', ' '))),
    );
    expect(decodedCredentials).to.deep.equal(secrets.map((secret) => ['id of:mine', secret]));
  });

  it('responds with 503 if the server is unavailable or refuses its credentials', async () => {
    const { access } = await requestTokens(['read']);
    await withServer(guard(createApi({ clientSecret: 'wrong' })), async (apiOrigin) => {
      expect(await request(apiOrigin, access)).to.include({ status: 503, challenge: null });
    });
    const app = guard(createApi({ cacheSeconds: 0, endpoint: 'http://127.0.0.1:1/o/introspect/' }));
    const errors: unknown[] = [];
    app.on('error', (error) => errors.push(error));
    await withServer(app, async (apiOrigin) => {
      expect(await request(apiOrigin, access)).to.deep.equal({
        status: 503,
        challenge: null,
        body: '{"detail":"The access token cannot be checked at the moment."}',
      });
      expect((await fetch(`${apiOrigin}/guarded`)).status, 'without a token, no introspection is needed').to.equal(401);
    });
    expect(errors.map(String)).to.deep.equal([
      'IntrospectionUnavailable: the introspection endpoint cannot be reached',
    ]);
    expect(String(errors[0])).not.to.include(access);
  });
});
