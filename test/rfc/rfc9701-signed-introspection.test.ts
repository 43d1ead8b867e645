import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { SIGNING_ALGORITHMS } from '../../src/domain/values.ts';
import { signJws } from '../../src/oauth/signing/jws.ts';
import { keyPairFor } from '../support/assertions.ts';
import { exportBundle } from '../support/bundled-log.ts';
import { runningService, type TestResponse, type RunningService, type TestClient } from '../support/running-service.ts';

const SCOPES = { read: 'Read', introspection: 'Introspect tokens' };
const ISSUER = 'http://localhost:8000';
const TYPE = 'application/token-introspection+jwt';
const SCRIPT = new URL('../../scripts/verify-introspection.mjs', import.meta.url);
const run = promisify(execFile);

describe('RFC 9701: signed introspection', () => {
  let running: RunningService;
  let caller: TestClient;
  let token: string;

  beforeEach(async () => {
    running = await runningService({ settings: { scopes: SCOPES }, startsAt: Date.now() });
    caller = await running.addClient({ restrictedScopes: ['introspection'] });
    token = await issueToken('read');
  });
  afterEach(() => running.close());

  async function issueToken(scope: string): Promise<string> {
    const { json } = await running.token(caller, { grant_type: 'client_credentials', scope });
    return String(json?.['access_token']);
  }
  const introspect = (accept: string, authorization = caller.basic, presentedToken = token): Promise<TestResponse> =>
    running.post('/o/introspect/', { token: presentedToken }, { authorization, accept });
  const verify = async (jwt: string) => {
    const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', running.origin()));
    return (await jwtVerify(jwt, keys, { issuer: ISSUER, audience: caller.id, typ: 'token-introspection+jwt' }))
      .payload;
  };

  it('contains the unsigned response in a JWT for the caller, without the claims of an access token', async () => {
    const { json } = await introspect('application/json');
    const signedResponse = await introspect(TYPE);
    expect(signedResponse.headers.get('content-type')).to.equal(TYPE);
    expect(signedResponse.headers.get('cache-control')).to.equal('no-store');
    const claims = await verify(signedResponse.text);
    expect(claims).to.have.all.keys('iss', 'aud', 'iat', 'token_introspection', 'log_head');
    expect(claims['token_introspection']).to.deep.equal(json);
    expect(claims.iat).to.equal(Math.floor(running.clock.now() / 1000));
  });

  it('shows nothing about an inactive token except that it is inactive', async () => {
    const { token_introspection: result } = await verify((await introspect(TYPE, caller.basic, 'unknown')).text);
    expect(result).to.deep.equal({ active: false });
  });

  it("has the bearer token's client as its audience if the caller authenticates with a bearer token", async () => {
    const bearer = `Bearer ${await issueToken('introspection')}`;
    expect((await verify((await introspect(TYPE, bearer)).text)).aud).to.equal(caller.id);
  });

  it('is chosen if it is the best match for the Accept header', async () => {
    const fetchContentType = async (accept: string) => (await introspect(accept)).headers.get('content-type');
    for (const accept of [TYPE, TYPE.toUpperCase(), `application/json;q=0.5, ${TYPE}`, `${TYPE}, text/html`])
      expect(await fetchContentType(accept), accept).to.equal(TYPE);
    for (const accept of ['', '*/*', 'application/*', 'application/json', 'text/html', `${TYPE};q=0`])
      expect(await fetchContentType(accept), accept).to.equal('application/json; charset=utf-8');
    for (const accept of [`*/*, ${TYPE};q=0.9`, `application/json, ${TYPE};q=0.1`])
      expect(await fetchContentType(accept), accept).to.equal('application/json; charset=utf-8');
  });

  it('does not apply to refusals, which are unsigned JSON', async () => {
    const { status, json } = await introspect(TYPE, 'Basic wrong');
    expect([status, json?.['error']]).to.deep.equal([401, 'invalid_client']);
  });

  for (const algorithm of SIGNING_ALGORITHMS)
    it(`is signed with the algorithm that the caller registered: ${algorithm}`, async () => {
      caller = await running.addClient({ security: { introspectionAlgorithm: algorithm } });
      const { text } = await introspect(TYPE);
      expect(decodeProtectedHeader(text).alg).to.equal(algorithm);
      await verify(text);
    });

  it('contains the log head', async () => {
    const { tree } = running.service().attestation;
    await introspect(TYPE); // adds an event that introduces a key
    for (let times = 0; times < 3; times += 1) {
      const { log_head: head } = await verify((await introspect(TYPE)).text);
      const { size, rootHash } = tree.head();
      expect(head).to.deep.equal({ origin: 'localhost:8000', size, root: Buffer.from(rootHash).toString('base64') });
      expect(size).to.equal((await running.events()).length);
      await issueToken('read');
    }
    await running.restart();
    const { log_head: headAfterRestart } = await verify((await introspect(TYPE)).text);
    expect(headAfterRestart).to.include({ size: (await running.events()).length });
  });

  describe('verified by the script', () => {
    let directory: string;
    beforeEach(() => {
      directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    });
    afterEach(() => rmSync(directory, { recursive: true }));

    async function compare(responses: readonly string[], keySet: object, ...extraArguments: readonly string[]) {
      const files = responses.map((jwt, index) => [join(directory, `${index}.jwt`), jwt] as const);
      for (const [file, jwt] of files) writeFileSync(file, jwt);
      writeFileSync(join(directory, 'jwks.json'), JSON.stringify(keySet));
      const names = files.map(([file]) => file);
      const args = [SCRIPT.pathname, '--keys', join(directory, 'jwks.json'), ...names, ...extraArguments];
      return run(process.execPath, args).then(
        ({ stdout }) => ({ code: 0, stdout }),
        (error: { readonly code: number; readonly stdout: string }) => ({ code: error.code, stdout: error.stdout }),
      );
    }
    const fetchKeySet = async () => (await running.get('/.well-known/jwks.json')).json ?? {};

    /** Keys for signing responses that contain arbitrary heads. */
    const KEY = keyPairFor('ES256');
    const OWN_KEYS = { keys: [{ ...KEY.jwk, alg: 'ES256' }] };
    const forgeResponse = (size: number, root: string, iat = 1_000) =>
      signJws(
        KEY.privateKey,
        { alg: 'ES256', typ: 'token-introspection+jwt', kid: String(KEY.jwk['kid']) },
        { iss: ISSUER, aud: 'api', iat, token_introspection: { active: true }, log_head: { origin: 'o', size, root } },
      );

    it('agrees with other responses and with a log bundle', async () => {
      const responses = [(await introspect(TYPE)).text];
      await issueToken('read');
      responses.push((await introspect(TYPE)).text);
      await issueToken('read');
      const bundle = await exportBundle(running);
      try {
        const result = await compare(responses, await fetchKeySet(), '--bundle', bundle.directory);
        expect(result).to.deep.include({ code: 0 });
        expect(result.stdout).to.match(/no contradiction: the log of \d+ records had all of these heads/);
        const forgery = await compare(
          [await forgeResponse(2, 'A'.repeat(43) + '=')],
          OWN_KEYS,
          '--bundle',
          bundle.directory,
        );
        expect(forgery).to.deep.include({ code: 1 });
        expect(forgery.stdout).to.match(/the log of 2 records never had the root/);
      } finally {
        bundle.remove();
      }
    });

    it('contradicts a response with a different root for the same size, or with a later but shorter log', async () => {
      const contradiction = await compare([await forgeResponse(5, 'one'), await forgeResponse(5, 'two')], OWN_KEYS);
      expect(contradiction).to.deep.equal({
        code: 1,
        stdout: 'CONTRADICTION the log of 5 records has two roots, one and two\n',
      });
      const shorterLog = await compare([await forgeResponse(5, 'one'), await forgeResponse(4, 'two', 1_061)], OWN_KEYS);
      expect(shorterLog.stdout).to.match(/had 5 records, and later only 4/);
      expect(await compare([await forgeResponse(5, 'one'), await forgeResponse(4, 'two', 1_060)], OWN_KEYS)).to.include(
        { code: 0 },
      );
    });

    it('is refused without a valid signature by the server', async () => {
      const [response] = [await forgeResponse(5, 'one')];
      expect(await compare([response], await fetchKeySet())).to.include({ code: 1 });
      expect((await compare([`${response.slice(0, -4)}AAAA`], OWN_KEYS)).stdout).to.match(/its signature is invalid/);
      expect((await compare(['no JWT'], OWN_KEYS)).stdout).to.match(/it is not a JWT/);
    });
  });
});
