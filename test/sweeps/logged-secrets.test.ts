import { expect } from 'chai';
import { createApp } from '../../src/http/app.ts';
import { LIMITS, type Limits } from '../../src/platform/limits/limits.ts';
import { appRoutesOf } from '../support/app-routes.ts';
import { memoryLogs } from '../support/memory-logs.ts';
import { REDIRECT_URI, runningService, type RunningService } from '../support/running-service.ts';

describe('The request log', () => {
  let running: RunningService;
  afterEach(() => running.close());

  it('contains no secrets, no matter where in a request they are sent', async () => {
    const strictLimits = Object.fromEntries(
      Object.entries(LIMITS).map(([name, limit]) => [name, { ...limit, max: 6 }]),
    ) as Limits;
    const log = memoryLogs();
    running = await runningService({
      requestLog: log.logs.requests,
      warn: (fields, message) => log.logs.server.warn(fields, message),
      limits: strictLimits,
      settings: { signup: 'open', jsonTokenRequests: true },
    });
    const user = await running.addUser('ada');
    const client = await running.addClient({ owner: 'ada' });
    const browser = running.browser();
    await browser.logIn(user.username, user.password);
    const code = await running.authorize(client, user);
    const response = await running.token(client, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
    });
    const tokens = [String(response.json?.['access_token']), String(response.json?.['refresh_token'])];
    const cookie = [...browser.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
    const secrets = [
      client.secret,
      user.password,
      code,
      ...tokens,
      ...[...browser.cookies()].map(([, value]) => value),
      client.basic.slice('Basic '.length),
    ];
    for (let count = 0; count < 8; count += 1)
      await running.token(client, { grant_type: 'password', username: 'ada', password: 'marked-guess' });
    await sendSecretsEverywhere(secrets, cookie, client.id);
    expect(log.lines()).to.have.length.above(200);
    expect(log.lines().some(({ msg }) => msg === 'a rate limit is exhausted; requests are refused')).to.equal(true);
    expect(log.text()).not.to.match(/marked/i);
    for (const secret of secrets)
      expect(log.text()).not.to.include(secret).and.not.to.include(encodeURIComponent(secret));
  });

  /** Sends GET and POST requests to every route, with marked and real secrets in every part of the request. */
  async function sendSecretsEverywhere(secrets: readonly string[], cookie: string, clientId: string): Promise<void> {
    const [secret = '', password = '', code = '', access = '', refresh = ''] = secrets;
    const app = createApp(running.service(), { error: () => expect.fail('unexpected error') });
    const fields = {
      client_id: clientId,
      client_secret: secret,
      username: 'ada',
      password,
      code,
      refresh_token: refresh,
      token: access,
      code_verifier: 'marked-verifier',
      csrf_token: 'marked-csrf',
      setup: 'marked-setup',
      state: 'marked-state',
      marked_name: 'marked-value',
    };
    for (const { path } of appRoutesOf(app)) {
      const routePath = path
        .replace(/\{.*\}/, '')
        .replaceAll(/[:*]\w+/g, 'marked-path')
        .replaceAll('\\', '');
      for (const target of [
        routePath,
        `${routePath.replace(/\/$/, '')}/marked-more`,
        `${routePath}?${new URLSearchParams({ ...fields, access_token: access }).toString()}`,
      ]) {
        for (const authorization of [
          `Bearer ${access}`,
          target === routePath ? `Basic ${btoa(`${clientId}:marked-secret`)}` : 'Bearer marked-token',
        ]) {
          const headers = {
            authorization,
            accept: '*/*',
            'user-agent': 'marked-agent',
            referer: `http://x/?code=${code}`,
            cookie: `${cookie}; marked=marked`,
            'x-request-id': 'marked-id',
            'x-forwarded-for': 'marked-address',
            traceparent: 'marked-trace',
          };
          const accept = target.startsWith('/o/events') ? 'application/x-ndjson' : '*/*';
          await running.send(target, { headers: { ...headers, accept } });
          await running.send(target, {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
            body: new URLSearchParams({ ...fields, grant_type: 'password' }).toString(),
          });
        }
      }
      await running.send(routePath, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...fields, grant_type: 'refresh_token' }),
      });
    }
  }
});
