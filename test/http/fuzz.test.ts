import { expect } from 'chai';
import fc from 'fast-check';
import { hiddenFields } from '../support/browser-session.ts';
import { rawRequest } from '../support/raw-request.ts';
import { REDIRECT_URI, runningService, type RunningService } from '../support/running-service.ts';

const PATHS = [
  '/', '/o/token/', '/o/token', '/o/revoke_token/', '/o/introspect/', '/o/authorize/', '/o/authorize', '/o/applications/', '/o/applications/register/',
  '/o/applications/x/', '/o/applications/x/update/', '/o/applications/x/delete/', '/o/applications/x/rotate_secret/', '/o/authorized_tokens/',
  '/o/authorized_tokens/x/revoke/', '/o/events/', '/accounts/login/', '/accounts/logout/', '/accounts/setup/', '/accounts/signup/', '/users/', '/users/1/',
  '/users/x/', '/groups/', '/healthz', '/readyz', '/metrics', '/.well-known/oauth-authorization-server', '/static/', '/static/style.css',
];
const NAMES = [
  'grant_type', 'client_id', 'client_secret', 'code', 'redirect_uri', 'code_verifier', 'code_challenge', 'code_challenge_method', 'scope', 'state', 'response_type',
  'response_mode', 'prompt', 'max_age', 'approval_prompt', 'username', 'password', 'refresh_token', 'token', 'token_type_hint', 'csrf_token', 'next', 'request', 'allow',
  'deny', 'name', 'email', 'redirect_uris', 'limit', 'after', '__proto__', 'constructor', 'a[b][c]', 'a[]', '', 'toString', 'hasOwnProperty', 'grant%5Ftype',
];
const VALUES = [
  '', '0', '-1', '1e9', 'authorization_code', 'password', 'client_credentials', 'refresh_token', 'code', 'none', 'S256', 'read+write', 'auto', '9'.repeat(40),
  encodeURIComponent(REDIRECT_URI), 'javascript:alert(1)', '//evil.example', '/%5cevil.example', '%00', '%', '%ZZ', '%C0%AF', '%ff', '%F0%9F%98%80', '%ED%A0%80', '+',
  '<script>', '%0d%0aX:y', '..%2f..%2f', 'x'.repeat(5_000), `glr_${'A'.repeat(71)}`,
];
const METHODS = ['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY', 'FOO', 'get', '', 'CONNECT'];
const TYPES = [
  'application/x-www-form-urlencoded', 'application/x-www-form-urlencoded; charset=utf-8', 'application/x-www-form-urlencoded; charset=utf-7', 'APPLICATION/X-WWW-FORM-URLENCODED;;',
  'application/json', 'multipart/form-data; boundary=x', 'multipart/form-data', 'text/plain', 'x', '/', '', 'application/x-www-form-urlencoded, application/json', 'é/ü',
];

/** Bytes that stand for themselves: what is sent is built of text whose characters are bytes. */
const anyBytes = (maxLength: number): fc.Arbitrary<string> => fc.array(fc.integer({ min: 0, max: 255 }), { maxLength }).map((bytes) => Buffer.from(bytes).toString('latin1'));
/** One line of them; mostly such as the HTTP parser lets through. */
const anyText = (maxLength: number): fc.Arbitrary<string> => fc.tuple(anyBytes(maxLength), fc.integer({ min: 0, max: 19 }))
  .map(([text, luck]) => text.replaceAll(luck === 0 ? /[\r\n]/g : /[^\x20-\x7e\x80-\xff]/g, '~'));
const anyTarget = (maxLength: number): fc.Arbitrary<string> => fc.tuple(anyText(maxLength), fc.integer({ min: 0, max: 9 }))
  .map(([text, luck]) => text.replaceAll(luck === 0 ? / /g : /[^\x21-\x7e]/g, '%'));

/** What a sender knows; nothing secret for a stranger. */
interface Insider {
  readonly clientId: string;
  readonly values: readonly string[];
  readonly headers: readonly string[];
}

/** The request as anybody may send it, known client and user names among the rest. */
function aRequest({ clientId, values, headers: known }: Insider): fc.Arbitrary<string> {
  const value = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...VALUES, clientId, 'ada', ...values) }, { weight: 1, arbitrary: anyTarget(20) });
  const pairs = fc.array(fc.tuple(fc.constantFrom(...NAMES), value), { maxLength: 8 }).map((entries) => entries.map(([name, text]) => `${name}=${text}`).join('&'));
  const nested = fc.integer({ min: 1, max: 200 }).map((depth) => `a${'[b]'.repeat(depth)}=1`);
  const json = fc.oneof(fc.json(), fc.integer({ min: 1, max: 2_000 }).map((depth) => '['.repeat(depth)), fc.constantFrom('{"__proto__":{"a":1}}', '{"grant_type":["password"]}', '{"a":1}'));
  const many = fc.integer({ min: 1, max: 3_000 }).map((count) => 'a=1&'.repeat(count));
  const large = fc.constantFrom(65_536, 200_000, 1_500_000).map((length) => `username=${'x'.repeat(length)}`);
  const body = fc.oneof({ weight: 12, arbitrary: pairs }, { weight: 2, arbitrary: anyBytes(60) }, { weight: 2, arbitrary: json }, { weight: 1, arbitrary: nested }, { weight: 1, arbitrary: many }, { weight: 1, arbitrary: large });
  const path = fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...PATHS) }, { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...PATHS), fc.constantFrom('%', '%00', '//', '/..', '%2e%2e/', ';x', '\\', '%ff')).map((parts) => parts.join('')) },
    { weight: 1, arbitrary: anyTarget(20).map((text) => `/${text}`) });
  const query = fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 2, arbitrary: pairs.map((text) => `?${text}`) }, { weight: 1, arbitrary: anyTarget(20).map((text) => `?${text}`) });
  const authorization = fc.oneof(
    fc.constantFrom('', 'Basic', 'Bearer', 'Basic Og==', 'Bearer x', 'Basic !', `Basic ${Buffer.from(`${clientId}:wrong`).toString('base64')}`, 'Digest a="b"', `Bearer gla_${'A'.repeat(49)}`),
    anyText(30), anyText(30).map((text) => `Basic ${Buffer.from(text, 'latin1').toString('base64')}`),
  );
  const header = fc.oneof(
    authorization.map((text) => `Authorization: ${text}`),
    anyText(40).map((text) => `Cookie: ${text}`),
    anyText(20).map((text) => `Cookie: grantlog=${text}; grantlog.sig=${text}`),
    fc.constantFrom('Accept: text/html', 'Accept: ;;;', 'Accept: text/event-stream', 'Content-Encoding: gzip', 'Content-Encoding: x', 'Origin: null', 'Origin: https://evil.example', 'Range: bytes=5-1',
      'X-Forwarded-Host: evil.example', 'X-CSRF-Token: x', 'Expect: 100-continue', 'If-None-Match: *', 'If-Modified-Since: never', 'Sec-Fetch-Site: cross-site', 'X-HTTP-Method-Override: DELETE'),
    anyText(20).map((text) => `X-Any: ${text}`),
    ...(known.length === 0 ? [] : [{ weight: 6, arbitrary: fc.constantFrom(...known) }]),
  );
  const length = fc.oneof({ weight: 10, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constantFrom(-1, 5) });
  return fc.record({
    method: fc.oneof({ weight: 8, arbitrary: fc.constantFrom('GET', 'POST', 'POST') }, { weight: 2, arbitrary: fc.constantFrom(...METHODS) }),
    path, query, type: fc.oneof({ weight: 6, arbitrary: fc.constant(TYPES[0]) }, { weight: 3, arbitrary: fc.constantFrom(...TYPES) }), headers: fc.array(header, { maxLength: 3 }), body, length, chunked: fc.integer({ min: 0, max: 9 }),
  }).map((drawn) => {
    const framing = drawn.chunked === 0 ? 'Transfer-Encoding: chunked' : `Content-Length: ${Math.max(0, drawn.body.length + drawn.length)}`;
    const sent = drawn.chunked === 0 ? `${drawn.body.length.toString(16)}\r\n${drawn.body}\r\n0\r\n\r\n` : drawn.body;
    const lines = [`${drawn.method} ${drawn.path}${drawn.query} HTTP/1.1`, 'Host: localhost', 'Connection: close', `Content-Type: ${drawn.type}`, ...drawn.headers, framing];
    return `${lines.join('\r\n')}\r\n\r\n${sent}`;
  });
}

const REQUESTS = 3_000;
const AT_ONCE = 20;

for (const settings of [{}, { jsonTokenRequests: true, signup: 'open' as const }]) {
  describe(`whatever is sent, with ${Object.keys(settings).join(' and ') || 'the sample configuration'}`, () => {
    let running: RunningService;
    let stranger: Insider;
    let insider: Insider;
    const rejections: unknown[] = [];
    const onRejection = (reason: unknown): void => void rejections.push(reason);

    before(async () => {
      running = await runningService({ settings });
      const user = await running.addUser('ada');
      const client = await running.addClient();
      stranger = { clientId: client.id, values: [], headers: [] };
      const { json } = await running.token(client, { grant_type: 'password', ...user });
      const browser = running.browser();
      await browser.logIn(user.username, user.password);
      const csrf = hiddenFields((await browser.get('/o/applications/register/')).html)['csrf_token'] ?? '';
      const cookie = [...browser.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
      const tokens = [String(json?.['access_token']), String(json?.['refresh_token'])];
      insider = {
        clientId: client.id,
        values: [client.secret, encodeURIComponent(user.password), csrf, csrf, csrf, ...tokens],
        headers: [`Authorization: ${client.basic}`, `Authorization: Bearer ${tokens[0]}`, `Cookie: ${cookie}`, `X-CSRF-Token: ${csrf}`],
      };
      process.on('unhandledRejection', onRejection);
    });
    after(async () => {
      process.off('unhandledRejection', onRejection);
      await running.close(); // fails if anything unexpected was logged
    });

    async function survives(sender: Insider, check: () => void): Promise<void> {
      const port = Number(new URL(running.origin()).port);
      await fc.assert(fc.asyncProperty(fc.array(aRequest(sender), { minLength: AT_ONCE, maxLength: AT_ONCE }), async (requests) => {
        const statuses = await Promise.all(requests.map((request) => rawRequest(port, Buffer.from(request, 'latin1'))));
        statuses.forEach((status, index) => {
          if (status !== undefined && status !== 501) expect(status, requests[index]?.slice(0, 500)).to.be.below(500); // 501: a method nobody has
        });
        expect(running.unexpected).to.deep.equal([]);
        expect(rejections).to.deep.equal([]);
        check();
      }), { numRuns: REQUESTS / AT_ONCE, endOnFailure: true }); // twenty at once are not worth shrinking
      expect((await running.get('/readyz')).status).to.equal(200);
    }

    it('by strangers, is refused or hung up on, and leaves nothing in the log', async () => {
      const head = running.log.head();
      await survives(stranger, () => expect(running.log.head()).to.equal(head));
    });

    it('by those who have an account, a client and tokens, breaks nothing either', async () => {
      await survives(insider, () => {});
    });
  });
}
