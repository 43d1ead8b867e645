import { expect } from 'chai';
import { request } from 'node:http';
import { expectRefusal, expectTokens, expectNothingAppended } from '../support/protocol-responses.ts';
import { runningService, type TestResponse, type RunningService, type TestClient } from '../support/running-service.ts';

const FORM = 'application/x-www-form-urlencoded';
const TOKENS = { scope: 'read write', refresh: false };

describe('RFC 6749 §3.2: the token endpoint', () => {
  let running: RunningService;
  let client: TestClient;

  before(async () => {
    running = await runningService();
    client = await running.addClient();
  });
  after(() => running.close());

  const clientHeaders = (type = FORM): Record<string, string> => ({
    'content-type': type,
    authorization: client.basic,
  });
  const post = (
    body: string | Uint8Array<ArrayBuffer>,
    headers: Readonly<Record<string, string>> = {},
    path = '/o/token/',
  ): Promise<TestResponse> => running.send(path, { method: 'POST', body, headers: { ...clientHeaders(), ...headers } });

  async function expectInvalidRequest(
    body: string | Uint8Array<ArrayBuffer>,
    status = 400,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<TestResponse> {
    const response = await expectNothingAppended(running, () => post(body, headers));
    expectRefusal(response, 'invalid_request', status);
    return response;
  }

  it('responds with and without the trailing slash, and never redirects a POST', async () => {
    expectTokens(await post('grant_type=client_credentials', {}, '/o/token/'), TOKENS);
    expectTokens(await post('grant_type=client_credentials', {}, '/o/token'), TOKENS);
  });

  it('refuses methods other than POST with 405 in JSON, and states the allowed method', async () => {
    for (const path of ['/o/token/', '/o/token', '/o/revoke_token/', '/o/introspect/']) {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
        const response = await expectNothingAppended(running, () =>
          running.send(path, { method, headers: { accept: 'text/html' } }),
        );
        expectRefusal(response, 'invalid_request', 405);
        expect(response.headers.get('allow')).to.equal('POST');
      }
      expect((await running.send(path, { method: 'HEAD' })).status).to.equal(405);
    }
  });

  it('responds to OPTIONS without authentication', async () => {
    for (const path of ['/o/token/', '/o/token', '/o/revoke_token/', '/o/introspect/']) {
      const response = await expectNothingAppended(running, () => running.send(path, { method: 'OPTIONS' }));
      expect(response.status).to.be.within(200, 204);
      expect(response.headers.get('allow')).to.include('POST');
    }
  });

  it('accepts a form with or without a charset, and its media type in any letter case', async () => {
    for (const type of [FORM, `${FORM}; charset=utf-8`, `${FORM};charset=UTF-8`, 'Application/X-WWW-Form-UrlEncoded']) {
      expectTokens(await post('grant_type=client_credentials', { 'content-type': type }), TOKENS);
    }
  });

  it('reports the missing parameter if there is no body', async () => {
    const response = await expectNothingAppended(running, () => running.send('/o/token/', { method: 'POST' }));
    expectRefusal(response, 'invalid_request');
    expect(response.json?.['error_description']).to.equal('grant_type is missing');
  });

  it('refuses any other content type with 415', async () => {
    for (const type of [
      'application/json',
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/xml',
      `${FORM}x`,
      '',
    ]) {
      await expectInvalidRequest('grant_type=client_credentials', 415, { 'content-type': type });
    }
  });

  it('relies on the content type alone, even if the body looks like JSON', async () => {
    await expectInvalidRequest('{"grant_type":"client_credentials"}');
  });

  it('refuses parameters in the query, even if the body contains them too', async () => {
    for (const query of ['?grant_type=client_credentials', '?x=1', `?client_id=x&client_secret=y`]) {
      const response = await expectNothingAppended(running, () =>
        post('grant_type=client_credentials', {}, `/o/token/${query}`),
      );
      expectRefusal(response, 'invalid_request');
    }
  });

  it('refuses any repeated parameter, in any encoding', async () => {
    for (const duplicate of [
      'grant_type=client_credentials',
      'scope=read&scope=read',
      'scope=&scope=read',
      'unknown=1&unknown=2',
      'scope=read&sc%6Fpe=write',
      'grant%5Ftype=password',
    ]) {
      await expectInvalidRequest(`grant_type=client_credentials&${duplicate}`);
    }
  });

  it('quotes a repeated parameter name only up to the maximum length of an error description', async () => {
    const name = encodeURIComponent('"\\\u0000é\n<b>'.repeat(30));
    const { json } = await expectInvalidRequest(`${name}=1&${name}=2`);
    expect(String(json?.['error_description']).length).to.be.below(100);
  });

  it('treats a parameter without a value as absent', async () => {
    expectTokens(await post('grant_type=client_credentials&scope=&client_id=&client_secret&unknown='), TOKENS);
    await expectInvalidRequest('grant_type=');
    await expectInvalidRequest('grant_type');
    await expectInvalidRequest('grant_type=authorization_code&code=');
  });

  it('ignores unknown parameters', async () => {
    expectTokens(await post('grant_type=client_credentials&audience=x&__proto__=y&constructor=z&a[b]=c'), TOKENS);
  });

  it('refuses malformed percent-encoding and anything but UTF-8', async () => {
    for (const body of [
      'grant_type=client_credentials&x=%',
      'grant_type=%zz',
      '%E0%A4%A=1',
      'grant_type=client_credentials&x=%ff',
    ]) {
      await expectInvalidRequest(body);
    }
    await expectInvalidRequest(
      Buffer.concat([Buffer.from('grant_type=client_credentials&x='), Buffer.from([0xc3, 0x28])]),
    );
    await expectInvalidRequest(Buffer.from('grant_type=client_credentials', 'utf16le'));
  });

  it('refuses NUL bytes and control characters in any value', async () => {
    const controlCharacters = '%00%01%7F%0D%0A';
    expectRefusal(
      await expectNothingAppended(running, () => post(`grant_type=client_credentials${controlCharacters}`)),
      'unsupported_grant_type',
    );
    expectRefusal(
      await expectNothingAppended(running, () => post(`grant_type=client_credentials&scope=read${controlCharacters}`)),
      'invalid_scope',
    );
    expectRefusal(
      await expectNothingAppended(running, () =>
        post(`grant_type=authorization_code&code=${controlCharacters}&redirect_uri=${controlCharacters}`),
      ),
      'invalid_grant',
    );
    expectRefusal(
      await expectNothingAppended(running, () => post(`grant_type=refresh_token&refresh_token=${controlCharacters}`)),
      'invalid_grant',
    );
    expectRefusal(
      await expectNothingAppended(running, () =>
        post(`grant_type=password&username=${controlCharacters}&password=${controlCharacters}`),
      ),
      'invalid_grant',
    );
    expectRefusal(
      await expectNothingAppended(running, () =>
        post(`grant_type=authorization_code&code=x&code_verifier=${controlCharacters}`),
      ),
      'invalid_request',
    );
  });

  it('refuses very long values', async () => {
    const longValue = 'x'.repeat(60_000);
    expectRefusal(
      await expectNothingAppended(running, () => post(`grant_type=${longValue}`)),
      'unsupported_grant_type',
    );
    expectRefusal(
      await expectNothingAppended(running, () => post(`grant_type=client_credentials&scope=${longValue}`)),
      'invalid_scope',
    );
    expectRefusal(
      await expectNothingAppended(running, () => post(`grant_type=authorization_code&code=${longValue}`)),
      'invalid_grant',
    );
    expectRefusal(
      await expectNothingAppended(running, () => post(`grant_type=refresh_token&refresh_token=${longValue}`)),
      'invalid_grant',
    );
    expectRefusal(
      await expectNothingAppended(running, () => post(`grant_type=password&username=${longValue}&password=x`)),
      'invalid_grant',
    );
    expectRefusal(
      await expectNothingAppended(running, () => post(`grant_type=password&username=x&password=${longValue}`)),
      'invalid_grant',
    );
  });

  it('reads at most 64 KiB', async () => {
    const body = 'grant_type=client_credentials&x=';
    expectTokens(await post(body.padEnd(65_536, 'x')), TOKENS);
    await expectInvalidRequest(body.padEnd(65_537, 'x'), 413);
  });

  it('stops reading a body of unknown length at 64 KiB', async () => {
    const response = await postInChunks(
      new URL('/o/token/', running.origin()),
      clientHeaders(),
      Buffer.alloc(40_000, 'x'),
      2,
    );
    expect(response.status).to.equal(413);
    expect(JSON.parse(response.text)).to.include({ error: 'invalid_request' });
  });

  it('checks the grant type before it authenticates the client', async () => {
    for (const headers of [{}, { authorization: 'Basic bm9ib2R5Ondyb25n' }]) {
      expectRefusal(
        await expectNothingAppended(running, () => running.post('/o/token/', { scope: 'read' }, headers)),
        'invalid_request',
      );
      expectRefusal(
        await expectNothingAppended(running, () => running.post('/o/token/', {}, headers)),
        'invalid_request',
      );
      expectRefusal(
        await expectNothingAppended(running, () => running.post('/o/token/', { grant_type: 'implicit' }, headers)),
        'unsupported_grant_type',
      );
    }
  });

  it('responds in JSON even if the client prefers HTML', async () => {
    const response = await expectNothingAppended(running, () => post('grant_type=implicit', { accept: 'text/html' }));
    expectRefusal(response, 'unsupported_grant_type');
  });

  it('neither sets a cookie nor asks for a CSRF token, even with a session', async () => {
    const owner = await running.addUser();
    const browser = running.browser();
    await browser.logIn(owner.username, owner.password);
    const cookie = [...browser.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
    expectTokens(await post('grant_type=client_credentials', { cookie, origin: 'https://elsewhere.example' }), TOKENS);
  });

  it('gives every response a unique request id', async () => {
    const responses = await Promise.all([post(''), post('')]);
    expect(new Set(responses.map(({ headers }) => headers.get('x-request-id'))).size).to.equal(2);
  });
});

describe('RFC 6749 §3.2: the token endpoint with JSON enabled', () => {
  let running: RunningService;
  let client: TestClient;

  before(async () => {
    running = await runningService({ settings: { jsonTokenRequests: true } });
    client = await running.addClient();
  });
  after(() => running.close());

  const post = (body: string | Uint8Array<ArrayBuffer>, type = 'application/json'): Promise<TestResponse> =>
    running.send('/o/token/', { method: 'POST', body, headers: { 'content-type': type, authorization: client.basic } });

  it('accepts JSON, with or without a charset', async () => {
    for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON']) {
      expectTokens(await post('{"grant_type":"client_credentials"}', type), TOKENS);
    }
  });

  it('accepts passwords, refresh tokens and client credentials in JSON', async () => {
    const owner = await running.addUser('owner é 😀');
    const credentials = { client_id: client.id, client_secret: client.secret };
    const send = (body: object): Promise<TestResponse> =>
      running.send('/o/token/', {
        method: 'POST',
        body: JSON.stringify({ ...credentials, ...body }),
        headers: { 'content-type': 'application/json' },
      });
    const { refresh } = expectTokens(
      await send({ grant_type: 'password', username: owner.username, password: owner.password }),
      { scope: 'read write groups', refresh: true },
    );
    expectTokens(await send({ grant_type: 'refresh_token', refresh_token: refresh, scope: 'read' }), {
      scope: 'read',
      refresh: true,
    });
  });

  it('also accepts a form, and relies on the content type', async () => {
    expectTokens(await post('grant_type=client_credentials', FORM), TOKENS);
    expectRefusal(await expectNothingAppended(running, () => post('grant_type=client_credentials')), 'invalid_request');
    expectRefusal(
      await expectNothingAppended(running, () => post('{"grant_type":"client_credentials"}', FORM)),
      'invalid_request',
    );
  });

  it('refuses any other content type with 415', async () => {
    for (const type of ['text/json', 'application/json5', 'text/plain']) {
      expectRefusal(
        await expectNothingAppended(running, () => post('{"grant_type":"client_credentials"}', type)),
        'invalid_request',
        415,
      );
    }
  });

  it('refuses malformed JSON, anything but an object, and members that are not strings', async () => {
    const bodies = [
      '',
      '{',
      '{"grant_type":"client_credentials"',
      "{'grant_type':'client_credentials'}",
      '{"grant_type":"client_credentials"} x',
      '[]',
      '["grant_type"]',
      'null',
      '"grant_type"',
      '1',
      'true',
      '{"grant_type":["client_credentials"]}',
      '{"grant_type":{"a":"b"}}',
      '{"grant_type":1}',
      '{"grant_type":null}',
      '{"grant_type":"client_credentials","scope":["read"]}',
      '{"grant_type":"client_credentials","unknown":1}',
      '{"grant_type":"client_credentials","__proto__":{}}',
    ];
    for (const body of bodies) {
      expectRefusal(await expectNothingAppended(running, () => post(body)), 'invalid_request');
    }
    expectRefusal(await expectNothingAppended(running, () => post(Buffer.from([0x7b, 0xff, 0x7d]))), 'invalid_request');
  });

  it('refuses a repeated member', async () => {
    for (const body of [
      '{"grant_type":"client_credentials","scope":"read","scope":"write"}',
      '{"grant_type":"client_credentials","scope":"","scope":"write"}',
      '{"grant_type":"password","grant_type":"client_credentials"}',
      '{"grant_type":"client_credentials","sc\\u006fpe":"read","scope":"write"}',
    ]) {
      expectRefusal(await expectNothingAppended(running, () => post(body)), 'invalid_request');
    }
  });

  it('treats an empty member as absent', async () => {
    expectTokens(await post('{"grant_type":"client_credentials","scope":""}'), TOKENS);
  });

  it('reads at most 64 KiB', async () => {
    expect(jsonBody(65_536)).to.have.length(65_536);
    expectTokens(await post(jsonBody(65_536)), TOKENS);
    expectRefusal(await expectNothingAppended(running, () => post(jsonBody(65_537))), 'invalid_request', 413);
  });
});

function jsonBody(length: number): string {
  return `{"grant_type":"client_credentials","x":"${'x'.repeat(length - 42)}"}`;
}

/** Sends a POST in chunks, without Content-Length, and returns the response. */
function postInChunks(
  url: URL,
  headers: Readonly<Record<string, string>>,
  chunk: Buffer,
  chunkCount: number,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const clientRequest = request(url, { method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => void (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    clientRequest.on('error', reject);
    for (let count = 0; count < chunkCount; count += 1) clientRequest.write(chunk);
    clientRequest.end();
  });
}
