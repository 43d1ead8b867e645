import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Router } from '@koa/router';
import { expect } from 'chai';
import fc from 'fast-check';
import Koa from 'koa';
import { compose } from '../../../src/http/pipeline/compose.ts';
import { dispatch } from '../../../src/http/pipeline/dispatch.ts';
import type { Handler, RequestContext, RequestState } from '../../../src/http/pipeline/state.ts';

function said(what: string): Handler {
  return (ctx) => {
    ctx.body = { what, route: String(ctx['_matchedRoute']), params: ctx['params'] ?? {} };
  };
}

const passOn: Handler = (_ctx, next) => next();

/** One with a route that leaves its requests to others, one with a guard, and one below several segments. */
function routers(): readonly Router<RequestState>[] {
  const things = new Router<RequestState>({ sensitive: true });
  things
    .post('/o/things', said('made'))
    .get('/o/things/new', said('form'))
    .all('/o/things/:id', said('thing'))
    .get('/o/passed/:id', passOn)
    .get('/o/passed/:name{/*rest}', said('the next'))
    .get('/o/passed/:id/a', passOn);
  const guarded = new Router<RequestState>({ sensitive: true, prefix: '/guarded' });
  guarded.use((ctx: RequestContext, next: () => Promise<unknown>) =>
    ctx.get('x-key') === '' ? void (ctx.status = 401) : next(),
  );
  guarded.get('/', said('inside')).get('/:one/:other', said('two')).post('/:one', said('one'));
  const top = new Router<RequestState>({ sensitive: true });
  return [things, guarded, top.get('/', said('home')).get('/Docs/a{/*rest}', said('docs'))];
}

/** As the routers' own documentation has them mounted. */
function oneByOne(): readonly Handler[] {
  return routers().flatMap((router) => [
    router.routes() as unknown as Handler,
    router.allowedMethods() as unknown as Handler,
  ]);
}

async function listening(handlers: readonly Handler[]): Promise<Server> {
  const app = new Koa<RequestState>();
  for (const handler of handlers) app.use(handler);
  app.use((ctx) => void (ctx.path.startsWith('/o/passed') ? (ctx.body = { what: 'behind' }) : undefined));
  const server = createServer((request, response) => void app.callback()(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly key: boolean;
}

async function answerOf(server: Server, { method, path, key }: Asked): Promise<unknown> {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers: key ? { 'x-key': 'yes' } : {} });
  return { status: response.status, allow: response.headers.get('allow'), text: await response.text() };
}

const segment = fc.constantFrom(
  'o',
  'things',
  'new',
  'guarded',
  'passed',
  'Docs',
  'docs',
  'a',
  '%2F',
  '%E4%F6',
  'ü',
  '',
);
const asked: fc.Arbitrary<Asked> = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'OPTIONS', 'DELETE'),
  path: fc
    .array(segment, { maxLength: 5 })
    .map((segments) => `/${segments.join('/')}`)
    .filter((path) => !path.startsWith('//')),
  key: fc.boolean(),
});

describe('Routers that are dispatched to', () => {
  const servers: Server[] = [];

  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });

  it('answer every request as they do when it is put to one after the other', async () => {
    const [first, ...others] = routers();
    const dispatched = compose([dispatch(first === undefined ? [] : [first]), passOn, dispatch(others)]);
    const [ours, theirs] = await Promise.all([listening([dispatched]), listening(oneByOne())]);
    servers.push(ours, theirs);
    await fc.assert(
      fc.asyncProperty(asked, async (request) => {
        expect(await answerOf(ours, request)).to.deep.equal(await answerOf(theirs, request));
      }),
      {
        numRuns: 400,
        examples: [
          [{ method: 'GET', path: '/guarded/', key: true }],
          [{ method: 'GET', path: '/guarded/', key: false }],
          [{ method: 'GET', path: '/o/things/new', key: false }],
          [{ method: 'PUT', path: '/o/things', key: false }],
          [{ method: 'OPTIONS', path: '/guarded/a', key: true }],
          [{ method: 'GET', path: '/o/passed/a', key: false }],
          [{ method: 'HEAD', path: '/', key: false }],
        ],
      },
    );
  });

  it('have first segments that are the same for all of their requests', () => {
    for (const pattern of ['/:id/edit', '/Docs{/*rest}', '/*rest'])
      expect(() => dispatch([new Router<RequestState>().get(pattern, passOn)]), pattern).to.throw(pattern);
  });

  it('are guarded as a whole: whether a guard for some of the addresses is passed, no pattern says', () => {
    const partly = new Router<RequestState>().use('/users/add', passOn).get('/users/:pk', passOn);
    expect(() => dispatch([partly])).to.throw('/users/add');
    const inner = new Router<RequestState>().use(passOn).get('/inside', passOn);
    const outer = new Router<RequestState>().use('/a', inner.routes()).get('/b', passOn);
    expect(() => dispatch([outer])).to.throw('/a');
  });
});
