// The API at the end of the chain: calendars. It sees for whom the tool acts.
import { readFileSync } from 'node:fs';
import { createHttpServer } from 'grantlog';
import Koa from 'koa';

const { ISSUER: issuer = '', API: api = '' } = process.env;
const { client_id: id, client_secret: secret } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const basic = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

const app = new Koa();
app.use(async (ctx) => {
  const [, token = ''] = /^Bearer (\S+)$/.exec(ctx.get('authorization')) ?? [];
  // Asks each time, so that the end of the chain counts at once. `remoteIntrospection` would keep answers for seconds.
  const body = new URLSearchParams({ token });
  const answer = await fetch(`${issuer}/o/introspect/`, { method: 'POST', headers: { authorization: basic }, body });
  const { active, scope, aud, username, act } = /** @type {Facts} */ (await answer.json());
  if (!active || ![aud].flat().includes(api) || scope?.split(' ').includes('calendar') !== true)
    ctx.throw(401, 'The token is not valid here.');
  ctx.body = `Monday: dentist. (The calendar of ${username}, read by ${act?.sub ?? 'nobody else'}.)`;
});

/**
 * @typedef {object} Facts
 * @property {boolean} active
 * @property {string} [scope]
 * @property {string | string[]} [aud]
 * @property {string} [username]
 * @property {{ sub: string }} [act]
 */

createHttpServer(app.callback()).listen(Number(new URL(api).port), '127.0.0.1', () =>
  console.log(`serving calendar on ${api}`),
);
