import { expect } from 'chai';
import { expectRefusal, expectTokens, isAccepted, expectNothingAppended } from '../support/protocol-responses.ts';
import { runningService, type RunningService, type TestClient } from '../support/running-service.ts';

describe('RFC 6749 §4.4: client credentials', () => {
  let running: RunningService;
  let client: TestClient;

  beforeEach(async () => {
    running = await runningService();
    client = await running.addClient();
  });
  afterEach(() => running.close());

  it('yield an access token with the scope read write, and no refresh token', async () => {
    const { access } = expectTokens(await running.token(client, { grant_type: 'client_credentials' }), {
      scope: 'read write',
      refresh: false,
    });
    expect(await isAccepted(running, access)).to.equal(true);
  });

  it('yield a different token each time, and earlier tokens stay valid', async () => {
    const tokens = [];
    for (let times = 0; times < 3; times += 1) {
      tokens.push(
        expectTokens(await running.token(client, { grant_type: 'client_credentials' }), {
          scope: 'read write',
          refresh: false,
        }).access,
      );
    }
    expect(new Set(tokens).size).to.equal(3);
    for (const token of tokens) expect(await isAccepted(running, token)).to.equal(true);
  });

  it('are refused to a client that is not registered for them', async () => {
    const otherClient = await running.addClient({ grantTypes: ['password'] });
    expectRefusal(
      await expectNothingAppended(running, () => running.token(otherClient, { grant_type: 'client_credentials' })),
      'unauthorized_client',
    );
  });

  it('yield tokens that become invalid when the client is removed', async () => {
    const { access } = expectTokens(await running.token(client, { grant_type: 'client_credentials' }), {
      scope: 'read write',
      refresh: false,
    });
    const registeredClient = running.service().projections.clients.find(client.id);
    if (registeredClient === undefined) throw new Error('the client is not registered');
    await running
      .service()
      .registration.remove(registeredClient.clientId, { actor: { kind: 'operator' }, requestId: null });
    expect(await isAccepted(running, access)).to.equal(false);
  });
});
