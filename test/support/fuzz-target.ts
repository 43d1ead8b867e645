import { createApp } from '../../src/http/app.ts';
import { appRoutesOf, type AppRoute } from './app-routes.ts';
import { hiddenFields, type BrowserSession } from './browser-session.ts';
import type { FuzzRequest } from './fuzz-requests.ts';
import type { ValidRequest, Sender } from './fuzz-values.ts';
import { sendRawRequest } from './raw-request.ts';
import { REDIRECT_URI, runningService, type RunningOptions, type RunningService } from './running-service.ts';

/** A running service that random requests are sent to, and their senders. */
export interface FuzzTarget {
  readonly running: RunningService;
  readonly routes: readonly AppRoute[];
  /** Knows a client id and a user name, and has opened the login page. */
  readonly stranger: Sender;
  /** Creates a sender with an account, a client, and tokens for every scope. Its requests may remove any of them. */
  insider(): Promise<Sender>;
  /**
   * Sends all requests concurrently. Resolves with their statuses in order, undefined for a request that got no
   * response.
   * @throws Error if the server reported a failure or an unexpected error, or left a rejection unhandled
   */
  send(requests: readonly FuzzRequest[]): Promise<readonly (number | undefined)[]>;
  close(): Promise<void>;
}

/** The failures that the service may report: it does not know the method (501), or is too busy (503). */
const ALLOWED_FAILURES: readonly (number | undefined)[] = [501, 503];
const SHOWN_CHARACTERS = 1_500;

export async function startFuzzTarget(settings: NonNullable<RunningOptions['settings']> = {}): Promise<FuzzTarget> {
  const running = await runningService({ settings });
  const port = Number(new URL(running.origin()).port);
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown): void => void rejections.push(reason);
  process.on('unhandledRejection', onRejection);

  return {
    running,
    routes: appRoutesOf(createApp(running.service(), { error: () => {} })),
    stranger: await createStranger(running),
    insider: () => createInsider(running),

    async send(requests) {
      const statuses = await Promise.all(
        requests.map(({ bytes, hangsUp }) => sendRawRequest(port, Buffer.from(bytes, 'latin1'), { hangsUp })),
      );
      const failedIndex = statuses.findIndex(
        (status) => status !== undefined && status >= 500 && !ALLOWED_FAILURES.includes(status),
      );
      if (failedIndex !== -1)
        throw new Error(
          `responded with ${statuses[failedIndex]} to ` +
            JSON.stringify(requests[failedIndex]?.bytes.slice(0, SHOWN_CHARACTERS)),
          {
            cause: running.unexpected[0],
          },
        );
      const cause = running.unexpected[0] ?? rejections[0];
      if (cause !== undefined)
        throw new Error(
          `one of these requests caused an unexpected error: ${JSON.stringify(
            requests.map(({ bytes }) => bytes.slice(0, SHOWN_CHARACTERS)),
            null,
            1,
          )}`,
          { cause },
        );
      return statuses;
    },

    async close() {
      process.off('unhandledRejection', onRejection);
      await running.close();
    },
  };
}

const AUTHORIZE = `redirect_uri=${encodeURIComponent(REDIRECT_URI)}&response_type=code&state=x`;

async function createStranger(running: RunningService): Promise<Sender> {
  await running.addUser('ada');
  const { id } = await running.addClient();
  const browser = running.browser();
  const csrf = await readCsrfToken(browser, '/accounts/login/');
  const page = [formatCookieHeader(browser)];
  const validRequest = (path: string, headers: readonly string[], form: string): ValidRequest => ({
    path,
    headers,
    form,
  });
  return {
    clientId: id,
    values: [csrf],
    validRequests: [
      validRequest('/accounts/login/', page, `csrf_token=${csrf}&username=ada&password=wrong`),
      validRequest('/accounts/login/', page, `csrf_token=${csrf}&username=nobody&password=wrong+password&next=/users/`),
      validRequest('/o/token/', [], `grant_type=password&client_id=${id}&username=ada&password=wrong`),
      validRequest('/o/token/', [], `grant_type=client_credentials&client_id=${id}&client_secret=wrong`),
      validRequest('/o/token/', [], `grant_type=refresh_token&refresh_token=glr_x&client_id=${id}`),
      validRequest('/o/token/', [], `grant_type=authorization_code&code=glc_x&client_id=${id}`),
      validRequest('/o/revoke_token/', [], `token=gla_x&client_id=${id}`),
      validRequest('/o/introspect/', [], `token=gla_x&client_id=${id}&client_secret=wrong`),
      validRequest(`/o/authorize/?${AUTHORIZE}&client_id=${id}`, page, ''),
      validRequest('/o/authorize/', page, `csrf_token=${csrf}&request=x&allow=Authorize`),
      validRequest('/accounts/setup/', page, `csrf_token=${csrf}&token=x&username=root&password=root+password`),
    ],
    headers: page,
  };
}

async function createInsider(running: RunningService): Promise<Sender> {
  const user = await running.addUser();
  const client = await running.addClient({ owner: user.username, restrictedScopes: ['audit', 'introspection'] });
  const { access_token: access, refresh_token: refresh } =
    (await running.token(client, { grant_type: 'password', ...user })).json ?? {};
  const { access_token: auditToken } =
    (await running.token(client, { grant_type: 'client_credentials', scope: 'audit introspection' })).json ?? {};
  const credentials = new URLSearchParams({ ...user }).toString();
  const browser = running.browser();
  await browser.logIn(user.username, user.password);
  const csrf = await readCsrfToken(browser, '/o/applications/register/');
  const consent = await browser.get(`/o/authorize/?${AUTHORIZE}&client_id=${client.id}`);
  const approval = new URLSearchParams({ ...hiddenFields(consent.html), allow: 'Authorize' }).toString();
  const code = await running.authorize(client, user);
  const clientHeader = [`Authorization: ${client.basic}`];
  const userHeader = [`Authorization: Bearer ${String(access)}`];
  const auditorHeader = [`Authorization: Bearer ${String(auditToken)}`];
  const cookieHeader = [formatCookieHeader(browser)];
  const application = new URLSearchParams({
    csrf_token: csrf,
    name: 'Mine',
    client_type: 'confidential',
    authorization_grant_type: 'client-credentials',
  }).toString();
  const validRequest = (path: string, headers: readonly string[], form: string): ValidRequest => ({
    path,
    headers,
    form,
  });
  return {
    clientId: client.id,
    values: [client.secret, encodeURIComponent(user.password), csrf, String(access), String(refresh)],
    validRequests: [
      validRequest('/o/token/', clientHeader, 'grant_type=client_credentials'),
      validRequest('/o/token/', clientHeader, 'grant_type=client_credentials&scope=read'),
      validRequest('/o/token/', clientHeader, `grant_type=password&${credentials}`),
      validRequest(
        '/o/token/',
        [],
        `grant_type=client_credentials&client_id=${client.id}&client_secret=${client.secret}`,
      ),
      validRequest('/o/token/', clientHeader, `grant_type=refresh_token&refresh_token=${String(refresh)}`),
      validRequest(
        '/o/token/',
        clientHeader,
        `grant_type=authorization_code&code=${code}&redirect_uri=${encodeURIComponent(REDIRECT_URI)}`,
      ),
      validRequest('/o/introspect/', clientHeader, `token=${String(access)}`),
      validRequest('/o/introspect/', auditorHeader, `token=${String(access)}`),
      validRequest('/o/revoke_token/', clientHeader, `token=${String(refresh)}`),
      validRequest(`/o/authorize/?${AUTHORIZE}&client_id=${client.id}`, cookieHeader, ''),
      validRequest('/o/authorize/', cookieHeader, approval),
      validRequest('/o/applications/register/', cookieHeader, application),
      validRequest(`/o/applications/${client.id}/update/`, cookieHeader, application),
      validRequest(`/o/applications/${client.id}/rotate_secret/`, cookieHeader, `csrf_token=${csrf}`),
      validRequest(`/o/applications/${client.id}/`, cookieHeader, ''),
      validRequest('/o/authorized_tokens/', cookieHeader, ''),
      validRequest('/accounts/login/', cookieHeader, `csrf_token=${csrf}&${credentials}`),
      validRequest('/users/', userHeader, 'username=foo&password=bar&email=a%40b.example'),
      validRequest('/users/1/', userHeader, ''),
      validRequest('/groups/', userHeader, ''),
      validRequest('/users/', cookieHeader, ''),
      validRequest('/o/events/?after=0&limit=5', auditorHeader, ''),
      validRequest('/o/log/tile/entries/000.p/5', auditorHeader, ''),
      validRequest('/o/log/tile/0/000.p/5', [], ''),
    ],
    headers: [
      ...clientHeader,
      ...userHeader,
      ...auditorHeader,
      ...cookieHeader,
      `${cookieHeader[0]}\r\nX-CSRF-Token: ${csrf}`,
    ],
  };
}

async function readCsrfToken(browser: BrowserSession, path: string): Promise<string> {
  const token = hiddenFields((await browser.get(path)).html)['csrf_token'];
  if (token === undefined) throw new Error(`${path} has no CSRF token`);
  return token;
}

function formatCookieHeader(browser: BrowserSession): string {
  return `Cookie: ${[...browser.cookies()].map(([name, value]) => `${name}=${value}`).join('; ')}`;
}
