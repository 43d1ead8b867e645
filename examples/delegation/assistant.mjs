// The assistant: an application to which a user logs in, and which calls a tool for the user.
import { randomBytes, createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createHttpServer } from 'grantlog';
import Koa from 'koa';

const { ISSUER: issuer = '', ASSISTANT: assistant = '', TOOL: tool = '' } = process.env;
const { client_id: id, client_secret: secret } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const basic = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
const redirectUri = `${assistant}/callback`;

/**
 * Supports one user only; an application for several users would have sessions.
 * @type {string | undefined}
 */
let accessToken;
/** @type {{ state: string, verifier: string } | undefined} */
let pendingLogin;

const app = new Koa();
app.use(async (ctx) => {
  if (ctx.path === '/') {
    ctx.type = 'html';
    ctx.body =
      accessToken === undefined
        ? '<h1>Assistant</h1><p><a href="/login">Let the assistant plan your trip</a></p>'
        : '<h1>Assistant</h1><p><a href="/plan">Plan the trip</a></p>';
  } else if (ctx.path === '/login') {
    pendingLogin = { state: randomBytes(16).toString('base64url'), verifier: randomBytes(32).toString('base64url') };
    const { state, verifier } = pendingLogin;
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: id,
      redirect_uri: redirectUri,
      scope: 'trips calendar',
      state,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    });
    // RFC 8707: the token is for the tool, and the tool may pass it on to the calendar.
    for (const resource of [tool, process.env['API'] ?? '']) query.append('resource', resource);
    ctx.redirect(`${issuer}/o/authorize/?${query.toString()}`);
  } else if (ctx.path === '/callback') {
    const { code = '', state } = ctx.query;
    const login = pendingLogin;
    if (login === undefined || state !== login.state)
      return ctx.throw(400, 'This response does not belong to a login.');
    const form = { grant_type: 'authorization_code', code: String(code), redirect_uri: redirectUri };
    const response = await fetch(`${issuer}/o/token/`, {
      method: 'POST',
      headers: { authorization: basic },
      body: new URLSearchParams({ ...form, code_verifier: login.verifier }),
    });
    pendingLogin = undefined;
    if (!response.ok) ctx.throw(502, await response.text());
    accessToken = /** @type {{ access_token: string }} */ (await response.json()).access_token;
    ctx.redirect('/');
  } else if (ctx.path === '/plan') {
    const response = await fetch(`${tool}/plan`, { headers: { authorization: `Bearer ${accessToken ?? ''}` } });
    ctx.status = response.ok ? 200 : 502;
    ctx.body = response.ok ? await response.text() : `The tool refused: ${response.status} ${await response.text()}`;
  }
});
createHttpServer(app.callback()).listen(Number(new URL(assistant).port), '127.0.0.1', () =>
  console.log(`serving assistant on ${assistant}`),
);
