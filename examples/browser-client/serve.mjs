// Serves the page, its script and its configuration. The client is public, so none of them is secret.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { ISSUER: issuer = 'http://localhost:8000', PORT = '8002' } = process.env;
const [registration] = process.argv.slice(2);
if (registration === undefined) {
  console.error('Usage: node serve.mjs FILE, where FILE is the output of "grantlog client add … --json"');
  process.exit(2);
}
const { client_id: clientId } = JSON.parse(readFileSync(registration, 'utf8'));

/** @param {string} name */
const read = (name) => readFileSync(new URL(name, import.meta.url));
/** @type {ReadonlyMap<string, readonly [type: string, content: Buffer | string]>} */
const files = new Map([
  ['/', ['text/html; charset=utf-8', read('index.html')]],
  ['/client.js', ['text/javascript; charset=utf-8', read('client.js')]],
  ['/config.json', ['application/json', JSON.stringify({ issuer, clientId, scope: 'read' })]],
]);

const headers = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    'img-src data:',
    `connect-src 'self' ${new URL(issuer).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const [type, content] = files.get(pathname) ?? [];
  if (type === undefined) response.writeHead(404, headers).end('Not found');
  else response.writeHead(200, { ...headers, 'Content-Type': type }).end(content);
});
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  console.log(`serving pages on http://127.0.0.1:${port}`);
});
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
  });
}
