import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Router } from '@koa/router';
import { expect } from 'chai';
import bodyParser from 'koa-bodyparser';
import { createGrantlog, type Grantlog } from '../src/index.ts';
import { browserSession } from './support/browser-session.ts';

const FORM = 'application/x-www-form-urlencoded';

describe('Grantlog in another program', () => {
  let directory: string;
  let app: Grantlog;
  let server: Server;
  let origin: string;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    app = await createGrantlog({
      dataDir: join(directory, 'data'),
      adminUsername: 'root',
      adminPassword: 'root password',
    });
    const router = new Router();
    router.all('/echo', bodyParser(), (ctx) => {
      const { body, rawBody } = ctx.request;
      ctx.body = { body, rawBody };
    });
    app.use(router.routes());
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  after(async () => {
    server.closeAllConnections();
    server.close();
    await app.close();
    rmSync(directory, { recursive: true });
  });

  const echo = async (method: string, body: string, type: string): Promise<unknown> =>
    (await fetch(`${origin}/echo`, { method, body, headers: { 'content-type': type } })).json();

  it('leaves /users/ and /groups/ to later routers, unless the sample API is enabled', async () => {
    for (const [name, settings, expected] of [
      ['own', {}, 200],
      ['sample', { sampleApi: true }, 401],
    ] as const) {
      const otherApp = await createGrantlog({ dataDir: join(directory, name), ...settings });
      const router = new Router();
      router.get(['/users/', '/groups/'], (ctx) => void (ctx.body = ['mine']));
      otherApp.use(router.routes());
      const otherServer = otherApp.listen(0, '127.0.0.1');
      await once(otherServer, 'listening');
      const otherOrigin = `http://127.0.0.1:${(otherServer.address() as AddressInfo).port}`;
      for (const path of ['/users/', '/groups/']) {
        expect((await fetch(otherOrigin + path)).status, `${name} ${path}`).to.equal(expected);
      }
      otherServer.closeAllConnections();
      otherServer.close();
      await otherApp.close();
    }
  });

  it('creates the administrator from its settings', async () => {
    expect((await browserSession(() => origin).logIn('root', 'root password')).status).to.equal(302);
  });

  it('leaves request bodies that it does not read to later routers', async () => {
    expect(await echo('POST', '{"a":1}', 'application/json')).to.deep.equal({ body: { a: 1 }, rawBody: '{"a":1}' });
  });

  it('passes the forms that it reads to later routers, for every method', async () => {
    for (const method of ['POST', 'PUT', 'PATCH']) {
      const form = 'a=1&b=two+words&b=%C3%A9&c%5Bd%5D=3';
      expect(await echo(method, form, FORM), method).to.deep.equal({
        body: { a: '1', b: ['two words', 'é'], 'c[d]': '3' },
        rawBody: form,
      });
    }
  });

  it('refuses a form larger than bodyLimitBytes before any later router runs', async () => {
    const { status, headers } = await fetch(`${origin}/echo`, {
      method: 'POST',
      body: `a=${'x'.repeat(70_000)}`,
      headers: { 'content-type': FORM },
    });
    expect([status, headers.get('connection')]).to.deep.equal([413, 'close']);
  });
});
