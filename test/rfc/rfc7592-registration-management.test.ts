import { expect } from 'chai';
import { expectErrorPage, openSession } from '../support/authorize-requests.ts';
import type { BrowserSession } from '../support/browser-session.ts';
import { expectNothingAppended, expectRefusal } from '../support/protocol-responses.ts';
import {
  openConsentPage,
  obtainCode,
  EDITOR,
  redeem,
  registerSuccessfully,
  type RegistrationResponse,
} from '../support/registrations.ts';
import { runningService, type TestResponse, type RunningService } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('RFC 7592: a client that registered itself', () => {
  let running: RunningService;
  let browser: BrowserSession;

  before(async () => {
    running = await runningService({ settings: { dynamicRegistration: 'open' } });
    browser = await openSession(running, await running.addUser());
  });
  after(() => running.close());

  async function registerAuthorizedClient(): Promise<RegistrationResponse> {
    const client = await registerSuccessfully(running);
    await obtainCode(browser, client.client_id);
    return client;
  }

  function send(
    { registration_client_uri: uri, registration_access_token: token }: RegistrationResponse,
    method: string,
    metadata?: object,
  ): Promise<TestResponse> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = metadata === undefined ? {} : { body: JSON.stringify(metadata) };
    return running.send(new URL(uri).pathname, { method, headers, ...body });
  }

  it('can read its registration, before and after a user has authorized it', async () => {
    const client = await registerSuccessfully(running);
    const { registration_access_token: _token, ...registration } = client;
    for (const step of ['before', 'after']) {
      const response = await expectNothingAppended(running, () => send(client, 'GET'));
      expect(response.status, step).to.equal(200);
      expect(response.json, step).to.deep.include(registration);
      if (step === 'before') await obtainCode(browser, client.client_id);
    }
  });

  it('can replace its registration after a user has authorized it', async () => {
    const client = await registerAuthorizedClient();
    const change = { ...EDITOR, client_name: 'Renamed', redirect_uris: ['http://127.0.0.1/new'] };
    const response = await send(client, 'PUT', { ...change, client_id: client.client_id });
    expect(response.status, response.text).to.equal(200);
    expect(response.json).to.deep.include(change);
    expectErrorPage(await openConsentPage(browser, client.client_id));
    expect((await openConsentPage(browser, client.client_id, 'http://127.0.0.1:9/new')).status).to.equal(200);
    const events = (await running.events()).filter(({ stream }) => stream === `client-${client.client_id}`);
    expect(events.map(({ type, actor }) => [type, actor.kind])).to.deep.equal([
      ['ClientRegistered', 'user'],
      ['ClientUpdated', 'client'],
    ]);
  });

  it("cannot weaken the operator's settings, but can require more security", async () => {
    const { client_id, ...client } = await registerAuthorizedClient();
    const { projections, registration } = running.service();
    const currentClient = () => projections.clients.find(client_id) ?? expect.fail();
    const operatorFields = {
      mode: 'test',
      secondFactorRequired: true,
      accessTokenFormat: 'jwt',
      security: {
        ...currentClient().security,
        requirePushedAuthorizationRequests: true,
        introspectionAlgorithm: 'PS256',
      },
    } as const;
    await registration.update(currentClient().clientId, { ...currentClient(), ...operatorFields }, OPERATOR);
    const change = { ...EDITOR, client_id, client_name: 'Renamed', dpop_bound_access_tokens: true };
    const securityFields = { require_pushed_authorization_requests: true, dpop_bound_access_tokens: true };
    const response = await send({ client_id, ...client }, 'PUT', change);
    expect(response.json).to.deep.include({ client_name: 'Renamed', ...securityFields });
    const weakenedChange = { ...change, require_pushed_authorization_requests: false, dpop_bound_access_tokens: false };
    expect((await send({ client_id, ...client }, 'PUT', weakenedChange)).json).to.deep.include(securityFields);
    const security = { ...operatorFields.security, dpopBoundAccessTokens: true };
    expect(currentClient()).to.deep.include({ ...operatorFields, security, name: 'Renamed' });
  });

  it('can be removed together with all its tokens, and stays removed', async () => {
    const client = await registerSuccessfully(running);
    const { json } = await redeem(running, client, await obtainCode(browser, client.client_id));
    expect((await send(client, 'DELETE')).status).to.equal(204);
    const authorization = `Bearer ${String(json?.['access_token'])}`;
    expect((await running.get('/users/', { authorization })).status).to.equal(401);
    expectErrorPage(await openConsentPage(browser, client.client_id));
    expectRefusal(await send(client, 'GET'), 'invalid_token', 401);
  });

  it('cannot change or remove its registration, which is not yet stored, before a user has authorized it', async () => {
    const client = await registerSuccessfully(running);
    const change = { ...EDITOR, client_id: client.client_id };
    for (const [method, body] of [['PUT', change] as const, ['DELETE', undefined] as const]) {
      const response = await expectNothingAppended(running, () => send(client, method, body));
      expectRefusal(response, 'invalid_client_metadata', 403);
    }
  });

  it('is refused without its own token, identically for existing and unknown clients', async () => {
    const [ownRegistration, otherRegistration] = [await registerAuthorizedClient(), await registerAuthorizedClient()];
    const manualClient = await running.addClient();
    const uri = `http://localhost/o/register/${manualClient.id}/`;
    const invalidRequests = [
      { ...ownRegistration, registration_access_token: otherRegistration.registration_access_token },
      { ...ownRegistration, registration_access_token: `${ownRegistration.registration_access_token}x` },
      { ...ownRegistration, registration_client_uri: uri },
      { ...ownRegistration, registration_client_uri: 'http://localhost/o/register/unknown/' },
    ];
    const responses = await Promise.all(invalidRequests.map((client) => send(client, 'GET')));
    for (const response of responses) expectRefusal(response, 'invalid_token', 401);
    expect(new Set(responses.map(({ text }) => text)).size).to.equal(1);
    expectRefusal(await running.get(new URL(ownRegistration.registration_client_uri).pathname), 'invalid_token', 401);
  });

  it('cannot extend its registration beyond the allowed metadata, or change its client id', async () => {
    const client = await registerAuthorizedClient();
    const id = { client_id: client.client_id };
    for (const [metadata, error] of [
      [{ ...EDITOR }, 'invalid_client_metadata'],
      [{ ...EDITOR, client_id: 'other' }, 'invalid_client_metadata'],
      [{ ...EDITOR, ...id, client_secret: 'guess' }, 'invalid_client_metadata'],
      [{ ...EDITOR, ...id, token_endpoint_auth_method: 'client_secret_basic' }, 'invalid_client_metadata'],
      [{ ...EDITOR, ...id, grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
      [{ ...EDITOR, ...id, redirect_uris: ['http://127.0.0.1@evil/'] }, 'invalid_redirect_uri'],
    ] as const)
      expectRefusal(await expectNothingAppended(running, () => send(client, 'PUT', metadata)), error);
  });
});
