// The tool: an API of its own, which needs the calendar of the user. It exchanges the token that it received.
import { readFileSync } from 'node:fs';
import { bearerToken, createHttpServer, policies, remoteIntrospection, requirePolicy } from 'grantlog';
import Koa from 'koa';

const { ISSUER: issuer = '', TOOL: tool = '', API: api = '' } = process.env;
const { client_id: clientId, client_secret: clientSecret } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';

const app = /** @type {Koa<import('grantlog').RequestState>} */ (new Koa());
const endpoint = new URL('/o/introspect/', issuer).href;
const find = remoteIntrospection({
  endpoint,
  clientId,
  clientSecret,
  issuer,
  resource: tool,
  requireAudience: true,
  cacheSeconds: 0,
});
app.use(bearerToken({ find }, { baseUrl: tool }));
app.use(requirePolicy(policies.allScopes(['trips'])));
app.use(async (ctx) => {
  const [, received = ''] = /^Bearer (\S+)$/.exec(ctx.get('authorization')) ?? [];
  // RFC 8693: a token with less, in the own name of the tool, which acts for the user. It ends with the received one.
  const own = await requestToken({ grant_type: 'client_credentials', scope: 'calendar', resource: api });
  const exchanged = await requestToken({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: received,
    subject_token_type: ACCESS_TOKEN,
    actor_token: own,
    actor_token_type: ACCESS_TOKEN,
    scope: 'calendar',
    resource: api,
  });
  const answer = await fetch(`${api}/events`, { headers: { authorization: `Bearer ${exchanged}` } });
  if (!answer.ok) ctx.throw(502, `The calendar refused: ${answer.status}`);
  ctx.body = `A trip for you, around what your calendar has:\n${await answer.text()}`;
});

/** @param {Readonly<Record<string, string>>} form */
async function requestToken(form) {
  const body = new URLSearchParams(form);
  const answer = await fetch(`${issuer}/o/token/`, { method: 'POST', headers: { authorization: basic }, body });
  if (!answer.ok) throw Object.assign(new Error(await answer.text()), { status: 502, expose: true });
  return /** @type {{ access_token: string }} */ (await answer.json()).access_token;
}

createHttpServer(app.callback()).listen(Number(new URL(tool).port), '127.0.0.1', () =>
  console.log(`serving tool on ${tool}`),
);
