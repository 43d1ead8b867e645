import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import Koa from 'koa';
import {
  remoteIntrospection,
  type RemoteIntrospectionOptions,
} from '../../../src/policy/resource-server/remote-introspection.ts';
import { withServer } from '../../support/with-server.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { seededEntropy } from '../../support/seeded-entropy.ts';
import { unchecked } from '../../support/unchecked.ts';

const NOW = Date.UTC(2026, 0, 1) / 1000;
const ACTIVE_RESPONSE = {
  active: true,
  scope: 'read write',
  client_id: 'client',
  sub: 'alice',
  token_type: 'Bearer',
  exp: NOW + 60,
};
const TOKEN = { clientId: 'client', userId: 'alice', scope: ['read', 'write'], expiresAt: NOW + 60 };
const CREDENTIALS = { clientId: 'rs', clientSecret: 'secret' };

type Find = (token: string) => Promise<unknown>;

/** Runs `test` with a function that looks up tokens at an endpoint. `handler` also gets the request number. */
async function withIntrospection(
  handler: (ctx: Koa.Context, requestNumber: number) => unknown,
  test: (
    find: Find,
    context: { readonly clock: ReturnType<typeof manualClock>; readonly requestCount: () => number },
  ) => Promise<void>,
  options: Partial<RemoteIntrospectionOptions> = {},
): Promise<void> {
  const clock = manualClock();
  let requestCount = 0;
  const app = new Koa().use(async (ctx) => {
    const response = await handler(ctx, (requestCount += 1));
    if (response !== undefined) ctx.body = response;
  });
  app.silent = true;
  await withServer(app, async (origin) => {
    const find = remoteIntrospection(
      { endpoint: `${origin}/introspect`, ...CREDENTIALS, ...options },
      { clock, entropy: seededEntropy('cache') },
    );
    await test(async (token) => find(token), { clock, requestCount: () => requestCount });
  });
}

async function expectFailure(result: Promise<unknown>): Promise<string> {
  return result.then((value) => expect.fail(`resolved with ${JSON.stringify(value)}`), String);
}

describe('Remote introspection', () => {
  it('returns the authorization details of the token, and refuses a response with malformed ones', async () => {
    const details = [{ type: 'payment', amount: '5.00' }];
    await withIntrospection(
      () => ({ ...ACTIVE_RESPONSE, authorization_details: details }),
      async (find) => {
        expect(await find('token')).to.deep.equal({ ...TOKEN, details });
      },
    );
    for (const authorization_details of ['payment', [7], [{}], {}])
      await withIntrospection(
        () => ({ ...ACTIVE_RESPONSE, authorization_details }),
        async (find) => {
          expect(await expectFailure(find('token'))).to.include('authorization_details');
        },
      );
  });

  it('returns the login and the binding of the token, and refuses a binding that cannot be verified', async () => {
    const [jkt, thumbprint] = ['k'.repeat(43), 'c'.repeat(43)];
    const bearer = { token_type: 'Bearer' };
    const dpop = { token_type: 'DPoP' };
    for (const [members, expected] of [
      [{ auth_time: NOW - 60, acr: 'mfa' }, { login: { authTime: NOW - 60, acr: 'mfa' } }],
      [{ acr: 'urn:gold' }, { login: { acr: 'urn:gold' } }],
      [{ ...dpop, cnf: { jkt } }, { confirmation: { method: 'jkt', thumbprint: jkt } }],
      [{ ...bearer, cnf: { jkt } }, { confirmation: { method: 'jkt', thumbprint: jkt } }],
      [{ ...bearer, cnf: { 'x5t#S256': thumbprint } }, { confirmation: { method: 'x5t#S256', thumbprint } }],
      [dpop, undefined],
      [{ ...dpop, cnf: { 'x5t#S256': thumbprint } }, undefined],
      [{ cnf: {} }, undefined],
      [{ cnf: { jwk: {} } }, undefined],
      [{ cnf: { jkt: '' } }, undefined],
      [{ cnf: { jkt, 'x5t#S256': thumbprint } }, undefined],
    ] as const)
      await withIntrospection(
        () => ({ ...ACTIVE_RESPONSE, ...members }),
        async (find) => {
          expect(await find('token'), JSON.stringify(members)).to.deep.equal(expected && { ...TOKEN, ...expected });
        },
      );
  });

  it('reads a valid token', async () => {
    const responses: readonly (readonly [object, object])[] = [
      [ACTIVE_RESPONSE, TOKEN],
      [
        { ...ACTIVE_RESPONSE, sub: 'client' },
        { ...TOKEN, userId: null },
      ],
      [
        { ...ACTIVE_RESPONSE, sub: undefined },
        { ...TOKEN, userId: null },
      ],
      [
        { ...ACTIVE_RESPONSE, exp: undefined, token_type: 'bearer' },
        { ...TOKEN, expiresAt: Infinity },
      ],
      [
        { ...ACTIVE_RESPONSE, scope: '' },
        { ...TOKEN, scope: [] },
      ],
      [{ ...ACTIVE_RESPONSE, nbf: NOW, iss: 'https://as.example' }, TOKEN],
    ];
    await withIntrospection(
      (_, requestNumber) => responses[requestNumber - 1]?.[0],
      async (find) => {
        for (const [index, [, expected]] of responses.entries())
          expect(await find(`token${index}`)).to.deep.equal(expected);
      },
    );
  });

  it('refuses inactive, expired and not yet valid tokens, and a wrong type, audience or issuer', async () => {
    const responses = [
      { active: false },
      { ...ACTIVE_RESPONSE, active: false },
      { ...ACTIVE_RESPONSE, exp: NOW },
      { ...ACTIVE_RESPONSE, exp: NOW - 1 },
      { ...ACTIVE_RESPONSE, exp: 0 },
      { ...ACTIVE_RESPONSE, nbf: NOW + 1 },
      { ...ACTIVE_RESPONSE, token_type: 'DPoP' },
      { ...ACTIVE_RESPONSE, token_type: undefined },
      { ...ACTIVE_RESPONSE, aud: 'https://other.example' },
      { ...ACTIVE_RESPONSE, aud: [] },
      { ...ACTIVE_RESPONSE, aud: ['https://other.example', 'https://api.example/'] },
      { ...ACTIVE_RESPONSE, iss: 'https://other.example' },
      { ...ACTIVE_RESPONSE, iss: undefined },
    ].map((response) => ({ iss: 'https://as.example', ...response }));
    await withIntrospection(
      (_, requestNumber) => responses[requestNumber - 1],
      async (find) => {
        for (const [index, response] of responses.entries())
          expect(await find(`token${index}`), JSON.stringify(response)).to.equal(undefined);
      },
      { resource: 'https://api.example', issuer: 'https://as.example' },
    );
  });

  it('accepts a token that has no audience, or one that includes the resource server', async () => {
    const responses = [
      { aud: 'https://api.example' },
      { aud: ['https://other.example', 'https://api.example'] },
      {},
    ].map((aud) => ({ ...ACTIVE_RESPONSE, ...aud, iss: 'https://as.example' }));
    await withIntrospection(
      (_, requestNumber) => responses[requestNumber - 1],
      async (find) => {
        for (const index of responses.keys()) expect(await find(`token${index}`)).to.deep.equal(TOKEN);
      },
      { resource: 'https://api.example', issuer: 'https://as.example' },
    );
  });

  it('accepts only a token whose audience includes the resource server if an audience is required', async () => {
    const responses = [{ aud: 'https://api.example' }, {}, { aud: [] }, { aud: 'https://other.example' }];
    await withIntrospection(
      (_, requestNumber) => ({ ...ACTIVE_RESPONSE, ...responses[requestNumber - 1] }),
      async (find) => {
        expect(await find('token0')).to.deep.equal(TOKEN);
        for (const index of [1, 2, 3]) expect(await find(`token${index}`)).to.equal(undefined);
      },
      { resource: 'https://api.example', requireAudience: true },
    );
  });

  it('cannot require an audience if no resource server is configured', () => {
    const options = { endpoint: 'https://as.example/introspect', clientId: 'a', clientSecret: 'b' };
    expect(() => remoteIntrospection({ ...options, requireAudience: true })).to.throw(TypeError, 'needs a resource');
  });

  it('refuses a token with an audience if no resource server is configured', async () => {
    const audiences = ['https://api.example', ['https://api.example'], []];
    await withIntrospection(
      (_, requestNumber) => ({ ...ACTIVE_RESPONSE, aud: audiences[requestNumber - 1] }),
      async (find) => {
        for (const index of audiences.keys()) expect(await find(`token${index}`)).to.equal(undefined);
      },
    );
  });

  it('reports a failure, not an invalid token, for a malformed response', async () => {
    const bodies: readonly unknown[] = [
      '',
      'null',
      '[]',
      '"active"',
      'true',
      '{',
      '{"active":true',
      '{"active":"true"}',
      '{"active":1}',
      '{}',
      '<html>',
      '\u0000',
      '{"__proto__":{"active":true}}',
      ...[
        { scope: undefined },
        { scope: ['read'] },
        { scope: 7 },
        { scope: 'a"b' },
        { scope: null },
        { client_id: undefined },
        { client_id: 7 },
        { client_id: '' },
        { sub: {} },
        { exp: '1' },
        { exp: null },
        { nbf: '0' },
        { aud: 7 },
        { aud: [7] },
        { aud: {} },
        { token_type: 7 },
      ].map((members) => JSON.stringify({ ...ACTIVE_RESPONSE, ...members })),
      JSON.stringify(ACTIVE_RESPONSE).replace(/"exp":\d+/, '"exp":1e999'),
    ];
    await withIntrospection(
      (ctx, requestNumber) => {
        ctx.type = 'json';
        ctx.status = 200;
        ctx.res.end(bodies[requestNumber - 1]);
        ctx.respond = false;
      },
      async (find) => {
        for (const [index, body] of bodies.entries())
          expect(await expectFailure(find(`token${index}`)), String(body)).to.match(/^IntrospectionUnavailable: /);
      },
    );
  });

  it('never creates a principal from arbitrary data', async () => {
    let body: Buffer = Buffer.alloc(0);
    await withIntrospection(
      (ctx) => {
        ctx.status = 200;
        ctx.res.end(body);
        ctx.respond = false;
      },
      async (find) => {
        const garbage = fc.oneof(
          fc.string().map((text) => Buffer.from(text)),
          fc.uint8Array().map((bytes) => Buffer.from(bytes)),
          fc.json().map((text) => Buffer.from(text)),
          fc
            .nat(JSON.stringify(ACTIVE_RESPONSE).length - 1)
            .map((length) => Buffer.from(JSON.stringify(ACTIVE_RESPONSE).slice(0, length))),
        );
        await fc.assert(
          fc.asyncProperty(garbage, async (bytes) => {
            body = bytes;
            expect(await find('token').catch(() => undefined)).to.equal(undefined);
          }),
          { numRuns: 300 },
        );
      },
    );
  });

  it('fails closed on an unexpected status, a redirect, or a large, incomplete or late response', async () => {
    const pendingResponses: (() => void)[] = [];
    const oversizedBody = JSON.stringify({ ...ACTIVE_RESPONSE, padding: 'x'.repeat(70_000) });
    const cases: Readonly<Record<string, (ctx: Koa.Context) => unknown>> = {
      'responded with status 500': (ctx) => {
        ctx.status = 500;
        ctx.body = ACTIVE_RESPONSE;
      },
      'responded with status 401': (ctx) => {
        ctx.status = 401;
        ctx.body = ACTIVE_RESPONSE;
      },
      'responded with status 201': (ctx) => {
        ctx.status = 201;
        ctx.body = ACTIVE_RESPONSE;
      },
      'responded with status 307': (ctx) => {
        ctx.redirect('/elsewhere');
        ctx.status = 307;
      },
      'larger than 65536 bytes': () => oversizedBody,
      'larger than 65536': (ctx) => {
        ctx.set('content-encoding', 'gzip');
        ctx.type = 'json';
        ctx.body = gzipSync(oversizedBody);
      },
      'cannot be reached': (ctx) => {
        ctx.respond = false;
        ctx.res.writeHead(200, { 'content-length': '500' });
        ctx.res.write('{"active":', () => ctx.res.destroy());
      },
      'no response': () => new Promise<void>((resolve) => pendingResponses.push(resolve)),
      'within the time limit': (ctx) => {
        ctx.respond = false;
        ctx.res.writeHead(200);
        ctx.res.write('{"active":');
      },
    };
    const timeouts = ['no response', 'within the time limit'];
    for (const [message, handler] of Object.entries(cases)) {
      await withIntrospection(
        handler,
        async (find, { requestCount }) => {
          expect(await expectFailure(find('token')), message)
            .to.match(/^IntrospectionUnavailable: /)
            .and.to.include(message);
          expect(requestCount(), 'one request, without a redirect').to.equal(1);
          for (const resolve of pendingResponses.splice(0)) resolve();
        },
        { timeoutSeconds: timeouts.includes(message) ? 0.1 : 10 },
      );
    }
  });

  it('caches only valid tokens, and retries after a failure', async () => {
    const responses = ['garbage', { active: false }, ACTIVE_RESPONSE, { active: false }];
    await withIntrospection(
      (_, requestNumber) => responses[requestNumber - 1],
      async (find, { requestCount }) => {
        expect(await expectFailure(find('token'))).to.include('not a JSON object');
        expect(await find('token')).to.equal(undefined);
        expect(await find('token')).to.deep.equal(TOKEN);
        expect(await find('token')).to.deep.equal(TOKEN);
        expect(requestCount()).to.equal(3);
      },
    );
  });

  it('sends one request for all concurrent lookups of a token', async () => {
    await withIntrospection(
      () => ACTIVE_RESPONSE,
      async (find, { requestCount }) => {
        const results = await Promise.all(Array.from({ length: 300 }, (_, index) => find(`token${index % 3}`)));
        expect(results).to.deep.equal(results.map(() => TOKEN));
        expect(requestCount()).to.equal(3);
      },
    );
    await withIntrospection(
      () => 'garbage',
      async (find, { requestCount }) => {
        const failures = await Promise.all(Array.from({ length: 50 }, () => expectFailure(find('token'))));
        expect(new Set(failures).size).to.equal(1);
        expect(requestCount()).to.equal(1);
      },
    );
  });

  it('has at most 64 requests in flight, and refuses requests beyond a limited queue', async () => {
    let [openRequests, maxOpenRequests] = [0, 0];
    await withIntrospection(
      async () => {
        maxOpenRequests = Math.max(maxOpenRequests, (openRequests += 1));
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        openRequests -= 1;
        return ACTIVE_RESPONSE;
      },
      async (find, { requestCount }) => {
        const outcomes = await Promise.allSettled(Array.from({ length: 1_200 }, (_, index) => find(`token${index}`)));
        const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
        expect(refusals).to.have.length(1_200 - 1_064);
        expect(new Set(refusals)).to.deep.equal(
          new Set(['IntrospectionUnavailable: too many introspection requests are pending']),
        );
        expect(requestCount()).to.equal(1_064);
        expect(maxOpenRequests).to.be.within(2, 64);
      },
      { timeoutSeconds: 60 },
    );
  });

  it('does not join a request that is older than the cache time', async () => {
    const responders: ((response: object) => void)[] = [];
    const arrivals: (() => void)[] = [];
    await withIntrospection(
      () =>
        new Promise<object>((resolve) => {
          responders.push(resolve);
          arrivals.shift()?.();
        }),
      async (find, { clock, requestCount }) => {
        const startLookup = async (): Promise<Promise<unknown>[]> => {
          const arrival = new Promise<void>((resolve) => arrivals.push(resolve));
          const lookup = find('token');
          await arrival;
          return [lookup];
        };
        const [firstLookup] = await startLookup();
        clock.advance(9.999);
        const joinedLookup = find('token');
        expect(requestCount()).to.equal(1);
        clock.advance(0.001);
        const [secondLookup] = await startLookup();
        responders[1]?.({ active: false });
        expect(await secondLookup).to.equal(undefined);
        responders[0]?.(ACTIVE_RESPONSE);
        expect([await firstLookup, await joinedLookup]).to.deep.equal([TOKEN, TOKEN]);
        const [thirdLookup] = await startLookup();
        responders[2]?.({ active: false });
        expect(await thirdLookup, 'an old response is not cached beyond its time').to.equal(undefined);
      },
    );
  });

  it('caches a limited number of recently used tokens, and no token after its expiry', async () => {
    await withIntrospection(
      () => ACTIVE_RESPONSE,
      async (find, { clock, requestCount }) => {
        for (const token of ['a', 'b', 'c', 'd', 'b', 'c', 'd']) await find(token);
        expect(requestCount()).to.equal(4);
        await find('a');
        expect(requestCount()).to.equal(5);
        clock.advance(60);
        expect(await find('a')).to.equal(undefined);
        expect(requestCount()).to.equal(6);
      },
      { cacheEntries: 3, cacheSeconds: 3600 },
    );
  });

  it('caches for the configured time, even if the wall clock is changed', async () => {
    await withIntrospection(
      () => ACTIVE_RESPONSE,
      async (find, { clock, requestCount }) => {
        await find('token');
        clock.shift(-86_400);
        clock.advance(9.999);
        await find('token');
        expect(requestCount()).to.equal(1);
        clock.advance(0.001);
        await find('token');
        expect(requestCount()).to.equal(2);
      },
    );
  });

  it('refuses unencrypted endpoints and invalid options at creation', () => {
    const createWith = (options: object) => () =>
      remoteIntrospection(unchecked({ endpoint: 'https://as.example/introspect', ...CREDENTIALS, ...options }));
    for (const endpoint of [
      'https://as.example/o/introspect/',
      'http://localhost:8000/',
      'http://127.0.0.1/',
      'http://127.1:8000/',
      'http://[::1]:8000/',
      'HTTP://LOCALHOST/',
    ])
      createWith({ endpoint })();
    for (const endpoint of [
      'http://as.example/',
      'http://localhost.evil.example/',
      'http://127.0.0.1.evil.example/',
      'http://10.0.0.1/',
      'http://[::2]/',
      'ftp://localhost/',
      'file:///etc/passwd',
    ]) {
      expect(createWith({ endpoint }), endpoint).to.throw(TypeError, /endpoint must use https/);
    }
    for (const endpoint of [undefined, '', '/o/introspect/', 'https://user:password@as.example/', 7])
      expect(createWith({ endpoint }), String(endpoint)).to.throw(TypeError, /endpoint must/);
    for (const options of [{ clientId: '' }, { clientId: undefined }, { clientSecret: '' }, { clientSecret: 7 }])
      expect(createWith(options)).to.throw(TypeError, /client(Id|Secret) must be/);
    for (const options of [
      { cacheSeconds: -1 },
      { cacheSeconds: NaN },
      { cacheSeconds: '10' },
      { timeoutSeconds: 0 },
      { timeoutSeconds: Infinity },
      { cacheEntries: 0 },
    ]) {
      expect(createWith(options), JSON.stringify(options)).to.throw(TypeError, /must be a number from/);
    }
  });
});
