import { expect } from 'chai';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import type { UserId } from '../../src/domain/values.ts';
import {
  REDIRECT_URI,
  runningService,
  type TestResponse,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

const DPOP = 'DPoP algs="ES256 PS256 RS256 EdDSA Ed25519"';
const PATH = '/o/userinfo/';
const ORIGIN = 'https://app.example';
const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('OpenID Connect Core §5.3: userinfo', () => {
  let running: RunningService;
  let client: TestClient;
  let user: TestUser;

  beforeEach(async () => {
    running = await runningService({
      settings: { scopes: { read: 'Read', staff: 'Staff' }, scopeClaims: { staff: ['preferred_username'] } },
    });
    client = await running.addClient({ allowedOrigins: [ORIGIN] });
    user = await running.addUser();
  });
  afterEach(() => running.close());

  const account = () => {
    const registeredUser = running.service().projections.users.findByName(user.username);
    if (registeredUser === undefined) throw new Error('the user is missing');
    return registeredUser;
  };
  const userId = (): UserId => account().userId;

  async function requestToken(parameters: Readonly<Record<string, string>>): Promise<string> {
    const code = await running.authorize(client, user, parameters);
    const { json } = await running.token(client, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
    });
    return String(json?.['access_token']);
  }

  const get = (token: string, headers = {}): Promise<TestResponse> =>
    running.get(PATH, { authorization: `Bearer ${token}`, ...headers });

  it('returns the subject, and the claims from the scope and the request that the user has filled in', async () => {
    expect((await get(await requestToken({ scope: 'openid' }))).json).to.deep.equal({ sub: userId() });
    expect((await get(await requestToken({ scope: 'openid profile email phone address' }))).json).to.include({
      sub: userId(),
      preferred_username: user.username,
    });
    const claims = JSON.stringify({ userinfo: { preferred_username: { essential: true }, nickname: null } });
    expect((await get(await requestToken({ scope: 'openid', claims }))).json).to.deep.equal({
      sub: userId(),
      preferred_username: user.username,
    });
  });

  it('does not return claims that were requested for the ID token', async () => {
    const claims = JSON.stringify({ id_token: { preferred_username: null } });
    expect((await get(await requestToken({ scope: 'openid', claims }))).json).to.deep.equal({ sub: userId() });
  });

  it('returns the claims that the operator maps to a scope', async () => {
    const { json } = await get(await requestToken({ scope: 'openid staff' }));
    expect(json).to.deep.equal({ sub: userId(), preferred_username: user.username });
  });

  it('accepts the token in the header or a POST body, but not in both or in the query (RFC 6750 §2)', async () => {
    const token = await requestToken({ scope: 'openid' });
    const header = { authorization: `Bearer ${token}` };
    expect((await running.post(PATH, '', header)).json).to.deep.equal({ sub: userId() });
    expect((await running.send(PATH, { method: 'POST', headers: header })).status).to.equal(200);
    expect((await running.post(PATH, { access_token: token })).json).to.deep.equal({ sub: userId() });
    const response = await running.post(PATH, { access_token: token }, header);
    expect([response.status, response.json?.['error']]).to.deep.equal([400, 'invalid_request']);
    expect((await running.get(`${PATH}?access_token=${token}`)).status).to.equal(401);
    expect((await running.post(`${PATH}?access_token=${token}`, '')).status).to.equal(400);
  });

  it('refuses a missing or unknown token and a token without the openid scope as RFC 6750 §3 requires', async () => {
    const challenge = ({ status, headers }: TestResponse) => [status, headers.get('www-authenticate')];
    expect(challenge(await running.get(PATH))).to.deep.equal([401, `Bearer realm="api", scope="openid", ${DPOP}`]);
    expect(challenge(await get('gla_wrong'))).to.deep.equal([
      401,
      `Bearer realm="api", error="invalid_token", scope="openid", ${DPOP}`,
    ]);
    expect(challenge(await running.post(PATH, { access_token: 'gla_wrong' }))).to.deep.equal([
      401,
      `Bearer realm="api", error="invalid_token", scope="openid", ${DPOP}`,
    ]);
    expect(challenge(await get(await requestToken({ scope: 'read' })))).to.deep.equal([
      403,
      'Bearer error="insufficient_scope", scope="openid"',
    ]);
  });

  it('explains the refusal of a revoked token in the header and in the body alike', async () => {
    const token = await requestToken({ scope: 'openid' });
    await running.post('/o/revoke_token/', { token }, { authorization: client.basic });
    const explanations = [await get(token), await running.post(PATH, { access_token: token })].map(({ headers }) =>
      running.service().explanations.find(headers.get('x-request-id') ?? ''),
    );
    expect(explanations.map((explanation) => explanation?.clientId)).to.deep.equal([client.id, client.id]);
    expect(explanations[1]?.rule).to.equal(explanations[0]?.rule).and.not.equal('token-unknown');
  });

  it('refuses a token in the body that exceeds the maximum token length', async () => {
    for (const length of [16_385, 30_000])
      expect((await running.post(PATH, { access_token: 'x'.repeat(length) })).status).to.equal(401);
  });

  it('returns invalid_token for a disabled or erased user, and for a revoked token', async () => {
    const [disabledUserToken, revokedToken, erasedUserToken] = [
      await requestToken({ scope: 'openid' }),
      await requestToken({ scope: 'openid' }),
      await requestToken({ scope: 'openid' }),
    ];
    const expectInvalid = async (token: string): Promise<void> => {
      for (const response of [await get(token), await running.post(PATH, { access_token: token })]) {
        expect(response.status).to.equal(401);
        expect(response.headers.get('www-authenticate')).to.include('error="invalid_token"');
        expect(response.text).not.to.include(userId());
      }
    };
    await running.post('/o/revoke_token/', { token: revokedToken }, { authorization: client.basic });
    await expectInvalid(revokedToken);
    await running.service().accounts.disable(account(), OPERATOR);
    await expectInvalid(disabledUserToken);
    const { userId: id } = account();
    await running.service().accounts.erase(account(), OPERATOR);
    expect((await get(erasedUserToken)).status).to.equal(401);
    expect((await get(erasedUserToken)).text).not.to.include(id);
  });

  it('is signed for a client that registered an algorithm, and is not an ID token', async () => {
    client = await running.addClient({ openid: { userinfoAlgorithm: 'ES256' } });
    const { headers, text } = await get(await requestToken({ scope: 'openid profile' }));
    expect(headers.get('content-type')).to.include('application/jwt');
    expect(headers.get('cache-control')).to.equal('no-store');
    const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', running.origin()));
    const { payload, protectedHeader } = await jwtVerify(text, keys, {
      issuer: 'http://localhost:8000',
      audience: client.id,
    });
    expect(payload).to.include({ sub: userId(), preferred_username: user.username });
    expect(protectedHeader).to.include({ alg: 'ES256' }).and.not.include({ typ: 'JWT' });
  });

  it("can be read only by scripts from the client's origins", async () => {
    const token = await requestToken({ scope: 'openid' });
    await running.addClient({ allowedOrigins: ['https://other.example'] });
    const readAllowedOrigins = async (origin: string) => [
      (await get(token, { origin })).headers.get('access-control-allow-origin'),
      (await running.post(PATH, { access_token: token }, { origin })).headers.get('access-control-allow-origin'),
    ];
    expect(await readAllowedOrigins(ORIGIN)).to.deep.equal([ORIGIN, ORIGIN]);
    expect(await readAllowedOrigins('https://other.example')).to.deep.equal([null, null]);
  });

  it('returns a pairwise subject to a client with that subject type', async () => {
    const requestSubject = async (options: Parameters<RunningService['addClient']>[0]): Promise<unknown> => {
      client = await running.addClient(options);
      return (await get(await requestToken({ scope: 'openid' }))).json?.['sub'];
    };
    const subject = await requestSubject({ openid: { subjectType: 'pairwise' } });
    expect(subject).to.be.a('string').and.not.equal(userId());
  });
});
