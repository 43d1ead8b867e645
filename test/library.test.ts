import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Router } from '@koa/router';
import { expect } from 'chai';
import bodyParser from 'koa-bodyparser';
import { createGrantlog } from '../src/index.ts';
import { browserSession } from './support/browser-session.ts';

describe('Grantlog in a program of one\'s own', () => {
  it('leaves /users/ and /groups/ to the routers behind it, unless it is told to serve the sample API', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    try {
      for (const [name, settings, expected] of [['own', {}, 200], ['sample', { sampleApi: true }, 401]] as const) {
        const app = await createGrantlog({ dataDir: join(directory, name), ...settings });
        const router = new Router();
        router.get(['/users/', '/groups/'], (ctx) => void (ctx.body = ['mine']));
        app.use(router.routes());
        const server = app.listen(0, '127.0.0.1');
        await once(server, 'listening');
        const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        for (const path of ['/users/', '/groups/']) {
          expect((await fetch(origin + path)).status, `${name} ${path}`).to.equal(expected);
        }
        server.closeAllConnections();
        server.close();
        await app.close();
      }
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('makes the first administrator of its settings, and leaves bodies that it does not read to the routers behind it', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    const app = await createGrantlog({ dataDir: join(directory, 'data'), adminUsername: 'root', adminPassword: 'root password' });
    const router = new Router();
    router.post('/echo', bodyParser(), (ctx) => {
      ctx.body = ctx.request.body;
    });
    app.use(router.routes());
    const server = app.listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      expect((await browserSession(() => origin).logIn('root', 'root password')).status).to.equal(302);
      const answer = await fetch(`${origin}/echo`, { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } });
      expect(await answer.json()).to.deep.equal({ a: 1 });
    } finally {
      server.closeAllConnections();
      server.close();
      await app.close();
      rmSync(directory, { recursive: true });
    }
  });
});
