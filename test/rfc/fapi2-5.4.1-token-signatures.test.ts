import { englishMessages } from '../support/english-messages.ts';
import { hash } from 'node:crypto';
import { expect } from 'chai';
import { decodeProtectedHeader } from 'jose';
import { DEVICE_GRANT_TYPE } from '../../src/oauth/grant-types/device-code.ts';
import { approve } from '../support/authorize-requests.ts';
import { signAssertion, keyPairFor, registerKeys, withAssertion } from '../support/assertions.ts';
import { approveDevice } from '../support/devices.ts';
import { signProof, updateSecuritySettings, NONCE_PERIOD_SECONDS } from '../support/dpop.ts';
import { expectRefusal } from '../support/protocol-responses.ts';
import { registerResource } from '../support/resource-servers.ts';
import { runningService, type TestResponse, type RunningService, type TestClient } from '../support/running-service.ts';
import type { ResourceFields } from '../../src/oauth/resources/resource-rules.ts';
import { englishProblem } from '../support/english-problems.ts';

const API = 'https://api.example';
const REDIRECT_URI = 'https://app.example/callback';
const KEY = keyPairFor('ES256', 'key of the FAPI client');
const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const VERIFIER = 'a-verifier-of-a-token-with-enough-characters';

describe('FAPI 2.0 Security Profile §5.4.1: the signature of an access token', () => {
  let running: RunningService;
  let client: TestClient;

  beforeEach(async () => {
    running = await runningService();
    running.clock.advance(NONCE_PERIOD_SECONDS);
    client = await running.addClient({
      grantTypes: ['authorization-code', 'client-credentials', 'device-code'],
      redirectUris: [REDIRECT_URI],
    });
    await registerKeys(running, client, KEY);
    await updateSecuritySettings(running, client, { profile: 'fapi2' });
  });
  afterEach(() => running.close());

  type Signature = Pick<ResourceFields, 'accessTokenFormat' | 'accessTokenAlgorithm'>;
  const RS256: Signature = { accessTokenFormat: 'jwt', accessTokenAlgorithm: 'RS256' };
  const EDDSA: Signature = { accessTokenFormat: 'jwt', accessTokenAlgorithm: 'EdDSA' };

  const registerApi = (signature: Signature) => registerResource(running, { uri: API, scopes: [], ...signature });

  async function changeApi(signature: Signature): Promise<void> {
    const resource = running.service().projections.resources.find(API) ?? expect.fail('the API is not registered');
    const result = await running
      .service()
      .resourceRegistry.update(API, { ...resource, ...signature, detailTypes: '' }, OPERATOR);
    expect(result).not.to.have.property('errors');
  }

  const send = async (path: string, parameters: Readonly<Record<string, string>>): Promise<TestResponse> =>
    running.post(
      path,
      { ...parameters, ...withAssertion(await signAssertion(running, client, KEY)) },
      path === '/o/token/' ? { dpop: await signProof(running, KEY) } : {},
    );
  const requestToken = (parameters: Readonly<Record<string, string>>): Promise<TestResponse> =>
    send('/o/token/', parameters);
  const readAlgorithm = ({ json, text }: TestResponse): string | undefined => {
    expect(json?.['token_type'], text).to.equal('DPoP');
    return decodeProtectedHeader(String(json?.['access_token'])).alg;
  };

  async function obtainCode(): Promise<string> {
    const pushResponse = await send('/o/par/', {
      response_type: 'code',
      scope: 'read',
      resource: API,
      redirect_uri: REDIRECT_URI,
      code_challenge: hash('sha256', VERIFIER, 'base64url'),
      code_challenge_method: 'S256',
    });
    const query = new URLSearchParams({
      client_id: client.id,
      request_uri: String(pushResponse.json?.['request_uri']),
    });
    const url = `${running.origin()}/o/authorize/?${query.toString()}`;
    return (await approve(running, await running.addUser(), url)).searchParams.get('code') ?? '';
  }

  async function approveNewDevice(): Promise<string> {
    const { json } = await send('/o/device_authorization/', { scope: 'read', resource: API });
    const [device, user] = [String(json?.['device_code']), String(json?.['user_code'])];
    await approveDevice(running, await running.addUser(), { device, user, complete: '' });
    return device;
  }

  const redeem = (code: string): Promise<TestResponse> =>
    requestToken({
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      code_verifier: VERIFIER,
    });

  /** Functions that prepare a repeatable token request for the API, one for each grant type that the profile allows. */
  const REQUESTS: Readonly<Record<string, () => Promise<() => Promise<TestResponse>>>> = {
    async client_credentials() {
      return () => requestToken({ grant_type: 'client_credentials', scope: 'read', resource: API });
    },
    async authorization_code() {
      const code = await obtainCode();
      return () => redeem(code);
    },
    async refresh_token() {
      await changeApi(EDDSA);
      const { json } = await redeem(await obtainCode());
      await changeApi(RS256);
      return () => requestToken({ grant_type: 'refresh_token', refresh_token: String(json?.['refresh_token']) });
    },
    async device_code() {
      const deviceCode = await approveNewDevice();
      return () => requestToken({ grant_type: DEVICE_GRANT_TYPE, device_code: deviceCode });
    },
  };

  for (const [name, prepare] of Object.entries(REQUESTS))
    it(`is never RS256, even if the resource server requires RS256, with ${name}`, async () => {
      await registerApi(RS256);
      const request = await prepare();
      const refusal = await request();
      expectRefusal(refusal, 'invalid_target');
      const explanation = running.service().explanations.find(refusal.headers.get('x-request-id') ?? '');
      expect(explanation?.details).to.deep.include({ seen: 'RS256', resources: [API] });
      expect(englishMessages(explanation)).to.include({ expected: 'PS256, ES256, EdDSA', seen: `RS256 for ${API}` });
      expect(englishMessages(explanation)['advice']).to.include(
        'grantlog resource update URI --access-token-algorithm PS256',
      );
      await changeApi({ accessTokenFormat: 'jwt', accessTokenAlgorithm: 'ES256' });
      expect(readAlgorithm(await request()), 'the same request succeeds after the refusal').to.equal('ES256');
    });

  it("uses the client's algorithm if the resource server requires JWTs but no specific algorithm", async () => {
    await registerApi({ accessTokenFormat: 'jwt', accessTokenAlgorithm: null });
    expect(readAlgorithm(await requestToken({ grant_type: 'client_credentials', resource: API }))).to.equal('PS256');
  });

  it('cannot be registered as RS256, even for opaque tokens', async () => {
    const { registration, projections } = running.service();
    const registeredClient = projections.clients.find(client.id) ?? expect.fail('the client is not registered');
    const fields = { ...registeredClient, accessTokenFormat: 'opaque', accessTokenAlgorithm: 'RS256' };
    const result = await registration.update(registeredClient.clientId, fields, OPERATOR);
    expect(result && 'errors' in result && englishProblem(result.errors.accessTokenAlgorithm)).to.equal(
      'FAPI 2.0 (§5.4.1) forbids RS256: choose one of PS256, ES256, EdDSA.',
    );
  });

  it('is not checked for opaque tokens', async () => {
    await registerApi({ accessTokenFormat: 'opaque', accessTokenAlgorithm: 'RS256' });
    expect((await requestToken({ grant_type: 'client_credentials', resource: API })).status).to.equal(200);
  });

  it('is checked before a client credentials request adds a grant to the log', async () => {
    await registerApi(RS256);
    const request = () => requestToken({ grant_type: 'client_credentials', resource: API });
    const eventCount = (await running.events()).length;
    expectRefusal(await request(), 'invalid_target');
    expect((await running.events()).slice(eventCount).map(({ type }) => type)).to.deep.equal([
      'ClientAssertionAccepted',
    ]);
  });

  it('can be RS256 for a client without the profile', async () => {
    await registerApi(RS256);
    const otherClient = await running.addClient();
    const response = await running.token(otherClient, { grant_type: 'client_credentials', resource: API });
    expect(decodeProtectedHeader(String(response.json?.['access_token'])).alg).to.equal('RS256');
  });
});
