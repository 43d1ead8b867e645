import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Router } from '@koa/router';
import { expect } from 'chai';
import { createApp } from '../../src/http/app.ts';
import { methodsOf, routesOf } from '../support/app-routes.ts';
import { hiddenFields } from '../support/browser-session.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

interface Route {
  readonly method: string;
  readonly path: string;
}

/** Returns every route, so that the tests also cover new ones. Only paths that no route serves are listed by hand. */
function listRequests(running: RunningService): readonly Route[] {
  const app = createApp(running.service(), { error: () => expect.fail('unexpected error') });
  const routeRequests = routesOf(app).flatMap((route) =>
    methodsOf(route).map((method) => ({ method, path: route.path })),
  );
  const requests = [
    ...routeRequests,
    { method: 'GET', path: '/static/grantlog.css' },
    { method: 'GET', path: '/nowhere/' },
    { method: 'POST', path: '/nowhere/' },
  ];
  return requests.filter(({ method }) => ['GET', 'POST', 'DELETE'].includes(method));
}

/** The only responses that a cache may store, because they are the same for all callers. */
const CACHE_CONTROL_BY_PREFIX: Readonly<Record<string, RegExp>> = {
  '/.well-known/': /^public, max-age=\d+$/,
  '/openapi.json': /^public, max-age=\d+$/,
  '/o/log/checkpoint': /^no-cache$/,
  '/o/log/key': /^no-cache$/,
  '/o/log/tile/': /^(?:no-cache|public, max-age=31536000, immutable)$/,
  '/static/': /^no-cache$/,
};

/** Endpoints that accept credentials with each request, and no session. */
const SESSIONLESS_PATHS =
  /^\/(?:o\/(?:token|par|device[_-]authorization|revoke_token|introspect|log|events)|\.well-known|healthz|readyz|metrics|openapi\.json|static)(?:\/|$)/;

describe('Every route', () => {
  const servers: RunningService[] = [];

  afterEach(() => Promise.all(servers.splice(0).map((running) => running.close())));

  async function start(settings: object): Promise<RunningService> {
    const running = await runningService({ settings: { signup: 'open', ...settings } });
    servers.push(running);
    return running;
  }

  /** Returns every route, with the id of an existing application in place of parameters. */
  async function routesToRequest(running: RunningService): Promise<readonly Route[]> {
    await running.addUser('ada');
    const client = await running.addClient({ owner: 'ada', allowedOrigins: ['https://spa.example'] });
    const routes = listRequests(running);
    expect(routes).to.have.length.above(30);
    return routes.map(({ method, path }) => ({
      method,
      path: path
        .replace(/\{.*\}/, '')
        .replace('*path', '0/000')
        .replace(':pk', '1')
        .replace(/:\w+/, client.id)
        .replaceAll('\\', ''),
    }));
  }

  type Responses = Awaited<ReturnType<typeof requestAll>>;
  const responsesByIssuer = new Map<string, Responses>();

  /** Requests all routes of a server with this issuer once, because the tests only read the responses. */
  async function requestAllOnce(issuer = 'http://id.example'): Promise<Responses> {
    const responses = responsesByIssuer.get(issuer) ?? (await requestAll({ issuer }));
    responsesByIssuer.set(issuer, responses);
    return responses;
  }

  /** Requests each route as a visitor and as a logged-in user. */
  async function requestAll(settings: object) {
    const running = await start(settings);
    const routes = await routesToRequest(running);
    const browser = running.browser();
    await browser.logIn('ada', "ada's password");
    const cookie = [...browser.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
    // Unsupported methods also get a response.
    const unsupportedMethods = [...new Set(routes.map(({ path }) => path))].map((path) => ({ method: 'DELETE', path }));
    const requests = [...routes, ...unsupportedMethods].flatMap((route) =>
      [
        { ...route, cookie: '' },
        { ...route, cookie },
      ].flatMap((request) => [
        { ...request, accept: 'text/html' },
        { ...request, accept: '*/*' },
      ]),
    );
    return Promise.all(
      requests.map(async ({ method, path, ...headers }) => ({
        name: `${method} ${path}`,
        path,
        ...(await running.send(path, { method, headers })),
      })),
    );
  }

  it('sends strict headers with every response', async () => {
    for (const { name, path, status, headers } of await requestAllOnce()) {
      expect(status, name).to.be.within(200, 499);
      expect(headers.get('x-content-type-options'), name).to.equal('nosniff');
      expect(headers.get('referrer-policy'), name).to.be.oneOf(['same-origin', 'no-referrer']);
      expect(headers.get('cross-origin-resource-policy'), name).to.equal('same-origin');
      expect(headers.get('x-request-id'), name).to.match(/^[\w-]{22}$/);
      expect(headers.get('server') ?? headers.get('x-powered-by'), name).to.equal(null);
      const [, cacheControl] =
        Object.entries(CACHE_CONTROL_BY_PREFIX).find(([prefix]) => path.startsWith(prefix)) ?? [];
      if (headers.get('cache-control') !== 'no-store')
        expect(headers.get('cache-control'), name).to.match(cacheControl ?? /never/);
      expect(headers.get('access-control-allow-credentials'), name).to.equal(null);
    }
  });

  it('has a content security policy, which allows nothing except on HTML pages', async () => {
    let pageCount = 0;
    for (const { name, headers, text } of await requestAllOnce()) {
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy, name)
        .to.include("default-src 'none'")
        .and.include("frame-ancestors 'none'")
        .and.not.match(/unsafe|\*|https?:|data:/);
      if (!text.startsWith('<!doctype html>')) {
        expect(policy, name).to.equal("default-src 'none'; frame-ancestors 'none'");
        continue;
      }
      pageCount += 1;
      expect(policy, name).to.include("base-uri 'none'");
      expect(headers.get('cache-control'), name).to.equal('no-store');
      expect(headers.get('x-frame-options'), name).to.equal('DENY');
      const mayRedirectToClient = !policy.includes('form-action');
      expect(headers.get('cross-origin-opener-policy'), name).to.equal(mayRedirectToClient ? null : 'same-origin');
      expect(text, name).not.to.match(/<[^>]+ (?:style|on\w+)=|<style|<script>|javascript:/i);
    }
    expect(pageCount).to.be.above(20);
  });

  it('sends HSTS if and only if the issuer uses https', async () => {
    for (const issuer of ['http://id.example', 'https://id.example']) {
      for (const { name, headers } of await requestAllOnce(issuer)) {
        expect(headers.get('strict-transport-security'), name).to.equal(
          issuer.startsWith('https:') ? 'max-age=63072000' : null,
        );
      }
    }
  });

  it('sets only strict session cookies, with the __Host- prefix over https', async () => {
    for (const [issuer, cookiePattern] of [
      ['http://id.example', /^grantlog(?:\.sig)?=/],
      ['https://id.example', /^__Host-grantlog(?:\.sig)?=/],
    ] as const) {
      for (const { name, path, headers } of await requestAllOnce(issuer)) {
        for (const cookie of headers.getSetCookie()) {
          expect(SESSIONLESS_PATHS.test(path), name).to.equal(false);
          expect(cookie, name)
            .to.match(cookiePattern)
            .and.match(/; path=\/(?:;|$)/i)
            .and.match(/; httponly/i)
            .and.match(/; samesite=lax/i)
            .and.not.match(/; domain/i);
          expect(/; secure/i.test(cookie), name).to.equal(issuer.startsWith('https:'));
          expect(headers.get('cache-control'), name).to.equal('no-store');
        }
      }
    }
  });

  it('requires the CSRF token of the current session if it accepts a form', async () => {
    const running = await start({});
    const forms = (await routesToRequest(running)).filter(
      ({ method, path }) => method === 'POST' && !SESSIONLESS_PATHS.test(path) && path !== '/nowhere/',
    );
    expect(forms).to.have.length.above(8);
    const browser = running.browser();
    const tokenIn = async (userBrowser = browser): Promise<string> =>
      hiddenFields((await userBrowser.get('/accounts/login/')).html)['csrf_token'] ?? '';
    const tokenBeforeLogin = await tokenIn();
    await browser.logIn('ada', "ada's password");
    const visitor = running.browser();
    const otherBrowser = running.browser();
    await otherBrowser.logIn('ada', "ada's password");
    const tokens = {
      none: '',
      'from before the login': tokenBeforeLogin,
      'for a visitor': await tokenIn(visitor),
      'for another session of the user': await tokenIn(otherBrowser),
    };
    const head = running.log.head();
    // The sample API treats a session without the token as anonymous. Userinfo and the other APIs accept no sessions.
    const refusalStatus = (path: string): number =>
      /^\/(?:users|groups|o\/userinfo|o\/grants|o\/admin)/.test(path) ? 401 : 403;
    for (const { path } of forms) {
      for (const [tokenName, csrf_token] of Object.entries(tokens)) {
        expect(
          (await browser.post(path, { csrf_token, username: 'x', password: 'long enough', name: 'x' })).status,
          `${path} ${tokenName}`,
        ).to.equal(refusalStatus(path));
      }
    }
    const ownToken = await tokenIn();
    const crossSiteRequest = {
      method: 'POST',
      body: `csrf_token=${ownToken}`,
      headers: {
        ...FORM,
        cookie: [...browser.cookies()].map((cookie) => cookie.join('=')).join('; '),
        'sec-fetch-site': 'cross-site',
      },
    };
    for (const { path } of forms)
      expect((await running.send(path, crossSiteRequest)).status, path).to.equal(refusalStatus(path));
    expect(running.log.head(), 'nothing was changed').to.equal(head);
  });
});

describe('A router mounted behind the server', () => {
  it('gets no headers for caching, embedding or scripts, so it can set its own', async () => {
    const running = await runningService();
    const app = createApp(running.service(), { error: () => expect.fail('unexpected error') });
    const router = new Router();
    router.get('/widgets', (ctx) => void (ctx.body = 'widgets'));
    app.use(router.routes());
    const server = createServer((request, response) => void app.callback()(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/widgets`);
    for (const name of ['cache-control', 'content-security-policy', 'cross-origin-resource-policy'])
      expect(headers.get(name), name).to.equal(null);
    for (const name of ['x-content-type-options', 'referrer-policy', 'x-request-id'])
      expect(headers.get(name), name).not.to.equal(null);
    server.closeAllConnections();
    server.close();
    await running.close();
  });
});
