import { expect } from 'chai';
import { parseRedirect, authorizePath, openSession } from '../support/authorize-requests.ts';
import { expectRefusal, expectTokens, isAccepted, expectNothingAppended } from '../support/protocol-responses.ts';
import {
  REDIRECT_URI,
  runningService,
  type TestResponse,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const TOKENS = { scope: 'read write', refresh: true };

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

  const redeem = (
    code: string,
    parameters: Readonly<Record<string, string>> = {},
    caller = client,
  ): Promise<TestResponse> =>
    running.post('/o/token/', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      client_id: caller.id,
      client_secret: caller.secret,
      ...parameters,
    });

  it('is returned with the state and the issuer, and yields an access and a refresh token', async () => {
    const browser = await openSession(running, owner);
    const { address, parameters } = parseRedirect(
      await browser.submit(await browser.get(authorizePath(client, { state: 'xyz' })), { allow: 'Authorize' }),
    );
    expect(address).to.equal(REDIRECT_URI);
    expect(parameters).to.have.all.keys('code', 'state', 'iss');
    expect(parameters).to.include({ state: 'xyz', iss: 'http://localhost:8000' });
    const { access } = expectTokens(await redeem(parameters['code'] ?? ''), TOKENS);
    expect(await isAccepted(running, access)).to.equal(true);
  });

  it('is returned without a state if the request has none', async () => {
    const browser = await openSession(running, owner);
    const { parameters } = parseRedirect(
      await browser.submit(await browser.get(authorizePath(client)), { allow: 'Authorize' }),
    );
    expect(parameters).to.have.all.keys('code', 'iss');
  });

  it('can be redeemed with client credentials in the header', async () => {
    const code = await running.authorize(client, owner);
    expectTokens(
      await running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI }),
      TOKENS,
    );
  });

  it('is valid for sixty seconds', async () => {
    const [timelyCode, lateCode] = [await running.authorize(client, owner), await running.authorize(client, owner)];
    running.clock.advance(59);
    expectTokens(await redeem(timelyCode), TOKENS);
    running.clock.advance(1);
    expectRefusal(await expectNothingAppended(running, () => redeem(lateCode)), 'invalid_grant');
  });

  it('is refused with the wrong client, redirect URI or secret, and stays valid', async () => {
    const otherClient = await running.addClient();
    const code = await running.authorize(client, owner);
    const attempts: [() => Promise<TestResponse>, string][] = [
      [() => redeem(code, {}, otherClient), 'invalid_grant'],
      [() => redeem(code, { redirect_uri: `${REDIRECT_URI}/` }), 'invalid_grant'],
      [() => redeem(code, { redirect_uri: '' }), 'invalid_grant'],
      [() => redeem(code, { client_secret: 'wrong' }), 'invalid_client'],
      [() => redeem(code, { client_secret: '' }), 'invalid_client'],
    ];
    for (const [attempt, error] of attempts) expectRefusal(await expectNothingAppended(running, attempt), error);
    expectTokens(await redeem(code), TOKENS);
  });

  it('is refused with an identical response for every reason', async () => {
    const otherClient = await running.addClient();
    const code = await running.authorize(client, owner);
    const expiredCode = await running.authorize(client, owner);
    running.clock.advance(60);
    const validCode = await running.authorize(client, owner);
    const responses = [
      await redeem('unknown'),
      await redeem(code.slice(0, -1)),
      await redeem(expiredCode),
      await redeem(validCode, {}, otherClient),
      await redeem(validCode, { redirect_uri: 'https://app.example/' }),
      await redeem(validCode, { code_verifier: 'v'.repeat(43) }),
    ];
    responses.forEach((response) => expectRefusal(response, 'invalid_grant'));
    expect(new Set(responses.map(({ text }) => text)).size).to.equal(1);
  });

  it('requires no redirect URI if the authorization request had none', async () => {
    const browser = await openSession(running, owner);
    const obtainCode = async (): Promise<string> => {
      const page = await browser.get(authorizePath(client, { redirect_uri: null }));
      return parseRedirect(await browser.submit(page, { allow: 'Authorize' })).parameters['code'] ?? '';
    };
    expectTokens(await redeem(await obtainCode(), { redirect_uri: '' }), TOKENS);
    expectTokens(await redeem(await obtainCode()), TOKENS);
    const code = await obtainCode();
    expectRefusal(
      await expectNothingAppended(running, () => redeem(code, { redirect_uri: 'https://app.example/' })),
      'invalid_grant',
    );
  });

  it('yields the scope that the user consented to, even if the token request asks for more', async () => {
    const code = await running.authorize(client, owner, { scope: 'read' });
    expectTokens(await redeem(code, { scope: 'read write groups' }), { scope: 'read', refresh: true });
  });

  it('is required in a token request', async () => {
    expectRefusal(await expectNothingAppended(running, () => redeem('')), 'invalid_request');
  });

  it('is refused to a client that is not registered for the grant type', async () => {
    const otherClient = await running.addClient({ grantTypes: ['password'] });
    const code = await running.authorize(client, owner);
    expectRefusal(await expectNothingAppended(running, () => redeem(code, {}, otherClient)), 'unauthorized_client');
  });

  it('is refused once its user is disabled or its client is removed', async () => {
    const { accounts, projections, registration } = running.service();
    const code = await running.authorize(client, owner);
    await accounts.disable(projections.users.findByName(owner.username)!, OPERATOR);
    expectRefusal(await expectNothingAppended(running, () => redeem(code)), 'invalid_grant');
    const otherCode = await running.authorize(client, await running.addUser());
    await registration.remove(projections.clients.find(client.id)!.clientId, OPERATOR);
    expectRefusal(await expectNothingAppended(running, () => redeem(otherCode)), 'invalid_client');
  });

  it('survives a restart', async () => {
    const code = await running.authorize(client, owner);
    await running.restart();
    expectTokens(await redeem(code), TOKENS);
  });
});
