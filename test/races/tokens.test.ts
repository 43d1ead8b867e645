import { englishMessages } from '../support/english-messages.ts';
import { expect } from 'chai';
import type { ClientId } from '../../src/domain/values.ts';
import type { Client } from '../../src/projections/clients.ts';
import type { User } from '../../src/projections/users.ts';
import { pbkdf2Of } from '../support/quick-hasher.ts';
import { startRacingService, type RacingService } from '../support/racing-service.ts';
import { REDIRECT_URI } from '../support/running-service.ts';
import type { TestResponse, RunningService, TestClient, TestUser } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const GRANT = /^grant-/;

describe('A token request in flight', () => {
  let racing: RacingService;
  let running: RunningService;
  let ada: TestUser;
  let client: TestClient;

  beforeEach(async () => {
    racing = await startRacingService({ settings: { refreshTokenLifetimeSeconds: 7_200 } });
    ({ running } = racing);
    ada = await running.addUser('ada');
    client = await running.addClient();
  });
  afterEach(() => racing.close());

  const user = (): User => running.service().projections.users.findByName('ada') ?? expect.fail();
  const registeredClient = (): Client => running.service().projections.clients.find(client.id) ?? expect.fail();
  const id = (): ClientId => registeredClient().clientId;
  const update = (changes: Partial<Client>) =>
    running.service().registration.update(id(), { ...registeredClient(), ...changes }, OPERATOR);
  const countEvents = async (type: string): Promise<number> =>
    (await running.events()).filter((event) => event.type === type).length;

  const requestWithPassword = (): Promise<TestResponse> => running.token(client, { grant_type: 'password', ...ada });
  const requestWithClientCredentials = (): Promise<TestResponse> =>
    running.token(client, { grant_type: 'client_credentials' });
  async function prepareRedemption(): Promise<() => Promise<TestResponse>> {
    const code = await running.authorize(client, ada);
    return () => running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
  }
  async function prepareRefresh(): Promise<() => Promise<TestResponse>> {
    const { json } = await requestWithPassword();
    return () => running.token(client, { grant_type: 'refresh_token', refresh_token: String(json?.['refresh_token']) });
  }

  const CLIENT_CHANGES: Readonly<Record<string, readonly [error: string, change: () => Promise<unknown>]>> = {
    'the secret is rotated': ['invalid_client', () => running.service().registration.rotateSecret(id(), OPERATOR)],
    'the client is removed': ['invalid_client', () => running.service().registration.remove(id(), OPERATOR)],
    'the client is registered for other grant types': [
      'unauthorized_client',
      () => update({ grantTypes: ['authorization-code'] }),
    ],
  };
  for (const [event, [error, change]] of Object.entries(CLIENT_CHANGES)) {
    it(`with a password is refused if ${event} while the password is being checked`, async () => {
      const [{ json }] = await racing.duringHash(requestWithPassword, change);
      expect(json?.['error']).to.equal(error);
      expect(await countEvents('AccessTokenIssued')).to.equal(0);
    });

    it(`with a password is refused if ${event} before the token is recorded`, async () => {
      const [{ json }] = await racing.runBehind(change, GRANT, requestWithPassword);
      expect(json?.['error']).to.equal(error);
      expect(await countEvents('AccessTokenIssued')).to.equal(0);
    });

    it(`with client credentials is refused if ${event} before the token is recorded`, async () => {
      const [{ json }] = await racing.runBehind(change, GRANT, requestWithClientCredentials);
      expect(json?.['error']).to.equal(error);
      expect(await countEvents('AccessTokenIssued')).to.equal(0);
    });
  }

  it('with a code or a refresh token is refused after the client is removed, without using it up', async () => {
    const [redeem, refresh] = [await prepareRedemption(), await prepareRefresh()];
    const [, remove] = CLIENT_CHANGES['the client is removed']!;
    const [responses] = await racing.runBehind(remove, GRANT, () => Promise.all([redeem(), refresh()]));
    expect(responses.map(({ json }) => json?.['error'])).to.deep.equal(['invalid_client', 'invalid_client']);
    expect([await countEvents('AuthorizationCodeRedeemed'), await countEvents('RefreshTokenRotated')]).to.deep.equal([
      0, 0,
    ]);
  });

  it('succeeds even if the client is renamed during the request', async () => {
    const [response] = await racing.runBehind(() => update({ name: 'Renamed' }), GRANT, requestWithClientCredentials);
    expect(response.status).to.equal(200);
    expect(await countEvents('AccessTokenIssued')).to.equal(1);
  });

  const USER_CHANGES: Readonly<Record<string, () => Promise<unknown>>> = {
    'the password is changed': () => running.service().accounts.changePassword(user(), 'another password', OPERATOR),
    'the user is disabled': () => running.service().accounts.disable(user(), OPERATOR),
    'the user is erased': () => running.service().accounts.erase(user(), OPERATOR),
  };
  for (const [event, change] of Object.entries(USER_CHANGES)) {
    it(`with a password is refused if ${event} before the token is recorded`, async () => {
      const [{ json }] = await racing.runBehind(change, GRANT, requestWithPassword);
      expect(json?.['error']).to.equal('invalid_grant');
      expect(await countEvents('AccessTokenIssued')).to.equal(0);
    });
  }

  it('with a password is evaluated again if the account changes while it is being appended', async () => {
    const profile = { email: 'ada@example.org', firstName: '', lastName: '' };
    const rename = () => running.service().accounts.changeProfile(user(), profile, OPERATOR);
    const [response] = await racing.duringAppend(requestWithPassword, GRANT, rename);
    expect(response.status).to.equal(200);
    const [{ json }] = await racing.duringAppend(requestWithPassword, GRANT, USER_CHANGES['the password is changed']!);
    expect(json?.['error']).to.equal('invalid_grant');
    expect(await countEvents('ConsentGiven')).to.equal(1);
  });

  for (const event of ['the user is disabled', 'the user is erased']) {
    it(`with a code or a refresh token is refused if ${event} before the token is recorded`, async () => {
      const [redeem, refresh] = [await prepareRedemption(), await prepareRefresh()];
      const [responses] = await racing.runBehind(USER_CHANGES[event]!, GRANT, () => Promise.all([redeem(), refresh()]));
      expect(responses.map(({ json }) => json?.['error'])).to.deep.equal(['invalid_grant', 'invalid_grant']);
    });
  }

  it('is explained if it is refused because its user was disabled', async () => {
    const ownedClient = await running.addClient({ owner: 'ada' });
    const bob = await running.addUser('bob');
    const account = running.service().projections.users.findByName('bob') ?? expect.fail();
    const code = await running.authorize(ownedClient, bob);
    const redeem = () =>
      running.token(ownedClient, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
    const disable = () => running.service().accounts.disable(account, OPERATOR);
    const [response] = await racing.runBehind(disable, GRANT, redeem);
    const explanation = running.service().explanations.find(response.headers.get('x-request-id') ?? '');
    expect(englishMessages(explanation)['seen']).to.include('was disabled or erased');
  });

  it('is refused if its client is removed while its imported secret is being rehashed', async () => {
    const secret = 'a secret from elsewhere';
    const fields = { ...registeredClient(), name: 'Imported' };
    const credentials = { clientId: 'imported', clientSecret: null, clientSecretHash: pbkdf2Of(secret) };
    await running.service().registration.register(fields, null, OPERATOR, credentials);
    const importedClient = {
      id: 'imported',
      secret,
      basic: `Basic ${Buffer.from(`imported:${secret}`).toString('base64')}`,
    };
    const remove = () => running.service().registration.remove('imported' as ClientId, OPERATOR);
    const request = () => running.token(importedClient, { grant_type: 'client_credentials' });
    const [response] = await racing.duringHash(request, remove, 3);
    expect(response.json?.['error']).to.equal('invalid_client');
    expect(await countEvents('AccessTokenIssued')).to.equal(0);
  });
});
