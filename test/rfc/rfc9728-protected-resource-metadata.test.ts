import { expect } from 'chai';
import { Router } from '@koa/router';
import Koa from 'koa';
import * as oauth from 'oauth4webapi';
import { bearerToken } from '../../src/http/pipeline/bearer-token.ts';
import { requirePolicy } from '../../src/http/pipeline/require-policy.ts';
import { PolicyDeclarationError } from '../../src/policy/declaration.ts';
import { anyOf } from '../../src/policy/combinators.ts';
import { allScopes } from '../../src/policy/policies.ts';
import { withServer } from '../support/with-server.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

const PATH = '/.well-known/oauth-protected-resource';
const DPOP = 'DPoP algs="ES256 PS256 RS256 EdDSA Ed25519"';

describe('RFC 9728: the sample API metadata', () => {
  let running: RunningService;

  afterEach(() => running.close());

  it('states the resource, its authorization server, the scopes and the bearer methods (§2)', async () => {
    running = await runningService();
    const { status, headers, json } = await running.get(PATH);
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.match(/^application\/json/);
    expect(json).to.deep.equal({
      resource: 'http://localhost:8000',
      authorization_servers: ['http://localhost:8000'],
      scopes_supported: ['read', 'write', 'groups'],
      bearer_methods_supported: ['header'],
      dpop_signing_alg_values_supported: ['ES256', 'PS256', 'RS256', 'EdDSA', 'Ed25519'],
    });
  });

  it('lists the scopes that the policies require, and only existing scopes', async () => {
    running = await runningService({
      settings: {
        scopes: { look: 'Look', touch: 'Touch', other: 'Other' },
        readScope: 'look',
        writeScope: 'touch',
        defaultScopes: {},
      },
    });
    expect((await running.get(PATH)).json?.['scopes_supported']).to.deep.equal(['look', 'touch', 'groups']);
  });

  it('is served at a path derived from the resource (§3.1), and follows the issuer, not the request', async () => {
    running = await runningService({ settings: { issuer: 'https://id.example/a(b)/c' } });
    for (const path of [`${PATH}/a(b)/c`, PATH]) {
      const { status, json } = await running.get(path, {
        'x-forwarded-host': 'evil.example',
        forwarded: 'host=evil.example',
      });
      expect(status, path).to.equal(200);
      expect(json).to.include({ resource: 'https://id.example/a(b)/c' });
    }
    expect((await running.get(`${PATH}/other`)).status).to.equal(404);
    const { headers } = await running.get('/users/');
    expect(headers.get('www-authenticate')).to.equal(
      `Bearer realm="api", scope="read", resource_metadata="https://id.example${PATH}/a(b)/c", ${DPOP}`,
    );
  });

  it('is found through the challenge in a 401 response (§5.1), for a missing and for an invalid token', async () => {
    running = await runningService();
    for (const headers of [{}, { authorization: 'Bearer unknown' }]) {
      for (const path of ['/users/', '/users/1/', '/groups/']) {
        const refusal = await running.get(path, headers);
        expect(refusal.status).to.equal(401);
        const [, metadataUrl = ''] =
          /^Bearer .*resource_metadata="([^"]+)"/.exec(refusal.headers.get('www-authenticate') ?? '') ?? [];
        expect((await running.get(new URL(metadataUrl).pathname)).json).to.include({
          resource: 'http://localhost:8000',
        });
      }
    }
  });

  it('leads a client library from the resource to its authorization server', async () => {
    running = await runningService();
    const options = {
      [oauth.customFetch]: (url: string) => fetch(new URL(new URL(url).pathname, running.origin())),
      [oauth.allowInsecureRequests]: true,
    };
    const resource = new URL('http://localhost:8000');
    const metadata = await oauth.processResourceDiscoveryResponse(
      resource,
      await oauth.resourceDiscoveryRequest(resource, options),
    );
    const issuer = new URL(metadata.authorization_servers?.[0] ?? '');
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' }),
    );
    expect(server.token_endpoint).to.equal('http://localhost:8000/o/token/');
    expect(server.scopes_supported).to.include.members([...(metadata.scopes_supported ?? [])]);
  });

  it('is neither served nor mentioned without the sample API', async () => {
    running = await runningService({ settings: { sampleApi: false } });
    expect((await running.get(PATH)).status).to.equal(404);
    expect((await running.get('/o/events/')).headers.get('www-authenticate')).to.equal(
      `Bearer realm="api", scope="audit", ${DPOP}`,
    );
  });

  it('is read-only', async () => {
    running = await runningService();
    expect((await running.post(PATH, {})).status).to.equal(405);
  });
});

describe('RFC 9728: a separate resource server', () => {
  const METADATA = 'https://api.example/.well-known/oauth-protected-resource';
  const tokens = { find: () => undefined };

  function challengeFor(options: { readonly all?: string; readonly route?: string }): Promise<string | null> {
    const router = new Router();
    router.get('/', requirePolicy(allScopes([]), { resourceMetadata: options.route }));
    const app = new Koa();
    app.use(bearerToken(tokens, { resourceMetadata: options.all })).use(router.routes());
    return withServer(app, async (origin) => (await fetch(origin)).headers.get('www-authenticate'));
  }

  it('can state its metadata URL for all routes or for one route', async () => {
    expect(await challengeFor({ all: METADATA })).to.equal(`Bearer realm="api", resource_metadata="${METADATA}"`);
    expect(await challengeFor({ route: METADATA })).to.equal(`Bearer realm="api", resource_metadata="${METADATA}"`);
    expect(await challengeFor({ all: METADATA, route: `${METADATA}/notes` })).to.equal(
      `Bearer realm="api", resource_metadata="${METADATA}/notes"`,
    );
    expect(await challengeFor({})).to.equal('Bearer realm="api"');
  });

  it('states its metadata URL and a sufficient scope to clients without a sufficient token', async () => {
    const scope = anyOf(allScopes(['notes:read', 'notes:write']), allScopes(['notes:all']));
    for (const route of [undefined, `${METADATA}/notes`]) {
      const router = new Router();
      router.get('/', requirePolicy(scope, { resourceMetadata: route }));
      const app = new Koa();
      const find = (token: string) =>
        token === 'weak' ? { clientId: 'app', userId: 'ada', scope: ['other'] } : undefined;
      app.use(bearerToken({ find }, { resourceMetadata: METADATA })).use(router.routes());
      const attributes = `scope="notes:all", resource_metadata="${route ?? METADATA}"`;
      await withServer(app, async (origin) => {
        for (const [token, status, challenge] of [
          [undefined, 401, `Bearer realm="api", ${attributes}`],
          ['unknown', 401, `Bearer realm="api", error="invalid_token", ${attributes}`],
          ['weak', 403, `Bearer error="insufficient_scope", ${attributes}`],
        ] as const) {
          const response = await fetch(origin, token && { headers: { authorization: `Bearer ${token}` } });
          expect([response.status, response.headers.get('www-authenticate')]).to.deep.equal([status, challenge]);
        }
      });
    }
  });

  it('must declare its metadata with a URL, which cannot break out of the quotes', async () => {
    for (const url of ['', 'api.example', '/metadata', 'javascript:alert(1)', 'https://']) {
      expect(() => requirePolicy(allScopes([]), { resourceMetadata: url }), url).to.throw(PolicyDeclarationError);
      expect(() => bearerToken(tokens, { resourceMetadata: url }), url).to.throw(PolicyDeclarationError);
    }
    for (const hostileSuffix of ['x", error="none', 'x\\', '?q="', '#\\"', '\r\nX: y']) {
      expect(await challengeFor({ all: `https://api.example/${hostileSuffix}` })).to.match(
        /^Bearer realm="api", resource_metadata="https:\/\/api\.example\/[^"\\\s]*"$/,
      );
    }
  });
});
