import { expect } from 'chai';
import { decodeProtectedHeader } from 'jose';
import {
  SIGNING_ALGORITHMS,
  type EpochSeconds,
  type KeyId,
  type SigningAlgorithm,
} from '../../../src/domain/values.ts';
import { seconds } from '../../support/domain-values.ts';
import { isAccepted } from '../../support/protocol-responses.ts';
import { runningService, type RunningService, type TestClient } from '../../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('a key retired while its tokens are still valid', () => {
  let running: RunningService;
  let caller: TestClient;

  beforeEach(async () => {
    running = await runningService();
    caller = await running.addClient();
  });
  afterEach(() => running.close());

  const now = (): EpochSeconds => seconds(Math.floor(running.clock.now() / 1000));
  const introspect = async (token: string): Promise<unknown> =>
    (await running.post('/o/introspect/', { token }, { authorization: caller.basic })).json?.['active'];

  async function addJwtClient(accessTokenAlgorithm: SigningAlgorithm): Promise<TestClient> {
    return running.addClient({ accessTokenFormat: 'jwt', accessTokenAlgorithm });
  }

  async function requestToken(client: TestClient): Promise<{ readonly token: string; readonly kid: KeyId }> {
    const { json } = await running.token(client, { grant_type: 'client_credentials' });
    const token = String(json?.['access_token']);
    return { token, kid: decodeProtectedHeader(token).kid as KeyId };
  }

  async function retire(algorithm: SigningAlgorithm, kid: KeyId): Promise<void> {
    const { keyRotation } = running.service();
    await keyRotation.introduce(algorithm, now(), 'requested');
    expect(await keyRotation.retire(kid, now(), OPERATOR)).to.equal(undefined);
  }

  for (const algorithm of SIGNING_ALGORITHMS)
    it(`invalidates its tokens at this server, and lets a different key sign new ones: ${algorithm}`, async () => {
      const client = await addJwtClient(algorithm);
      const { token, kid } = await requestToken(client);
      expect([await isAccepted(running, token), await introspect(token)]).to.deep.equal([true, true]);
      await retire(algorithm, kid);
      expect([await isAccepted(running, token), await introspect(token)]).to.deep.equal([false, false]);
      const { keys } = (await running.get('/.well-known/jwks.json')).json as { keys: readonly { kid: string }[] };
      expect(keys.map((key) => key.kid)).not.to.include(kid);
      const newToken = await requestToken(client);
      expect(newToken.kid).not.to.equal(kid);
      expect([await isAccepted(running, newToken.token), await introspect(newToken.token)]).to.deep.equal([true, true]);
      await running.restart();
      expect([await isAccepted(running, token), await isAccepted(running, newToken.token)]).to.deep.equal([
        false,
        true,
      ]);
    });

  it('does not affect opaque tokens or tokens that other keys signed', async () => {
    const { kid } = await requestToken(await addJwtClient('RS256'));
    const otherToken = await requestToken(await addJwtClient('ES256'));
    const opaqueResponse = await running.token(caller, { grant_type: 'client_credentials' });
    await retire('RS256', kid);
    for (const token of [otherToken.token, String(opaqueResponse.json?.['access_token'])])
      expect(await isAccepted(running, token)).to.equal(true);
  });

  it('appears in the explanation of a refused token', async () => {
    const { token, kid } = await requestToken(await addJwtClient('PS256'));
    await retire('PS256', kid);
    const { postMortem } = running.service();
    const { refusal } = await postMortem.explainInvalidAccessToken(token, now());
    expect(refusal).to.deep.equal({ rule: 'token-key-retired', kid });
  });

  it('does not prevent the client from revoking the grant of the token', async () => {
    const client = await addJwtClient('RS256');
    const { token, kid } = await requestToken(client);
    await retire('RS256', kid);
    expect((await running.post('/o/revoke_token/', { token }, { authorization: client.basic })).status).to.equal(200);
    expect((await running.events()).at(-1)?.type).to.equal('GrantRevoked');
  });

  it('prevents the repetition of a lost response, so that the client must refresh with the newest token', async () => {
    const user = await running.addUser();
    const client = await addJwtClient('EdDSA');
    const { json } = await running.token(client, { grant_type: 'password', ...user });
    const refreshRequest = { grant_type: 'refresh_token', refresh_token: String(json?.['refresh_token']) };
    const firstResponse = await running.token(client, refreshRequest);
    await retire('EdDSA', decodeProtectedHeader(String(firstResponse.json?.['access_token'])).kid as KeyId);
    const repeatedResponse = await running.token(client, refreshRequest);
    expect([repeatedResponse.status, repeatedResponse.json?.['error']]).to.deep.equal([400, 'invalid_grant']);
    const nextRequest = { grant_type: 'refresh_token', refresh_token: String(firstResponse.json?.['refresh_token']) };
    expect((await running.token(client, nextRequest)).status).to.equal(200);
  });
});
