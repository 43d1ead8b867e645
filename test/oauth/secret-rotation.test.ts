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
const EXPECTED_TOKENS = { scope: 'read write', refresh: false };
const OVERLAP = 3_600;

describe('A replaced client secret', () => {
  let running: RunningService;
  let oldCredentials: TestClient;
  let user: TestUser;

  beforeEach(async () => {
    running = await runningService();
    oldCredentials = await running.addClient();
    user = await running.addUser();
  });
  afterEach(async () => {
    const findings: unknown[] = [];
    for await (const item of audit(running.log.readAll(START))) if ('rule' in item) findings.push(item);
    await running.close();
    expect(findings, 'audit findings').to.deep.equal([]);
  });

  async function rotate(overlapSeconds: number): Promise<TestClient> {
    const secret =
      (await running.service().registration.rotateSecret(oldCredentials.id as ClientId, OPERATOR, overlapSeconds)) ??
      '';
    return {
      id: oldCredentials.id,
      secret,
      basic: `Basic ${Buffer.from(`${oldCredentials.id}:${secret}`).toString('base64')}`,
    };
  }
  const requestTokens = (
    credentials: TestClient,
    parameters: Readonly<Record<string, string>> = CLIENT_CREDENTIALS,
  ): Promise<TestResponse> => running.token(credentials, parameters);
  const newestTokenEvent = async () =>
    (await running.events()).filter(({ type }) => type === 'AccessTokenIssued').at(-1);
  const recordedPreviousSecretUse = async () =>
    (decodeUntrustedEvent((await newestTokenEvent())!) as EventOf<'AccessTokenIssued'>).data.previousSecretUsed;
  const lastUse = () => running.service().projections.clients.find(oldCredentials.id)?.lastUse;

  it('is invalid immediately unless an overlap was requested', async () => {
    const newCredentials = await rotate(0);
    expectRefusal(await expectNothingAppended(running, () => requestTokens(oldCredentials)), 'invalid_client');
    expectTokens(await requestTokens(newCredentials), EXPECTED_TOKENS);
  });

  it('is accepted along with the new secret until the overlap ends', async () => {
    const newCredentials = await rotate(OVERLAP);
    running.clock.advance(OVERLAP - 1);
    for (const credentials of [oldCredentials, newCredentials])
      expectTokens(await requestTokens(credentials), EXPECTED_TOKENS);
    running.clock.advance(1);
    expectRefusal(await expectNothingAppended(running, () => requestTokens(oldCredentials)), 'invalid_client');
    expectTokens(await requestTokens(newCredentials), EXPECTED_TOKENS);
  });

  it('is accepted at every endpoint where clients authenticate', async () => {
    const { access } = expectTokens(await requestTokens(oldCredentials), EXPECTED_TOKENS);
    await rotate(OVERLAP);
    const introspect = () => running.post('/o/introspect/', { token: access }, { authorization: oldCredentials.basic });
    expect((await introspect()).json).to.include({ active: true });
    expect(
      (await running.post('/o/revoke_token/', { token: access }, { authorization: oldCredentials.basic })).status,
    ).to.equal(200);
    running.clock.advance(OVERLAP);
    expectRefusal(await introspect(), 'invalid_client');
  });

  it('becomes invalid at the next rotation, with or without an overlap', async () => {
    for (const nextOverlap of [OVERLAP, 0]) {
      oldCredentials = await running.addClient();
      const middleCredentials = await rotate(OVERLAP);
      const newCredentials = await rotate(nextOverlap);
      expectRefusal(await requestTokens(oldCredentials), 'invalid_client');
      if (nextOverlap === 0) expectRefusal(await requestTokens(middleCredentials), 'invalid_client');
      else expectTokens(await requestTokens(middleCredentials), EXPECTED_TOKENS);
      expectTokens(await requestTokens(newCredentials), EXPECTED_TOKENS);
    }
  });

  it('stays valid when the application is changed, but not when it is removed', async () => {
    await rotate(OVERLAP);
    const { registration, projections } = running.service();
    const client = projections.clients.find(oldCredentials.id);
    if (client === undefined) throw new Error('the client is not registered');
    expect(await registration.update(client.clientId, { ...client, name: 'Renamed' }, OPERATOR)).to.equal(undefined);
    expectTokens(await requestTokens(oldCredentials), EXPECTED_TOKENS);
    await registration.remove(client.clientId, OPERATOR);
    expectRefusal(await requestTokens(oldCredentials), 'invalid_client');
  });

  it('has its use recorded with the tokens of every grant type, unlike the new secret', async () => {
    const grants = [CLIENT_CREDENTIALS, { grant_type: 'password', username: user.username, password: user.password }];
    const newCredentials = await rotate(OVERLAP);
    for (const [credentials, expected] of [
      [oldCredentials, true],
      [newCredentials, undefined],
    ] as const) {
      const code = {
        grant_type: 'authorization_code',
        code: await running.authorize(oldCredentials, user),
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
    await requestTokens(oldCredentials);
    const oldSecretUse = await newestTokenEvent();
    running.clock.advance(60);
    const newCredentials = await rotate(OVERLAP); // resets the recorded use of the previous secret
    expect(lastUse()).to.deep.include({ previousSecret: null });
    await requestTokens(newCredentials);
    const newSecretUse = await newestTokenEvent();
    expect(lastUse()).to.deep.equal({
      anySecret: { position: newSecretUse?.position, at: Math.floor(running.clock.now() / 1000) },
      previousSecret: null,
      keys: {},
    });
    expect(newSecretUse?.position).to.be.above(oldSecretUse?.position ?? 0);
    const lastUseBefore = lastUse();
    await running.restart();
    expect(lastUse()).to.deep.equal(lastUseBefore);
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
    oldCredentials = {
      id: 'imported',
      secret: 'hunter2',
      basic: `Basic ${Buffer.from('imported:hunter2').toString('base64')}`,
    };
    const middleCredentials = await rotate(OVERLAP);
    for (const credentials of [oldCredentials, middleCredentials])
      expectTokens(await requestTokens(credentials), EXPECTED_TOKENS);
    running.clock.advance(OVERLAP);
    expectRefusal(await requestTokens(oldCredentials), 'invalid_client');
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
    expectTokens(await requestTokens(oldCredentials), EXPECTED_TOKENS);
  });
});
