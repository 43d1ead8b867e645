import { expect } from 'chai';
import { operate } from '../../src/operations/operations.ts';
import { audit } from '../../src/audit/rules/auditor.ts';
import { authorizationGrant, type GrantCommand } from '../../src/domain/authorization-grant.ts';
import { client as clientDecider, type ClientCommand } from '../../src/domain/client.ts';
import { session, type SessionCommand } from '../../src/domain/session.ts';
import type { ClientId } from '../../src/domain/values.ts';
import { START } from '../../src/event-store/event-log.ts';
import { seconds } from '../support/domain-values.ts';
import { sumSamples } from '../support/samples.ts';
import { pausableHasher, waitUntil } from '../support/pausable-hasher.ts';
import { REDIRECT_URI, runningService, type RunningService, type TestClient } from '../support/running-service.ts';

const YEAR = 31_536_000;
const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const CLIENT_CREDENTIALS = { grant_type: 'client_credentials' };

describe('a clock that is a year ahead for a while', () => {
  let running: RunningService;
  let client: TestClient;

  beforeEach(async () => {
    running = await runningService();
    client = await running.addClient();
  });
  afterEach(() => running.close());

  const isActive = async (token: unknown): Promise<unknown> =>
    (await running.post('/o/introspect/', { token: String(token) }, { authorization: client.basic })).json?.['active'];
  const requestToken = async (parameters: Readonly<Record<string, string>> = CLIENT_CREDENTIALS) =>
    (await running.token(client, parameters)).json;
  const refresh = (token: unknown) =>
    running.token(client, { grant_type: 'refresh_token', refresh_token: String(token) });

  async function confirm(input: { readonly yes: boolean }): Promise<unknown> {
    const outcome = operate(running.service())('clock confirm', input, new AbortController().signal);
    for await (const answer of outcome) return answer;
    return undefined;
  }

  /** Issues credentials while the clock is a year ahead, and then corrects the clock. */
  async function issueAhead() {
    const user = await running.addUser();
    running.clock.shift(YEAR);
    const clientToken = await requestToken();
    const userTokens = await requestToken({ grant_type: 'password', ...user });
    const code = await running.authorize(client, user);
    const browser = running.browser();
    await browser.logIn(user.username, user.password);
    running.clock.shift(-YEAR);
    return {
      clientToken: clientToken?.['access_token'],
      userToken: userTokens?.['access_token'],
      refresh: userTokens?.['refresh_token'],
      code,
      browser,
    };
  }

  async function expectNoneValid({
    clientToken,
    userToken,
    ...credentials
  }: Awaited<ReturnType<typeof issueAhead>>): Promise<void> {
    expect(await isActive(clientToken)).to.equal(false);
    expect(await isActive(userToken)).to.equal(false);
    expect(await isActive(credentials.refresh)).to.equal(false);
    expect((await running.get('/users/', { authorization: `Bearer ${String(userToken)}` })).status).to.equal(401);
    expect((await refresh(credentials.refresh)).json).to.include({ error: 'invalid_grant' });
    const redemption = { grant_type: 'authorization_code', code: credentials.code, redirect_uri: REDIRECT_URI };
    expect((await running.token(client, redemption)).json).to.include({ error: 'invalid_grant' });
    expect((await credentials.browser.get('/o/applications/')).status).to.equal(302);
  }

  async function findings(): Promise<readonly unknown[]> {
    const auditFindings: unknown[] = [];
    for await (const item of audit(running.log.readAll(START))) {
      if ('severity' in item && item.severity === 'finding') auditFindings.push(item);
    }
    return auditFindings;
  }

  it('leaves no valid token or session once it is corrected', async () => {
    await expectNoneValid(await issueAhead());
    expect(await isActive((await requestToken())?.['access_token'])).to.equal(true);
  });

  it('lets its tokens become valid at their time of issue, unless the operator has confirmed the clock', async () => {
    const unconfirmedCredentials = await issueAhead();
    running.clock.advance(YEAR);
    expect(await isActive(unconfirmedCredentials.clientToken)).to.equal(true);

    const confirmedCredentials = await issueAhead();
    await confirm({ yes: true });
    await expectNoneValid(confirmedCredentials);
    running.clock.advance(YEAR);
    await expectNoneValid(confirmedCredentials);
    await running.restart();
    await expectNoneValid(confirmedCredentials);
    expect(await findings()).to.deep.equal([]);
  });

  describe('during the rotation of a client secret with an overlap', () => {
    const OVERLAP = 3_600;
    const statusWithOldSecret = async (): Promise<number> => (await running.token(client, CLIENT_CREDENTIALS)).status;

    /** Rotates the secret while the clock is a year ahead, and then corrects the clock. */
    async function rotateAhead(): Promise<TestClient> {
      running.clock.shift(YEAR);
      const { registration } = running.service();
      const secret = String(await registration.rotateSecret(client.id as ClientId, OPERATOR, OVERLAP));
      expect(await statusWithOldSecret()).to.equal(200);
      running.clock.shift(-YEAR);
      return { id: client.id, secret, basic: `Basic ${Buffer.from(`${client.id}:${secret}`).toString('base64')}` };
    }

    async function oldSecretExpiry(): Promise<unknown> {
      const rows = operate(running.service())('client list', {}, new AbortController().signal);
      for await (const row of rows) {
        const { client_id: id, previous_secret_ends_at: end } = row as Record<string, unknown>;
        if (id === client.id) return end;
      }
      throw new Error('the client is not listed');
    }

    it('makes the old secret invalid until the time of the rotation if no operator confirms the clock', async () => {
      const clientWithNewSecret = await rotateAhead();
      expect([await statusWithOldSecret(), await oldSecretExpiry()]).to.deep.equal([401, null]);
      expect((await running.token(clientWithNewSecret, CLIENT_CREDENTIALS)).status).to.equal(200);
      running.clock.advance(YEAR);
      expect(await statusWithOldSecret()).to.equal(200);
    });

    it('makes the old secret invalid for good once the operator has confirmed the clock', async () => {
      const clientWithNewSecret = await rotateAhead();
      await confirm({ yes: true });
      expect([await statusWithOldSecret(), await oldSecretExpiry()]).to.deep.equal([401, null]);
      running.clock.advance(YEAR);
      expect([await statusWithOldSecret(), await oldSecretExpiry()]).to.deep.equal([401, null]);
      await running.restart();
      expect(await statusWithOldSecret()).to.equal(401);
      expect((await running.token(clientWithNewSecret, CLIENT_CREDENTIALS)).status).to.equal(200);
      expect(await findings()).to.deep.equal([]);
    });

    it('does not shorten the overlap of an earlier rotation', async () => {
      const { registration } = running.service();
      await registration.rotateSecret(client.id as ClientId, OPERATOR, OVERLAP);
      await issueToAnotherClientAhead();
      await confirm({ yes: true });
      expect(await statusWithOldSecret()).to.equal(200);
      running.clock.advance(OVERLAP);
      expect(await statusWithOldSecret()).to.equal(401);
    });

    async function issueToAnotherClientAhead(): Promise<void> {
      const otherClient = await running.addClient();
      running.clock.shift(YEAR);
      await running.token(otherClient, CLIENT_CREDENTIALS);
      running.clock.shift(-YEAR);
    }
  });

  it('is recorded as wrong by an event whose replay results in the same state', async () => {
    await issueAhead();
    const earlierTokens = await requestToken();
    expect(await confirm({ yes: true })).to.include({ position: running.log.head() });
    const [event] = (await running.events()).slice(-1);
    expect(event).to.include({ type: 'ClockSetBack', stream: 'clock' });
    const { projector, rebuild } = running.service();
    expect((await rebuild(() => {})).digests()).to.deep.equal(projector.digests());
    expect(await isActive(earlierTokens?.['access_token'])).to.equal(true);
  });

  it('lets clients revoke a token that was issued during that time, so that it never becomes valid', async () => {
    const { clientToken } = await issueAhead();
    await running.post('/o/revoke_token/', { token: String(clientToken) }, { authorization: client.basic });
    running.clock.advance(YEAR);
    expect(await isActive(clientToken)).to.equal(false);
  });

  it('is reported by a metric until it is confirmed', async () => {
    const secondsBehind = async (): Promise<unknown> =>
      sumSamples((await running.get('/metrics')).text, 'grantlog_clock_behind_seconds');
    await issueAhead();
    expect(await secondsBehind()).to.equal(YEAR);
    await confirm({ yes: true });
    expect(await secondsBehind()).to.equal(0);
  });

  it('cannot be confirmed without --yes, and an unnecessary confirmation records nothing', async () => {
    const refusalOf = (input: { readonly yes: boolean }): Promise<string> =>
      confirm(input).then(
        () => '',
        (error: Error) => error.message,
      );
    const initialHead = running.log.head();
    expect(await confirm({ yes: true })).to.include({ position: null });
    expect(running.log.head()).to.equal(initialHead);
    await issueAhead();
    const head = running.log.head();
    const refusal = await refusalOf({ yes: false });
    expect(refusal).to.match(/The clock says 2026-.*the newest event was recorded at 2027-.*confirm with --yes/);
    expect(running.log.head()).to.equal(head);
  });
});

describe('a clock that is set back by a year during a decision', () => {
  const hashing = pausableHasher();
  let running: RunningService;
  before(async () => (running = await runningService({ hasher: hashing.hasher })));
  after(() => running.close());

  it('does not extend the lifetime of a token', async () => {
    const [client, user] = [await running.addClient(), await running.addUser()];
    running.clock.shift(YEAR);
    hashing.hold();
    const answer = running.token(client, { grant_type: 'password', ...user });
    await waitUntil(() => hashing.pausedPasswords.length === 1);
    running.clock.shift(-YEAR);
    hashing.releaseAll();

    const { status, json } = await answer;
    expect(status).to.equal(200);
    const now = Math.floor(running.clock.now() / 1000);
    const parameters = { token: String(json?.['access_token']) };
    const introspection = (await running.post('/o/introspect/', parameters, { authorization: client.basic })).json;
    expect(introspection).to.include({ active: true, iat: now, exp: now + Number(json?.['expires_in']) });
  });

  it('is noticed by decisions that record an expiry of tokens, codes, sessions or replaced secrets', () => {
    const now = seconds(1_000);
    const decisionTimes = [
      authorizationGrant.decidedAt?.({ type: 'GrantToClient', now } as GrantCommand),
      authorizationGrant.decidedAt?.({ type: 'GrantByPassword', now } as GrantCommand),
      authorizationGrant.decidedAt?.({ type: 'IssueCode', now } as GrantCommand),
      authorizationGrant.decidedAt?.({ type: 'RedeemCode', now } as GrantCommand),
      authorizationGrant.decidedAt?.({ type: 'RefreshGrant', now } as GrantCommand),
      session.decidedAt?.({ type: 'StartSession', now } as SessionCommand),
      clientDecider.decidedAt?.({ type: 'RotateClientSecret', now } as ClientCommand),
    ];
    expect(decisionTimes).to.deep.equal(decisionTimes.map(() => 1_000));
  });
});

describe('a clock that is behind for a while', () => {
  it('invalidates nothing permanently: refused tokens are valid again once it is corrected', async () => {
    const running = await runningService();
    const [client, user] = [await running.addClient(), await running.addUser()];
    const { json } = await running.token(client, { grant_type: 'password', ...user });
    const authorization = `Bearer ${String(json?.['access_token'])}`;
    running.clock.shift(-YEAR);
    expect((await running.get('/users/', { authorization })).status).to.equal(401);
    await running.token(client, CLIENT_CREDENTIALS);
    running.clock.shift(YEAR);
    expect((await running.get('/users/', { authorization })).status).to.equal(200);
    const refreshRequest = { grant_type: 'refresh_token', refresh_token: String(json?.['refresh_token']) };
    expect((await running.token(client, refreshRequest)).status).to.equal(200);
    await running.close();
  });

  it('causes no refusal if it is five minutes behind', async () => {
    const running = await runningService();
    const client = await running.addClient();
    const { json } = await running.token(client, CLIENT_CREDENTIALS);
    running.clock.shift(-300);
    const parameters = { token: String(json?.['access_token']) };
    const answer = await running.post('/o/introspect/', parameters, { authorization: client.basic });
    expect(answer.json).to.include({ active: true });
    await running.close();
  });
});
