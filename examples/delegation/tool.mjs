// The tool: an API that needs the calendar of the user, for which it exchanges the token that it received.
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
  const [, receivedToken = ''] = /^Bearer (\S+)$/.exec(ctx.get('authorization')) ?? [];
  // Gets a narrower token with which the tool acts for the user (RFC 8693). It ends with the received token.
  const actorToken = await requestToken({ grant_type: 'client_credentials', scope: 'calendar', resource: api });
  const calendarToken = await requestToken({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: receivedToken,
    subject_token_type: ACCESS_TOKEN,
    actor_token: actorToken,
    actor_token_type: ACCESS_TOKEN,
    scope: 'calendar',
    resource: api,
  });
  const response = await fetch(`${api}/events`, { headers: { authorization: `Bearer ${calendarToken}` } });
  if (!response.ok) ctx.throw(502, `The calendar refused: ${response.status}`);
  ctx.body = `A trip that fits your calendar:\n${await response.text()}`;
});

/** @param {Readonly<Record<string, string>>} form */
async function requestToken(form) {
  const body = new URLSearchParams(form);
  const response = await fetch(`${issuer}/o/token/`, { method: 'POST', headers: { authorization: basic }, body });
  if (!response.ok) throw Object.assign(new Error(await response.text()), { status: 502, expose: true });
  return /** @type {{ access_token: string }} */ (await response.json()).access_token;
}

createHttpServer(app.callback()).listen(Number(new URL(tool).port), '127.0.0.1', () =>
  console.log(`serving tool on ${tool}`),
);
