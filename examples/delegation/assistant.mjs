// The assistant: an application with which a user logs in, and which uses a tool for the user.
import { randomBytes, createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createHttpServer } from 'grantlog';
import Koa from 'koa';

const { ISSUER: issuer = '', ASSISTANT: assistant = '', TOOL: tool = '' } = process.env;
const { client_id: id, client_secret: secret } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const basic = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
const redirectUri = `${assistant}/callback`;

/** One user at a time: an application for several has sessions. @type {string | undefined} */
let accessToken;
/** @type {{ state: string, verifier: string } | undefined} */
let pending;

const app = new Koa();
app.use(async (ctx) => {
  if (ctx.path === '/') {
    ctx.type = 'html';
    ctx.body =
      accessToken === undefined
        ? '<h1>Assistant</h1><p><a href="/login">Let the assistant plan your trip</a></p>'
        : '<h1>Assistant</h1><p><a href="/plan">Plan the trip</a></p>';
  } else if (ctx.path === '/login') {
    pending = { state: randomBytes(16).toString('base64url'), verifier: randomBytes(32).toString('base64url') };
    const { state, verifier } = pending;
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
    const login = pending;
    if (login === undefined || state !== login.state) return ctx.throw(400, 'This answer belongs to no login.');
    const form = { grant_type: 'authorization_code', code: String(code), redirect_uri: redirectUri };
    const answer = await fetch(`${issuer}/o/token/`, {
      method: 'POST',
      headers: { authorization: basic },
      body: new URLSearchParams({ ...form, code_verifier: login.verifier }),
    });
    pending = undefined;
    if (!answer.ok) ctx.throw(502, await answer.text());
    accessToken = /** @type {{ access_token: string }} */ (await answer.json()).access_token;
    ctx.redirect('/');
  } else if (ctx.path === '/plan') {
    const answer = await fetch(`${tool}/plan`, { headers: { authorization: `Bearer ${accessToken ?? ''}` } });
    ctx.status = answer.ok ? 200 : 502;
    ctx.body = answer.ok ? await answer.text() : `The tool refused: ${answer.status} ${await answer.text()}`;
  }
});
createHttpServer(app.callback()).listen(Number(new URL(assistant).port), '127.0.0.1', () =>
  console.log(`serving assistant on ${assistant}`),
);
