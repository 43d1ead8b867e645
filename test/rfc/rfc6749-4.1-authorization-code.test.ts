import { expect } from 'chai';
import { REDIRECT_URI, runningService, type RunningService, type TestClient, type TestUser } from '../support/running-service.ts';

describe('RFC 6749 §4.1: a code', () => {
  let running: RunningService;
  let client: TestClient;
  let owner: TestUser;

  beforeEach(async () => {
    running = await runningService();
    client = await running.addClient();
    owner = await running.addUser();
  });
  afterEach(() => running.close());

  it('comes back with the state and the issuer, and brings an access and a refresh token', async () => {
    const code = await running.authorize(client, owner, { state: 'xyz' });
    const { status, json } = await running.post('/o/token/', {
      grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, client_id: client.id, client_secret: client.secret,
    });
    expect(status).to.equal(200);
    expect(json).to.have.all.keys('access_token', 'expires_in', 'token_type', 'scope', 'refresh_token');
    expect(json).to.include({ expires_in: 36000, token_type: 'Bearer', scope: 'read write' });
  });
});
