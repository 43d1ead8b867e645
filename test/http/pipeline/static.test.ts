import { once } from 'node:events';
import { get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import Koa from 'koa';
import { readAssets } from '../../../src/http/pages/assets.ts';
import { serveStatic } from '../../../src/http/pipeline/static.ts';

describe('Static files', () => {
  let server: Server;
  let base: string;

  before(async () => {
    server = new Koa().use(serveStatic()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  after(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });

  for (const [name, type] of [
    ['grantlog.css', 'text/css; charset=utf-8'],
    ['copy.js', 'text/javascript; charset=utf-8'],
    ['favicon.svg', 'image/svg+xml'],
  ]) {
    it(`include ${name}, which is served as ${type}, with nosniff`, async () => {
      const response = await fetch(`${base}/static/${name}`);
      expect(response.status).to.equal(200);
      expect(response.headers.get('content-type')).to.equal(type);
      expect(response.headers.get('x-content-type-options')).to.equal('nosniff');
      expect(await response.text()).not.to.equal('');
    });
  }

  it('are not sent again to clients that have them', async () => {
    const etag = (await fetch(`${base}/static/grantlog.css`, { method: 'HEAD' })).headers.get('etag') ?? '';
    const conditionalResponse = await fetch(`${base}/static/grantlog.css`, {
      headers: { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' },
    });
    expect([conditionalResponse.status, await conditionalResponse.text()]).to.deep.equal([304, '']);
  });

  it('may be cached forever under the URL that pages use, and not under any other', async () => {
    const fetchCacheControl = async (path: string) => (await fetch(base + path)).headers.get('cache-control');
    expect(await fetchCacheControl(readAssets().url('grantlog.css'))).to.equal('public, max-age=31536000, immutable');
    for (const path of ['/static/grantlog.css', '/static/grantlog.css?v=of-yesterday'])
      expect(await fetchCacheControl(path), path).to.equal('no-cache');
  });

  it('are compressed for clients that accept compression, each encoding with its own ETag', async () => {
    const responses = await Promise.all(
      ['identity', 'gzip', 'gzip, br'].map(async (acceptedEncodings) =>
        receive(`${base}/static/grantlog.css`, acceptedEncodings),
      ),
    );
    const [plainBytes, gzipBytes, brotliBytes] = responses.map(({ bytes }) => bytes);
    expect(responses.map(({ headers }) => headers['content-encoding'])).to.deep.equal([undefined, 'gzip', 'br']);
    expect(gunzipSync(gzipBytes ?? '').equals(plainBytes ?? Buffer.of())).to.equal(true);
    expect(brotliDecompressSync(brotliBytes ?? '').equals(plainBytes ?? Buffer.of())).to.equal(true);
    expect(new Set(responses.map(({ headers }) => headers.etag)).size).to.equal(3);
    for (const { headers } of responses) expect(headers.vary).to.equal('Accept-Encoding');
  });

  it('include only the files in the directory, and only for GET and HEAD', async () => {
    for (const path of [
      '/static/',
      '/static/..%2fpackage.json',
      '/static/%2e%2e/package.json',
      '/static/absent.css',
      '/static/constructor',
      '/grantlog.css',
    ]) {
      expect((await fetch(base + path)).status, path).to.equal(404);
    }
    expect((await fetch(`${base}/static/grantlog.css`, { method: 'POST' })).status).to.equal(404);
  });

  it('load nothing from other hosts', async () => {
    for (const name of ['grantlog.css', 'copy.js']) {
      expect(await (await fetch(`${base}/static/${name}`)).text()).not.to.match(/https?:\/\/|@import|url\(/);
    }
  });
});

/** Returns the headers and the bytes on the wire, which `fetch` would decompress. */
async function receive(url: string, acceptedEncodings: string) {
  const request = get(url, { headers: { 'Accept-Encoding': acceptedEncodings } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { headers: response.headers, bytes: Buffer.concat(chunks) };
}
