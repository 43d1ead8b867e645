import { expect } from 'chai';
import { audit } from '../../src/audit/rules/auditor.ts';
import { decodeUntrustedEvent, type EventOf } from '../../src/domain/events.ts';
import type { ClientId } from '../../src/domain/values.ts';
import { START } from '../../src/event-store/event-log.ts';
import { expectRefusal, expectTokens, expectNothingAppended } from '../support/protocol-responses.ts';
import {
  REDIRECT_URI,
  runningService,
  type TestResponse,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const CLIENT_CREDENTIALS = { grant_type: 'client_credentials' };
const TOKENS = { scope: 'read write', refresh: false };
const OVERLAP = 3_600;

describe('A client secret that is replaced', () => {
  let running: RunningService;
  let old: TestClient;
  let user: TestUser;

  beforeEach(async () => {
    running = await runningService();
    old = await running.addClient();
    user = await running.addUser();
  });
  afterEach(async () => {
    const findings: unknown[] = [];
    for await (const item of audit(running.log.readAll(START))) if ('rule' in item) findings.push(item);
    await running.close();
    expect(findings, 'findings of an audit').to.deep.equal([]);
  });

  async function rotate(overlapSeconds: number): Promise<TestClient> {
    const secret =
      (await running.service().registration.rotateSecret(old.id as ClientId, OPERATOR, overlapSeconds)) ?? '';
    return { id: old.id, secret, basic: `Basic ${Buffer.from(`${old.id}:${secret}`).toString('base64')}` };
  }
  const requestTokens = (
    credentials: TestClient,
    parameters: Readonly<Record<string, string>> = CLIENT_CREDENTIALS,
  ): Promise<TestResponse> => running.token(credentials, parameters);
  const newestToken = async () => (await running.events()).filter(({ type }) => type === 'AccessTokenIssued').at(-1);
  const recordedPreviousSecretUse = async () =>
    (decodeUntrustedEvent((await newestToken())!) as EventOf<'AccessTokenIssued'>).data.previousSecretUsed;
  const uses = () => running.service().projections.clients.find(old.id)?.lastUse;

  it('is invalid immediately unless an overlap was requested', async () => {
    const newSecret = await rotate(0);
    expectRefusal(await expectNothingAppended(running, () => requestTokens(old)), 'invalid_client');
    expectTokens(await requestTokens(newSecret), TOKENS);
  });

  it('is accepted along with the new secret until the overlap ends', async () => {
    const newSecret = await rotate(OVERLAP);
    running.clock.advance(OVERLAP - 1);
    for (const credentials of [old, newSecret]) expectTokens(await requestTokens(credentials), TOKENS);
    running.clock.advance(1);
    expectRefusal(await expectNothingAppended(running, () => requestTokens(old)), 'invalid_client');
    expectTokens(await requestTokens(newSecret), TOKENS);
  });

  it('is accepted at every endpoint where clients authenticate', async () => {
    const { access } = expectTokens(await requestTokens(old), TOKENS);
    await rotate(OVERLAP);
    const introspect = () => running.post('/o/introspect/', { token: access }, { authorization: old.basic });
    expect((await introspect()).json).to.include({ active: true });
    expect((await running.post('/o/revoke_token/', { token: access }, { authorization: old.basic })).status).to.equal(
      200,
    );
    running.clock.advance(OVERLAP);
    expectRefusal(await introspect(), 'invalid_client');
  });

  it('ends immediately with the next rotation, with or without an overlap', async () => {
    for (const next of [OVERLAP, 0]) {
      old = await running.addClient();
      const middle = await rotate(OVERLAP);
      const newSecret = await rotate(next);
      expectRefusal(await requestTokens(old), 'invalid_client');
      if (next === 0) expectRefusal(await requestTokens(middle), 'invalid_client');
      else expectTokens(await requestTokens(middle), TOKENS);
      expectTokens(await requestTokens(newSecret), TOKENS);
    }
  });

  it('stays valid when the application is changed, and ends when it is removed', async () => {
    await rotate(OVERLAP);
    const { registration, projections } = running.service();
    const client = projections.clients.find(old.id);
    if (client === undefined) throw new Error('the client is not registered');
    expect(await registration.update(client.clientId, { ...client, name: 'Renamed' }, OPERATOR)).to.equal(undefined);
    expectTokens(await requestTokens(old), TOKENS);
    await registration.remove(client.clientId, OPERATOR);
    expectRefusal(await requestTokens(old), 'invalid_client');
  });

  it('is recorded with the tokens of every grant that used it, unlike the new secret', async () => {
    const grants = [CLIENT_CREDENTIALS, { grant_type: 'password', username: user.username, password: user.password }];
    const newSecret = await rotate(OVERLAP);
    for (const [credentials, expected] of [
      [old, true],
      [newSecret, undefined],
    ] as const) {
      const code = {
        grant_type: 'authorization_code',
        code: await running.authorize(old, user),
        redirect_uri: REDIRECT_URI,
      };
      for (const parameters of [...grants, code]) {
        const { json } = await requestTokens(credentials, parameters);
        expect(await recordedPreviousSecretUse(), parameters.grant_type).to.equal(expected);
        if (json?.['refresh_token'] === undefined) continue;
        const refresh = { grant_type: 'refresh_token', refresh_token: json['refresh_token'] as string };
        expect((await requestTokens(credentials, refresh)).status).to.equal(200);
        expect(await recordedPreviousSecretUse(), refresh.grant_type).to.equal(expected);
      }
    }
  });

  it('has a recorded last use, which survives a restart', async () => {
    await rotate(OVERLAP);
    await requestTokens(old);
    const oldSecretUse = await newestToken();
    running.clock.advance(60);
    const newSecret = await rotate(OVERLAP); // resets the recorded use of the previous secret
    expect(uses()).to.deep.include({ previousSecret: null });
    await requestTokens(newSecret);
    const newSecretUse = await newestToken();
    expect(uses()).to.deep.equal({
      anySecret: { position: newSecretUse?.position, at: Math.floor(running.clock.now() / 1000) },
      previousSecret: null,
      keys: {},
    });
    expect(newSecretUse?.position).to.be.above(oldSecretUse?.position ?? 0);
    const before = uses();
    await running.restart();
    expect(uses()).to.deep.equal(before);
  });

  it('can be user-chosen, and its slow hash is no longer needed after the overlap', async () => {
    const fields = {
      name: 'Imported',
      clientType: 'confidential',
      grantTypes: ['client-credentials'],
      redirectUris: [],
      allowedOrigins: [],
      skipAuthorization: false,
    };
    await running
      .service()
      .registration.register(fields, null, OPERATOR, { clientId: 'imported', clientSecret: 'hunter2' });
    old = { id: 'imported', secret: 'hunter2', basic: `Basic ${Buffer.from('imported:hunter2').toString('base64')}` };
    const middle = await rotate(OVERLAP);
    for (const credentials of [old, middle]) expectTokens(await requestTokens(credentials), TOKENS);
    running.clock.advance(OVERLAP);
    expectRefusal(await requestTokens(old), 'invalid_client');
    await rotate(OVERLAP);
    expect(running.service().projections.clients.haveUserChosenSecrets()).to.equal(false);
  });

  it('stays valid for at most thirty days', async () => {
    for (const seconds of [-1, 2_592_001]) {
      const outcome = await rotate(seconds).then(
        () => 'accepted',
        (error: unknown) => error,
      );
      expect(outcome, String(seconds)).to.be.instanceOf(RangeError);
    }
    await rotate(2_592_000);
    expectTokens(await requestTokens(old), TOKENS);
  });
});
