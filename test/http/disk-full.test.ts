import { expect } from 'chai';
import { UNLIMITED_SPACE } from '../../src/platform/files/disk-space.ts';
import { PERSONAL_KEYS } from '../../src/platform/keys/personal-keys.ts';
import { sumSamples } from '../support/samples.ts';
import { runningService, type TestResponse, type RunningService } from '../support/running-service.ts';

const CLIENT_CREDENTIALS = { grant_type: 'client_credentials' };

describe('a server whose disk is almost full', () => {
  let running: RunningService;
  let isLow: boolean;
  let keyCount: number;

  beforeEach(async () => {
    [isLow, keyCount] = [false, 0];
    const keys = PERSONAL_KEYS.inMemory();
    const personalKeys = {
      ...keys,
      add: (...key: Parameters<typeof keys.add>) => ((keyCount += 1), keys.add(...key)),
    };
    running = await runningService({ personalKeys, space: { ...UNLIMITED_SPACE, isLow: () => isLow } });
  });
  afterEach(() => running.close());

  function expectRefused({ status, headers, json }: TestResponse): void {
    expect(status).to.equal(503);
    expect(headers.get('retry-after')).to.equal('30');
    expect(json).to.include({ error: 'temporarily_unavailable' });
    expect(json?.['error_description']).to.match(/disk of this server is almost full/);
  }

  it('refuses requests that record something with 503 and Retry-After, and does not log them as errors', async () => {
    const [client, user] = [await running.addClient(), await running.addUser()];
    const { json: tokens } = await running.token(client, { grant_type: 'password', ...user });
    const previousEvents = await running.events();
    isLow = true;
    expectRefused(await running.token(client, CLIENT_CREDENTIALS));
    expectRefused(await running.token(client, { grant_type: 'password', ...user }));
    const refreshRequest = { grant_type: 'refresh_token', refresh_token: String(tokens?.['refresh_token']) };
    expectRefused(await running.token(client, refreshRequest));
    const revocation = { token: String(tokens?.['access_token']) };
    expectRefused(await running.post('/o/revoke_token/', revocation, { authorization: client.basic }));
    expect(await running.events()).to.deep.equal(previousEvents);
    expect(running.unexpected).to.deep.equal([]);
    isLow = false;
    expect((await running.token(client, refreshRequest)).status).to.equal(200);
  });

  it('serves requests that only read', async () => {
    const [client, user] = [await running.addClient(), await running.addUser()];
    const { json: tokens } = await running.token(client, { grant_type: 'password', ...user });
    const browser = running.browser();
    await browser.logIn(user.username, user.password);
    isLow = true;
    const token = String(tokens?.['access_token']);
    const { json } = await running.post('/o/introspect/', { token }, { authorization: client.basic });
    expect(json).to.include({ active: true });
    expect((await running.get('/users/', { authorization: `Bearer ${token}` })).status).to.equal(200);
    expect((await browser.get('/o/applications/')).status).to.equal(200);
    expect((await running.get('/o/log/checkpoint')).status).to.equal(200);
    expect((await running.get('/o/events/', { authorization: `Bearer ${token}` })).status).to.equal(403);
    expect((await running.get('/healthz')).status).to.equal(200);
  });

  it('repeats the response to a refresh, which records nothing', async () => {
    const [client, user] = [await running.addClient(), await running.addUser()];
    const { json: tokens } = await running.token(client, { grant_type: 'password', ...user });
    const refreshRequest = { grant_type: 'refresh_token', refresh_token: String(tokens?.['refresh_token']) };
    const { json: firstResponse } = await running.token(client, refreshRequest);
    isLow = true;
    expect((await running.token(client, refreshRequest)).json).to.deep.equal(firstResponse);
  });

  it('creates no key for an account that cannot be registered', async () => {
    isLow = true;
    const { accounts } = running.service();
    const account = { username: 'ada', password: 'long enough to be one' };
    const failure = await accounts.register(account, { actor: { kind: 'operator' }, requestId: null }).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).to.be.an('error').with.property('name', 'OutOfSpace');
    expect(keyCount).to.equal(0);
  });

  it('reports the lack of space at /readyz and in a metric', async () => {
    expect(sumSamples((await running.get('/metrics')).text, 'grantlog_disk_low')).to.equal(0);
    isLow = true;
    const { status, json } = await running.get('/readyz');
    expect(status).to.equal(503);
    expect(json?.['detail']).to.match(/disk is almost full/);
    expect(sumSamples((await running.get('/metrics')).text, 'grantlog_disk_low')).to.equal(1);
  });
});

describe('an erasure whose key cannot be deleted yet', () => {
  it('takes effect immediately, and is answered with 202 and a page that says that it is not finished', async () => {
    let isFull = false;
    const keys = PERSONAL_KEYS.inMemory();
    const destroy = async (...id: Parameters<typeof keys.destroy>): Promise<void> => {
      if (isFull) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      await keys.destroy(...id);
    };
    const running = await runningService({ personalKeys: { ...keys, destroy } });
    try {
      const user = await running.addUser();
      const browser = running.browser();
      await browser.logIn(user.username, user.password);
      isFull = true;
      const { status, html } = await browser.submit(await browser.get('/accounts/erase/'), { ...user });
      expect([status, html.match(/<h1>(.*)<\/h1>/)?.[1]]).to.deep.equal([202, 'Recorded, but not yet complete']);
      expect(running.service().projections.users.findByName(user.username)).to.equal(undefined);
    } finally {
      isFull = false;
      await running.close();
    }
  });
});
