import { expect } from 'chai';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LIMITS } from '../../../src/platform/limits/limits.ts';
import { createGroupCommit } from '../../../src/event-store/engines/group-commit.ts';
import type { Position, RecordedEvent, Revision } from '../../../src/event-store/event-log.ts';
import { createMetrics } from '../../../src/platform/metrics/metrics.ts';
import { watchProcess } from '../../../src/platform/metrics/process-gauges.ts';
import type { ServiceState } from '../../../src/platform/metrics/state-gauges.ts';
import { signAssertion, keyPairFor, registerKeys, withAssertion } from '../../support/assertions.ts';
import { authorizePath } from '../../support/authorize-requests.ts';
import { setClientAuthentication, selfSignedSettings, TRUSTED_PROXY } from '../../support/certificate-clients.ts';
import { clientCertHeaders, issueCertificate } from '../../support/certificates.ts';
import { signProof, NONCE_PERIOD_SECONDS, tokenWithProof } from '../../support/dpop.ts';
import { pausableHasher, waitUntil } from '../../support/pausable-hasher.ts';
import { REDIRECT_URI, runningService, type RunningService } from '../../support/running-service.ts';
import { parseSamples, sumSamples } from '../../support/samples.ts';

const KEY = keyPairFor('ES256');

describe('GET /metrics', () => {
  let running: RunningService;

  afterEach(() => running.close());

  const scrape = async (): Promise<string> => (await running.get('/metrics')).text;
  const listSeries = (text: string): readonly string[] =>
    parseSamples(text).map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`);

  it('responds with the Prometheus text format', async () => {
    running = await runningService();
    const { status, headers, text } = await running.get('/metrics');
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.equal('text/plain; version=0.0.4; charset=utf-8');
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(parseSamples(text)).to.have.length.above(30);
    expect(new Set(listSeries(text)).size, 'unique series').to.equal(listSeries(text).length);
  });

  it('responds only to direct requests, not to requests through a proxy', async () => {
    running = await runningService({ settings: { trustedProxies: 1 } });
    for (const name of ['Forwarded', 'Via', 'X-Forwarded-For', 'X-Real-IP']) {
      const { status, text } = await running.get('/metrics', { [name]: '192.0.2.1' });
      expect(status, name).to.equal(404);
      expect(text, name).not.to.include('grantlog_');
    }
    for (const path of ['/healthz', '/readyz'])
      expect((await running.get(path, { 'X-Forwarded-For': '192.0.2.1' })).status).to.equal(200);
  });

  it('counts a request under its route, method and status, with its duration', async () => {
    running = await runningService();
    const client = await running.addClient();
    await running.token(client, { grant_type: 'client_credentials' });
    await running.post('/o/token', { grant_type: 'client_credentials' });
    await running.get('/users/17/');
    const text = await scrape();
    expect(
      sumSamples(text, 'grantlog_http_requests_total', { route: '/o/token', method: 'POST', status: '200' }),
    ).to.equal(1);
    expect(
      sumSamples(text, 'grantlog_http_requests_total', { route: '/o/token', method: 'POST', status: '401' }),
    ).to.equal(1);
    expect(
      sumSamples(text, 'grantlog_http_requests_total', { route: '/users/:pk', method: 'GET', status: '401' }),
    ).to.equal(1);
    expect(sumSamples(text, 'grantlog_http_request_duration_seconds_count', { route: '/o/token' })).to.equal(2);
    expect(
      sumSamples(text, 'grantlog_http_request_duration_seconds_bucket', { route: '/o/token', le: '+Inf' }),
    ).to.equal(2);
  });

  it('counts tokens by grant type and refusals by error code, on every endpoint', async () => {
    running = await runningService();
    const [client, user] = [await running.addClient(), await running.addUser()];
    const { json } = await running.token(client, { grant_type: 'password', ...user });
    await running.token(client, { grant_type: 'refresh_token', refresh_token: String(json?.['refresh_token']) });
    await running.token(client, { grant_type: 'refresh_token', refresh_token: 'made up' });
    await running.token(client, { grant_type: 'no_such_thing' });
    const code = await running.authorize(client, user, { scope: 'openid' });
    await running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
    await running.get(authorizePath(client, { response_type: 'token' }));
    const text = await scrape();
    for (const grant_type of ['password', 'refresh_token', 'authorization_code'])
      expect(sumSamples(text, 'grantlog_tokens_issued_total', { grant_type })).to.equal(1);
    expect(sumSamples(text, 'grantlog_tokens_issued_total')).to.equal(3);
    expect(sumSamples(text, 'grantlog_id_tokens_issued_total')).to.equal(1);
    for (const error of ['invalid_grant', 'unsupported_grant_type', 'unsupported_response_type'])
      expect(sumSamples(text, 'grantlog_oauth_refusals_total', { error })).to.equal(1);
  });

  it('counts tokens by binding, and authenticated clients by method', async () => {
    running = await runningService({ settings: TRUSTED_PROXY });
    running.clock.advance(NONCE_PERIOD_SECONDS);
    const [client, publicClient, keyClient, tlsClient, user] = [
      await running.addClient(),
      await running.addClient({ clientType: 'public', grantTypes: ['password'], redirectUris: [] }),
      await running.addClient(),
      await running.addClient(),
      await running.addUser(),
    ];
    const grant = { grant_type: 'client_credentials' };
    await running.token(client, grant);
    await tokenWithProof(running, client, grant, await signProof(running, KEY));
    await running.post('/o/token/', { ...grant, client_id: client.id, client_secret: client.secret });
    await running.post('/o/token/', { ...grant, client_id: client.id, client_secret: 'wrong' });
    await running.post('/o/introspect/', { token: 'made up' }, { authorization: client.basic });
    await running.post('/o/token/', { grant_type: 'password', client_id: publicClient.id, ...user });
    await registerKeys(running, keyClient, KEY);
    await running.post('/o/token/', { ...grant, ...withAssertion(await signAssertion(running, keyClient, KEY)) });
    const certificate = issueCertificate();
    await setClientAuthentication(running, tlsClient, await selfSignedSettings(certificate), true);
    await running.post('/o/token/', { ...grant, client_id: tlsClient.id }, clientCertHeaders(certificate));
    const text = await scrape();
    const valuesByLabel = (name: string, label: string) =>
      Object.fromEntries(
        parseSamples(text)
          .filter((sample) => sample.name === name)
          .map(({ labels, value }) => [labels[label], value]),
      );
    expect(valuesByLabel('grantlog_tokens_issued_by_binding_total', 'binding')).to.deep.equal({
      none: 4,
      dpop: 1,
      tls: 1,
    });
    expect(valuesByLabel('grantlog_client_authentications_total', 'method')).to.deep.equal({
      client_secret_basic: 3,
      client_secret_post: 1,
      none: 1,
      private_key_jwt: 1,
      self_signed_tls_client_auth: 1,
    });
    expect(sumSamples(text, 'grantlog_tokens_issued_total')).to.equal(6);
  });

  it('reports the state of the log, the projections and the limits', async () => {
    running = await runningService({
      limits: { ...LIMITS, 'client-secret-by-client-and-address': { max: 1, windowSeconds: 60 } },
    });
    const client = await running.addClient();
    for (let i = 0; i < 3; i += 1)
      await running.token(
        { ...client, basic: `Basic ${btoa(`${client.id}:wrong`)}` },
        { grant_type: 'client_credentials' },
      );
    await running.token(client, { grant_type: 'client_credentials' });
    await running.service().attestation.checkpointNow();
    const text = await scrape();
    expect(sumSamples(text, 'grantlog_log_head_position')).to.equal(running.log.head());
    expect(sumSamples(text, 'grantlog_checkpoint_position')).to.equal(running.log.head());
    expect(sumSamples(text, 'grantlog_projection_lag_events')).to.equal(0);
    expect(sumSamples(text, 'grantlog_log_writable')).to.equal(1);
    expect(sumSamples(text, 'grantlog_access_tokens')).to.equal(1);
    expect(sumSamples(text, 'grantlog_rate_limit_refusals_total')).to.equal(2);
    expect(sumSamples(text, 'grantlog_refusals_total', { rule: 'rate-limit' })).to.equal(2);
    expect(sumSamples(text, 'grantlog_refusals_total')).to.equal(3);
    expect(parseSamples(text).filter(({ name }) => name === 'grantlog_rate_limit_refusals_total')).to.have.length(
      Object.keys(LIMITS).length,
    );
  });

  it('reports the numbers of running, waiting and refused password hashes, by class', async () => {
    const testHasher = pausableHasher();
    running = await runningService({ hasher: testHasher.hasher });
    const [client, user] = [await running.addClient(), await running.addUser()];
    const { hashing } = running.service();
    testHasher.hold();
    const grants = Array.from({ length: 3 }, () => running.token(client, { grant_type: 'password', ...user }));
    await waitUntil(() => hashing.load().waiting === 2);
    const text = await scrape();
    expect(sumSamples(text, 'grantlog_password_hashes', { state: 'running' })).to.equal(1);
    expect(sumSamples(text, 'grantlog_password_hashes', { state: 'waiting' })).to.equal(2);
    const waitingLabels = { algorithm: 'argon2id', class: 'client' };
    expect(sumSamples(text, 'grantlog_password_hashes_waiting', waitingLabels)).to.equal(2);
    expect(sumSamples(text, 'grantlog_password_hashes_waiting')).to.equal(2);
    running.clock.advance(15);
    testHasher.releaseAll();
    expect((await Promise.all(grants)).map(({ status }) => status)).to.have.members([200, 503, 503]);
    const timeoutLabels = { algorithm: 'argon2id', reason: 'waited-too-long' };
    expect(sumSamples(await scrape(), 'grantlog_password_hash_refusals_total', timeoutLabels)).to.equal(2);
  });

  it('gets no new series from requests by unauthenticated clients', async () => {
    running = await runningService();
    await sendStrangeRequests('kilroy');
    await scrape();
    const seriesBefore = listSeries(await scrape());
    await sendStrangeRequests('was-here');
    await sendStrangeRequests('{route="/x"} 1\n');
    const seriesAfter = listSeries(await scrape());
    expect(seriesAfter.filter((series) => !seriesBefore.includes(series))).to.deep.equal([]);
    expect(seriesAfter.join('\n')).not.to.match(/kilroy|was-here|\/x/);
  });

  async function sendStrangeRequests(marker: string): Promise<void> {
    const name = encodeURIComponent(marker);
    for (const path of [
      `/${name}`,
      `/static/${name}`,
      `/users/${name}/`,
      `/o/applications/${name}/`,
      `/o/token/${name}`,
      `/.well-known/${name}`,
      `/metrics/${name}`,
      `/%zz${name}`,
      `/o/log/tile/${name}`,
    ]) {
      for (const method of ['GET', 'POST', 'PUT', 'PROPFIND', 'REPORT', 'LINK']) await running.send(path, { method });
    }
    for (const grant_type of ['password', marker]) {
      await running.post(
        '/o/token/',
        { grant_type, client_id: marker, username: marker, password: marker, scope: marker },
        { 'user-agent': name, 'x-request-id': name, traceparent: name, host: name },
      );
    }
    await running.get(`/o/authorize/?response_type=${name}&client_id=${name}&redirect_uri=${name}`);
  }

  it('contains no data about a user or a client', async () => {
    running = await runningService();
    const [user, client] = [await running.addUser('zoe'), await running.addClient({ owner: 'zoe', name: 'Engine' })];
    const code = await running.authorize(client, user);
    const { json } = await running.token(client, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: 'https://app.example/callback',
    });
    await running.get('/users/1/', { authorization: `Bearer ${String(json?.['access_token'])}` });
    const text = await scrape();
    for (const word of ['zoe', 'Engine', client.id, client.secret, code, String(json?.['access_token']), '127.0.0.1'])
      expect(text).not.to.include(word);
  });

  it('starts at zero after a restart', async () => {
    running = await runningService();
    await running.get('/healthz');
    await running.restart();
    expect(sumSamples(await scrape(), 'grantlog_http_requests_total', { route: '/healthz' })).to.equal(0);
  });
});

describe('Measurements', () => {
  it('of commits contain the duration of the write and the number of appends and events', async () => {
    let now = 0;
    const metrics = createMetrics({ ticks: () => now });
    const commits = createGroupCommit({
      write: async () => void (now += 3),
      deliver: () => (now += 1000),
      onFailure: () => {},
      observer: metrics.commits,
    });
    const event = (index: number) => ({ position: index as Position, revision: index as Revision }) as RecordedEvent;
    await Promise.all([commits.commit([event(1), event(2)]), commits.commit([event(3)])]);
    const { text } = await metrics.exposition();
    expect(sumSamples(text, 'grantlog_log_commit_duration_seconds_sum')).to.equal(0.003);
    expect(sumSamples(text, 'grantlog_log_commit_duration_seconds_count')).to.equal(1);
    expect(sumSamples(text, 'grantlog_log_commit_appends_sum')).to.equal(2);
    expect(sumSamples(text, 'grantlog_log_events_total')).to.equal(3);
  });

  it('of the process are never negative', async () => {
    const { text } = await createMetrics({ ticks: () => 0, process: watchProcess(1) }).exposition();
    for (const { name, value } of parseSamples(text).filter((sample) => /^process|event_loop/.test(sample.name)))
      expect(value, name).to.be.at.least(0);
    expect(sumSamples(text, 'process_resident_memory_bytes')).to.be.above(1_000_000);
    expect(sumSamples(text, 'process_start_time_seconds')).to.equal(1);
  });

  it("of the event loop's delay are reset by a scrape, but not by a peek", async () => {
    const readings = watchProcess(1);
    const neverNotified = new Int32Array(new SharedArrayBuffer(4));
    while (readings.peekEventLoopDelay()['1'] === 0) {
      Atomics.wait(neverNotified, 0, 0, 50); // delays the event loop
      await nextTurn();
    }
    const delay = readings.peekEventLoopDelay();
    expect(readings.eventLoopDelay()).to.deep.equal(delay);
    expect(readings.eventLoopDelay()).to.deep.equal({ '0.5': 0, '0.99': 0, '1': 0 });
  });

  it('are encoded once for all simultaneous scrapes', async () => {
    let readCount = 0;
    const metrics = createMetrics({ ticks: () => 0 });
    const state: ServiceState = {
      logHead: () => (readCount += 1),
      isLogWritable: () => true,
      isDiskLow: () => false,
      clockBehindSeconds: () => 0,
      projectedEvents: () => 0,
      accessTokens: () => 0,
      rateLimitRefusals: () => ({}),
      refusals: () => ({}),
      passwordHashes: () => ({ running: 0, waiting: 0 }),
      passwordHashQueues: () => ({}),
      checkpoints: () => ({ count: 0, newest: 0 }),
      snapshots: () => [],
      storedLogCheck: () => ({ checked: 0, damagedPlaces: 0 }),
      accountsWithoutKey: () => 0,
      clientsWithoutKey: () => 0,
      writeFailures: () => ({}),
      storedRefusals: () => ({ stored: 0, skipped: 0 }),
      logoutDeliveries: () => ({}),
      signingKeySecondsLeft: () => ({}),
      storage: async () => ({ sizes: {}, free: 0 }),
    };
    metrics.addState({ ...state, logHead: () => (readCount += 1) });
    await Promise.all(Array.from({ length: 50 }, () => metrics.exposition()));
    expect(readCount).to.be.at.most(2);
  });
});
