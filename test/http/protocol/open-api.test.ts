import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { describeApi, permittedOperations, type OpenApiDocument } from '../../../src/http/openapi/document.ts';
import type { Operation } from '../../../src/http/openapi/operation.ts';
import { createApp } from '../../../src/http/app.ts';
import { apiPageLocals } from '../../../src/http/openapi/page.ts';
import { requirePolicy } from '../../../src/http/pipeline/require-policy.ts';
import { createRouteTable } from '../../../src/http/pipeline/route-table.ts';
import type { Route } from '../../../src/http/route.ts';
import { PolicyDeclarationError } from '../../../src/policy/declaration.ts';
import { alternativeScopes, authenticatedOrScope, readWrite } from '../../../src/policy/policies.ts';
import { policyFromOpenApi } from '../../../src/policy/policy-from-open-api.ts';
import { toSecurityRequirements } from '../../../src/policy/open-api-security.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import { routesOf } from '../../support/app-routes.ts';
import { runningService, type RunningOptions, type RunningService } from '../../support/running-service.ts';

/** Pages, and the requests that their scripts and forms send with the session cookie. */
const PAGE_PATHS =
  /^\/(?:$|docs$|language$|(?:accounts|audit|admin|o\/(?:app\w+|device|invitations|refusals|resources|\w+_tokens))(?:\/|$))/;
/**
 * POST requests of operations that are described as GET, and the django-oauth-toolkit path of an operation that is
 * described under a different path.
 */
const UNDESCRIBED_ROUTES = ['POST /o/authorize', 'POST /o/logout', 'POST /o/device-authorization'];

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

const SERVER_PROPERTIES = {
  issuer: 'https://id.example',
  grantTypes: ['client_credentials'],
  scopes: { read: 'Read' },
  sessionCookie: '__Host-grantlog',
};

const OPERATION: Operation = {
  method: 'GET',
  path: '/widgets/{id}',
  id: 'readWidget',
  tag: 'Sample API',
  effect: 'effect.see-users',
  summary: 'Read a widget',
  responses: {},
};

function createRoute(path: string, operation: Operation, ...policies: readonly Policy[]): Route {
  return {
    method: 'GET',
    path,
    kind: 'api',
    authentication: 'bearer',
    openApi: [operation],
    pipeline: [...policies.map((policy) => requirePolicy(policy)), () => {}],
  };
}

describe('The API description', () => {
  let running: RunningService;

  afterEach(() => running.close());

  async function fetchDescription(options: RunningOptions = {}): Promise<OpenApiDocument> {
    running = await runningService(options);
    const { status, json } = await running.get('/openapi.json');
    expect(status).to.equal(200);
    return json as unknown as OpenApiDocument;
  }

  function operationsIn({ paths }: OpenApiDocument) {
    return Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    );
  }

  it('has a curl example for each operation, with the method and the body type that it accepts', async () => {
    const document = await fetchDescription({ settings: { sampleApi: true } });
    const examples = apiPageLocals(document)
      .groups.flatMap(({ operations }) => operations)
      .filter(({ example }) => example !== null);
    expect(examples).to.have.length.above(80);
    for (const { id, method, path, example } of examples) {
      const body = document.paths[path]?.[method.toLowerCase()]?.requestBody?.content ?? {};
      const [mediaType] = Object.keys(body);
      const impliedMethod = / -d /.test(example ?? '') ? 'POST' : 'GET';
      expect(/ -X ([A-Z]+) /.exec(example ?? '')?.[1] ?? impliedMethod, id).to.equal(method);
      expect(/ -H 'Content-Type: ([^']+)'/.exec(example ?? '')?.[1], id).to.equal(
        mediaType === 'application/json' ? mediaType : undefined,
      );
    }
    const findExample = (operation: string): string | null | undefined =>
      examples.find(({ id }) => id === operation)?.example;
    expect(findExample('addUser')).to.match(
      /^curl -H 'Authorization: Bearer ACCESS_TOKEN' -H 'Content-Type: application\/json' -d '\{"username":"ada",.*\}' http/,
    );
    expect(findExample('removeGroup')).to.match(
      /^curl -X DELETE -H 'Authorization: Bearer ACCESS_TOKEN' http.*\/groups\/NAME\/$/,
    );
  });

  it('lists a scope that is added while the server runs, with a different ETag', async () => {
    await fetchDescription();
    const oldResponse = await running.get('/openapi.json');
    expect(oldResponse.text).not.to.include('Read the calendar');
    const change = await running
      .service()
      .settingChanges.change({ set: { scopes: { read: 'Read', calendar: 'Read the calendar' } }, reset: [] }, OPERATOR);
    expect(change).to.have.property('position');
    const newResponse = await running.get('/openapi.json');
    expect(newResponse.text).to.include('Read the calendar');
    expect(newResponse.headers.get('etag')).not.to.equal(oldResponse.headers.get('etag'));
  });

  it('is valid OpenAPI 3.1 with different settings', async () => {
    for (const settings of [{}, { sampleApi: false }, { jsonTokenRequests: true, issuer: 'https://id.example/base' }]) {
      const validator = new Validator();
      const { valid, errors } = await validator.validate(
        structuredClone(await fetchDescription({ settings })) as unknown as Record<string, unknown>,
      );
      expect(errors).to.equal(undefined);
      expect([valid, validator.version]).to.deep.equal([true, '3.1']);
      if (settings.sampleApi === false) expect((await running.get('/users/')).status).to.equal(404);
      if (settings.jsonTokenRequests !== true) await running.close();
    }
  });

  it('contains exactly the API routes, and no pages', async () => {
    for (const sampleApi of [true, false]) {
      const describedOperations = operationsIn(await fetchDescription({ settings: { sampleApi } }));
      const app = createApp(running.service(), { error: () => expect.fail('unexpected error') });
      const routes = routesOf(app);
      const isServedBy = (operation: (typeof describedOperations)[number], route: Route): boolean =>
        createRouteTable([route]).find(operation.method, operation.path.replaceAll(/\{\w+\}/g, '000')) !== undefined;
      for (const operation of describedOperations)
        expect(
          routes.some((route) => isServedBy(operation, route)),
          `${operation.method} ${operation.path}`,
        ).to.equal(true);
      const undescribedRoutes = routes
        .filter((route) => !describedOperations.some((operation) => isServedBy(operation, route)))
        .map(({ method, path }) => `${method} ${path}`);
      expect(
        undescribedRoutes.filter(
          (route) => !UNDESCRIBED_ROUTES.includes(route) && !PAGE_PATHS.test(route.replace(/^\w+ /, '')),
        ),
      ).to.deep.equal([]);
      expect(describedOperations.filter(({ path }) => PAGE_PATHS.test(path))).to.deep.equal([]);
      expect(describedOperations.some(({ path }) => path === '/users/')).to.equal(sampleApi);
      expect(new Set(describedOperations.map(({ operation }) => operation.operationId)).size).to.equal(
        describedOperations.length,
      );
      if (sampleApi) await running.close();
    }
  });

  it('has the security requirements of the policies, with the scope names of this server', async () => {
    const { paths } = await fetchDescription({
      settings: {
        scopes: { see: 'See', change: 'Change', groups: 'Groups' },
        readScope: 'see',
        writeScope: 'change',
        defaultScopes: {},
      },
    });
    const security = (path: string, method: string) => paths[path]?.[method]?.security;
    expect(security('/users/', 'get')).to.deep.equal([{ accessToken: ['see'] }]);
    expect(security('/users/', 'post')).to.deep.equal([{ accessToken: ['change'] }]);
    expect(security('/users/{pk}/', 'get')).to.deep.equal([{ accessToken: ['see'] }]);
    expect(security('/groups/', 'get')).to.deep.equal([{ accessToken: ['groups'] }]);
    expect(security('/o/events/', 'get')).to.deep.equal([{ accessToken: ['audit'] }]);
    expect(security('/o/log/tile/entries/{index}', 'get')).to.deep.equal([{ accessToken: ['audit'] }]);
    expect(security('/o/log/tile/{level}/{index}', 'get')).to.deep.equal([]);
    expect(security('/healthz', 'get')).to.deep.equal([]);
    expect(security('/o/token/', 'post')).to.deep.equal([{ clientBasic: [] }, { clientCertificate: [] }, {}]);
    expect(security('/o/introspect/', 'post')).to.deep.equal([
      { clientBasic: [] },
      { clientCertificate: [] },
      {},
      { accessToken: ['introspection'] },
    ]);
  });

  it('describes authentication with a TLS certificate at each endpoint that accepts one', async () => {
    const { paths, components } = await fetchDescription();
    expect(components.securitySchemes).to.containSubset({ clientCertificate: { type: 'mutualTLS' } });
    for (const path of ['/o/token/', '/o/par/', '/o/device_authorization/', '/o/revoke_token/', '/o/introspect/'])
      expect(paths[path]?.['post']?.security, path).to.deep.include({ clientCertificate: [] });
  });

  it('can be used by policyFromOpenApi to guard the same routes', async () => {
    const document = await fetchDescription();
    const policyFor = policyFromOpenApi(document);
    for (const path of ['/users/', '/users/{pk}/', '/groups/', '/o/events/', '/o/log/tile/entries/{index}']) {
      for (const [method, { security }] of Object.entries(document.paths[path] ?? {}))
        expect(toSecurityRequirements(policyFor(path), method.toUpperCase())?.flatMap(Object.values)).to.deep.equal(
          security.flatMap(Object.values),
        );
    }
    expect(() => policyFor('/o/token/')).to.throw(
      PolicyDeclarationError,
      'paths./o/token/.post.security[0].clientBasic is an unsupported scheme: http basic',
    );
  });

  it('says where to get tokens, and describes the scopes', async () => {
    const { servers, components } = await fetchDescription({
      settings: { issuer: 'https://id.example', scopes: { read: 'Read it' }, defaultScopes: {} },
    });
    expect(servers).to.deep.equal([{ url: 'https://id.example' }]);
    const { accessToken } = components.securitySchemes;
    if (accessToken?.type !== 'oauth2') return expect.fail('no OAuth');
    expect(Object.keys(accessToken.flows)).to.have.members(['authorizationCode', 'clientCredentials', 'password']);
    expect(accessToken.flows['authorizationCode']).to.deep.include({
      authorizationUrl: 'https://id.example/o/authorize/',
      tokenUrl: 'https://id.example/o/token/',
      refreshUrl: 'https://id.example/o/token/',
    });
    expect(accessToken.flows['clientCredentials'])
      .to.have.property('scopes')
      .that.includes({ read: 'Read it' })
      .and.has.property('audit');
  });

  it('is public and cacheable, and not sent again to clients that have it', async () => {
    await fetchDescription();
    const { headers } = await running.get('/openapi.json', { origin: 'https://anywhere.example' });
    expect(headers.get('content-type')).to.match(/^application\/json/);
    expect(headers.get('access-control-allow-origin')).to.equal('*');
    expect(headers.get('cache-control')).to.match(/^public, max-age=\d+$/);
    const requestWithEtag = (etag: string) =>
      // Without this header, fetch would send `no-cache`.
      running.get('/openapi.json', { 'if-none-match': etag, 'cache-control': 'max-age=0' });
    const secondResponse = await requestWithEtag(headers.get('etag') ?? '');
    expect([secondResponse.status, secondResponse.text, secondResponse.headers.get('etag')]).to.deep.equal([
      304,
      '',
      headers.get('etag'),
    ]);
    expect((await requestWithEtag('"another"')).status).to.equal(200);
  });
});

const operationsOf = (route: Route) => permittedOperations(createRouteTable([route]));

describe('A route declaration', () => {
  it('is refused at startup if it describes a different route, or lacks security requirements', () => {
    const guard = readWrite({ readScope: 'read', writeScope: 'write' });
    const invalidRoutes = [
      createRoute('/gadgets/:id', OPERATION, guard),
      createRoute('/widgets', OPERATION, guard),
      createRoute('/widgets/:id', { ...OPERATION, method: 'POST' }, guard),
      createRoute('/widgets/:id', OPERATION),
      createRoute('/widgets/:id', { ...OPERATION, publicSecurity: [] }, guard),
    ];
    for (const route of invalidRoutes) expect(() => operationsOf(route)).to.throw(PolicyDeclarationError, /readWidget/);
  });

  it('combines all policies that guard the route, and accepts a session only if all of them do', () => {
    const route = createRoute('/widgets/:id', OPERATION, authenticatedOrScope(['a']), authenticatedOrScope(['b']));
    const { paths, components } = describeApi(operationsOf(route), SERVER_PROPERTIES);
    expect(paths['/widgets/{id}']?.['get']?.security).to.deep.equal([{ accessToken: ['a', 'b'] }, { webSession: [] }]);
    expect(components.securitySchemes['webSession']).to.deep.include({
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-grantlog',
    });
  });

  it('is omitted if no caller is permitted, because an empty list would permit all callers', () => {
    expect(operationsOf(createRoute('/widgets/:id', OPERATION, alternativeScopes({ POST: [['a']] })))).to.deep.equal(
      [],
    );
  });
});
