import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Router } from '@koa/router';
import { expect } from 'chai';
import fc from 'fast-check';
import Koa from 'koa';
import type { Endpoint } from '../../../src/http/endpoint.ts';
import { compose } from '../../../src/http/pipeline/compose.ts';
import { dispatch } from '../../../src/http/pipeline/dispatch.ts';
import { createRouteTable, type PathParameters } from '../../../src/http/pipeline/route-table.ts';
import type { Handler, RequestState } from '../../../src/http/pipeline/state.ts';
import type { Route } from '../../../src/http/route.ts';

type RouteDeclaration = readonly [method: 'GET' | 'POST' | 'ANY', path: string, name: string];

/** Routes that overlap or have parameters or wildcards. Two of them only call the next handler. */
const ROUTES: readonly RouteDeclaration[] = [
  ['POST', '/o/things', 'create'],
  ['GET', '/o/things/new', 'form'],
  ['ANY', '/o/things/:id', 'thing'],
  ['GET', '/o/passed/a{/*rest}', 'pass'],
  ['GET', '/o/passed/b', 'pass'],
  ['GET', '/guarded', 'inside'],
  ['GET', '/guarded/:one/:other', 'two'],
  ['POST', '/guarded/:one', 'one'],
  ['GET', '/', 'home'],
  ['GET', '/Docs/a{/*rest}', 'docs'],
];

function routeOf([method, path, name]: RouteDeclaration): Route {
  const handler: Handler = (ctx, next) => {
    const { endpoint, pathParameters } = ctx.state;
    if (name === 'pass') return next();
    ctx.body = { name, route: endpoint?.path, parameters: joinWildcards(pathParameters ?? {}) };
    return undefined;
  };
  return { method, path, kind: 'api', authentication: 'none', pipeline: [handler] };
}

/** Returns the handlers of a @koa/router with the same routes. */
function koaRouter(): readonly Handler[] {
  const router = new Router<RequestState>({ sensitive: true });
  for (const [method, path, name] of ROUTES) {
    router[method === 'ANY' ? 'all' : method === 'GET' ? 'get' : 'post'](path, (ctx, next) => {
      if (name === 'pass') return next();
      ctx.body = { name, route: ctx.routerPath, parameters: ctx.params };
      return undefined;
    });
  }
  return [router.routes() as unknown as Handler, router.allowedMethods() as unknown as Handler];
}

/** Joins the segments of a wildcard, as @koa/router does. */
function joinWildcards(parameters: PathParameters): object {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, typeof value === 'string' ? value : value?.join('/')]),
  );
}

function dispatcherFor(routes: readonly Route[]): Handler {
  return dispatch(createRouteTable(routes), ({ pipeline }) => ({ cors: undefined, run: compose(pipeline) }));
}

async function listen(handlers: readonly Handler[]): Promise<Server> {
  const app = new Koa<RequestState>();
  for (const handler of handlers) app.use(handler);
  app.use((ctx) => void (ctx.path.startsWith('/o/passed') ? (ctx.body = { name: 'behind' }) : undefined));
  const server = createServer((request, response) => void app.callback()(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

interface TestRequest {
  readonly method: string;
  readonly path: string;
}

async function fetchFrom(server: Server, { method, path }: TestRequest): Promise<unknown> {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method });
  return { status: response.status, allow: response.headers.get('allow'), text: await response.text() };
}

const SEGMENTS = ['o', 'things', 'new', 'guarded', 'passed', 'Docs', 'docs', 'a', 'b', '%2F', '%6F', '%E4%F6', 'ü', ''];
const arbitraryRequest: fc.Arbitrary<TestRequest> = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'OPTIONS', 'DELETE'),
  path: fc
    .array(fc.constantFrom(...SEGMENTS), { maxLength: 5 })
    .map((segments) => `/${segments.join('/')}`)
    .filter((path) => !path.startsWith('//') && !isDecodedDifferently(path)),
});

/**
 * Reports whether a wildcard matches some segments that can be decoded and some that cannot. This server decodes the
 * former; @koa/router decodes none.
 */
function isDecodedDifferently(path: string): boolean {
  return path.startsWith('/Docs/a/') && path.includes('%E4%F6') && /%2F|%6F|ü/.test(path);
}

describe('dispatch', () => {
  const servers: Server[] = [];

  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });

  it('serves every request as @koa/router does with the same routes', async () => {
    const [server, koaServer] = await Promise.all([listen([dispatcherFor(ROUTES.map(routeOf))]), listen(koaRouter())]);
    servers.push(server, koaServer);
    await fc.assert(
      fc.asyncProperty(arbitraryRequest, async (request) => {
        expect(await fetchFrom(server, request)).to.deep.equal(await fetchFrom(koaServer, request));
      }),
      {
        numRuns: 400,
        examples: [
          [{ method: 'GET', path: '/guarded/' }],
          [{ method: 'GET', path: '/o/things/new/' }],
          [{ method: 'GET', path: '/o/%74hings/new' }],
          [{ method: 'PUT', path: '/o/things' }],
          [{ method: 'OPTIONS', path: '/guarded/a' }],
          [{ method: 'GET', path: '/o/passed/a/b' }],
          [{ method: 'PUT', path: '/o/passed/a' }],
          [{ method: 'HEAD', path: '/' }],
          [{ method: 'GET', path: '/Docs/a/%2F' }],
          [{ method: 'GET', path: '/o/things/%E4%F6' }],
          [{ method: 'GET', path: `/o/things/${'x'.repeat(300)}` }],
        ],
      },
    );
  });

  it('sets the CORS headers of a route even if the method is wrong', async () => {
    const cors = { origins: 'any', methods: 'GET, HEAD' } as const;
    const handler = dispatch(createRouteTable([{ ...routeOf(['GET', '/o/things', 'list']), cors }]), () => ({
      cors: (ctx, next) => {
        ctx.set('access-control-allow-origin', '*');
        return next();
      },
      run: () => {},
    }));
    const server = await listen([handler]);
    servers.push(server);
    const { port } = server.address() as AddressInfo;
    const { status, headers } = await fetch(`http://127.0.0.1:${port}/o/things`, { method: 'POST' });
    expect([status, headers.get('allow'), headers.get('access-control-allow-origin')]).to.deep.equal([
      405,
      'HEAD, GET',
      '*',
    ]);
  });
});

describe('A route table', () => {
  const endpoint = (path: string, kind: Endpoint['kind'] = 'api'): Endpoint => ({
    method: 'GET',
    path,
    kind,
    authentication: 'none',
  });

  it('refuses a route with a parameter in its first segment', () => {
    for (const path of ['/:id/edit', '/Docs{/*rest}', '/*rest'])
      expect(() => createRouteTable([endpoint(path)]), path).to.throw(path);
  });

  it('decodes each segment of a wildcard, and leaves a segment that cannot be decoded unchanged', () => {
    const table = createRouteTable([endpoint('/Docs/a{/*rest}')]);
    expect(table.find('GET', '/Docs/a/%E4%F6/%6F/x%2Fy')?.parameters).to.deep.equal({ rest: ['%E4%F6', 'o', 'x/y'] });
  });

  it('finds the nearest route with the same first segment for an unknown path, and prefers pages', () => {
    const table = createRouteTable([
      endpoint('/o/token', 'protocol'),
      endpoint('/o/things/:id', 'page'),
      endpoint('/openapi.json', 'document'),
      endpoint('/', 'page'),
    ]);
    for (const [path, nearestPath] of [
      ['/o/token/', '/o/token'],
      ['/o/token/x/y', '/o/token'],
      ['/o/tokens', '/o/things/:id'],
      ['/o', '/o/things/:id'],
      ['/o/things/1/x', '/o/things/:id'],
      ['/openapi.json/x', '/openapi.json'],
      ['/', '/'],
      ['/nowhere', undefined],
      ['/o/things/%E4', '/o/things/:id'],
      ['/O/token', undefined],
    ] as const)
      expect(table.nearest(path)?.path, path).to.equal(nearestPath);
  });
});
