import { expect } from 'chai';
import { OperationRefused } from '../../src/operations/control/operation-refused.ts';
import { operate } from '../../src/operations/operations.ts';
import { authorizePath } from '../support/authorize-requests.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

describe("A user's sessions", () => {
  let running: RunningService;
  let ada: TestUser;

  beforeEach(async () => {
    running = await runningService();
    ada = await running.addUser('ada');
  });
  afterEach(() => running.close());

  async function call(name: string, username: string, session?: string): Promise<readonly unknown[]> {
    const items: unknown[] = [];
    for await (const item of operate(running.service())(
      name,
      { username, ...(session && { session }) },
      new AbortController().signal,
    ))
      items.push(item);
    return items;
  }

  /** Logs in and authorizes the client. Returns the refresh token. */
  async function authorize(client: TestClient, scope: string): Promise<string> {
    const browser = running.browser({ 'user-agent': FIREFOX });
    await browser.logIn(ada.username, ada.password);
    const { location } = await browser.submit(await browser.get(authorizePath(client, { scope })), {
      allow: 'Authorize',
    });
    const code = new URL(location ?? '').searchParams.get('code') ?? '';
    const { json } = await running.token(client, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
    });
    return String(json?.['refresh_token']);
  }

  it('are listed for the operator, newest first, with the login method and the authorized applications', async () => {
    const client = await running.addClient();
    const firstLoginAt = running.clock.now();
    await authorize(client, 'read');
    running.clock.advance(60);
    await authorize(client, 'openid read');
    const ids = (await call('user sessions', 'ada')).map((session) => (session as { readonly id: string }).id);
    expect(new Set(ids)).to.have.property('size', 2);
    const expectedRow = (startedAt: number, endingGrants: readonly string[]) => ({
      id: ids[endingGrants.length === 0 ? 1 : 0],
      started_at: new Date(startedAt).toISOString(),
      last_used_at: new Date(startedAt).toISOString(),
      expires_at: new Date(startedAt + 1_209_600_000).toISOString(),
      login: 'password',
      browser: 'Firefox on Linux',
      applications: [client.id],
      ending: endingGrants,
    });
    expect(await call('user sessions', 'ada')).to.deep.equal([
      expectedRow(running.clock.now(), [client.id]),
      expectedRow(firstLoginAt, []),
    ]);
  });

  it('can be ended one by one, by their ids', async () => {
    const client = await running.addClient();
    await authorize(client, 'read');
    running.clock.advance(60);
    await authorize(client, 'read');
    const [newest, oldest] = (await call('user sessions', 'ada')) as readonly { readonly id: string }[];
    await call('user logout', 'ada', newest?.id);
    expect(await call('user sessions', 'ada')).to.deep.equal([oldest]);
    const endEvent = (await running.events()).at(-1);
    expect([endEvent?.type, endEvent?.actor]).to.deep.equal(['SessionEnded', { kind: 'operator' }]);
    expect(endEvent?.data).to.include({ reason: 'ended-by-administrator' });
    const failure = await call('user logout', 'ada', newest?.id).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(OperationRefused).with.property('message').that.includes('grantlog user sessions');
  });

  it('can all be ended by one command, along with the grants that depend on them', async () => {
    const client = await running.addClient();
    const refresh_token = await authorize(client, 'openid read');
    expect(await call('user logout', 'ada')).to.deep.equal([{ id: 1, username: 'ada' }]);
    expect(await call('user sessions', 'ada')).to.deep.equal([]);
    const response = await running.token(client, { grant_type: 'refresh_token', refresh_token });
    expect(response.json).to.include({ error: 'invalid_grant' });
    const endEvent = (await running.events()).findLast(({ type }) => type === 'AllSessionsEnded');
    expect(endEvent?.actor).to.deep.equal({ kind: 'operator' });
  });

  it('can be neither listed nor ended for an unknown user', async () => {
    for (const name of ['user sessions', 'user logout']) {
      const refusal = await call(name, 'nobody').catch((error: unknown) => error);
      expect(refusal, name).to.be.instanceOf(OperationRefused);
    }
  });
});
