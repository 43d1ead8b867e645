// The API at the end of the chain: a calendar. It sees the user for whom the tool acts.
import { readFileSync } from 'node:fs';
import { createHttpServer } from 'grantlog';
import Koa from 'koa';

const { ISSUER: issuer = '', API: api = '' } = process.env;
const { client_id: id, client_secret: secret } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const basic = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

const app = new Koa();
app.use(async (ctx) => {
  const [, token = ''] = /^Bearer (\S+)$/.exec(ctx.get('authorization')) ?? [];
  // Introspects the token for each request, so that a revocation takes effect immediately. By default,
  // `remoteIntrospection` caches responses for a few seconds.
  const body = new URLSearchParams({ token });
  const response = await fetch(`${issuer}/o/introspect/`, { method: 'POST', headers: { authorization: basic }, body });
  const { active, scope, aud, username, act } = /** @type {Introspection} */ (await response.json());
  if (!active || ![aud].flat().includes(api) || scope?.split(' ').includes('calendar') !== true)
    ctx.throw(401, 'The token is not valid here.');
  ctx.body = `Monday: dentist. (The calendar of ${username}, read by ${act?.sub ?? 'the user'}.)`;
});

/**
 * @typedef {object} Introspection
 * @property {boolean} active
 * @property {string} [scope]
 * @property {string | string[]} [aud]
 * @property {string} [username]
 * @property {{ sub: string }} [act]
 */

createHttpServer(app.callback()).listen(Number(new URL(api).port), '127.0.0.1', () =>
  console.log(`serving calendar on ${api}`),
);
