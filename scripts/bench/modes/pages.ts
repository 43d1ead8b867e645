import { Agent, request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { browserSession, type BrowserSession } from '../../../test/support/browser-session.ts';
import type { BenchOptions } from '../arguments.ts';
import { describePinning } from '../cores.ts';
import { createBenchData, openBenchService, REDIRECT_URI, type BenchData } from '../grantlog/bench-data.ts';
import { startGrantlog } from '../grantlog/server.ts';
import type { BenchResult, Session } from '../session.ts';
import { median, medianRatio } from '../statistics.ts';

/** The number of requests for each page in one round. */
const ROUND_REQUESTS = 40;
/** The baseline: needs neither a login nor a lookup. */
const BASELINE = '/healthz';

interface Page {
  readonly name: string;
  readonly path: string;
  /** Null for a visitor. */
  readonly browser: BrowserSession | null;
}

interface LoadedPage {
  /** Milliseconds from the request to the first byte of the response. */
  readonly firstByte: number;
  readonly body: Buffer;
}

/**
 * Measures the size of each page, and its time to the first byte relative to that of `/healthz` in the same round.
 * Sends one request at a time, because a browser opens one page at a time.
 */
export async function pages({ rounds }: BenchOptions, { directory, cores, report }: Session): Promise<BenchResult> {
  const data = await createBenchData(join(directory, 'grantlog'), 0);
  const application = await registerApplication(data);
  const server = await startGrantlog(data.dataDir, { core: cores?.server });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const load = (page: Page): Promise<LoadedPage> => loadPage(server.port, agent, page);
  try {
    const list = await preparePages(server.port, data, application);
    const times = new Map(list.map(({ path }) => [path, [] as number[]]));
    for (const page of list) for (let warmUp = 0; warmUp < ROUND_REQUESTS; warmUp += 1) await load(page);
    for (let round = 0; round < rounds; round += 1) {
      for (let repetition = 0; repetition < ROUND_REQUESTS; repetition += 1)
        for (const page of list) times.get(page.path)?.push((await load(page)).firstByte);
      report(`round ${round + 1} of ${rounds}`);
    }
    const baseline = times.get(BASELINE) ?? [];
    const rows = [];
    for (const page of list) {
      const { body } = await load(page);
      const assets = await Promise.all(findAssets(body).map((path) => load({ name: path, path, browser: null })));
      const pageTimes = times.get(page.path) ?? [];
      rows.push({
        page: page.name,
        milliseconds: median(pageTimes),
        ratio: medianRatio(pageTimes, baseline),
        html: body.length,
        withAssets: assets.reduce((sum, asset) => sum + brotliCompressSync(asset.body).length, body.length),
      });
    }
    return {
      method:
        `one request at a time on one connection; medians of ${rounds * ROUND_REQUESTS} requests of each page, ` +
        `in turn; ${describePinning(cores)}`,
      cells: [
        ['page', 'first byte ms', `× ${BASELINE}`, 'HTML KiB', 'with scripts and styles KiB'],
        ...rows.map(({ page, milliseconds, ratio, html, withAssets }) => [
          page,
          milliseconds.toFixed(2),
          ratio.toFixed(1),
          (html / 1024).toFixed(1),
          (withAssets / 1024).toFixed(1),
        ]),
      ],
      remarks: [
        'The sizes of scripts and styles are those after Brotli. Browsers cache them; the HTML is sent each time.',
      ],
      figures: rows,
    };
  } finally {
    agent.destroy();
    await server.end('SIGKILL');
  }
}

async function registerApplication({ dataDir, username }: BenchData): Promise<string> {
  const service = await openBenchService(dataDir);
  try {
    const owner = service.projections.users.findByName(username);
    const client = await service.registration.register(
      {
        name: 'Bench',
        clientType: 'confidential',
        grantTypes: ['authorization-code', 'client-credentials'],
        redirectUris: [REDIRECT_URI],
        allowedOrigins: [],
        skipAuthorization: false,
      },
      owner?.userId ?? null,
      { actor: { kind: 'operator' }, requestId: null },
    );
    if (owner === undefined || !('clientId' in client)) throw new Error(JSON.stringify(client));
    await service.accounts.changeRoles(owner, ['administrator'], { actor: { kind: 'operator' }, requestId: null });
    return client.clientId;
  } finally {
    await service.close();
  }
}

const pagesFor =
  (browser: BrowserSession | null) =>
  (name: string, path: string): Page => ({ name, path, browser });

/** Logs a user in, and returns the pages to load. */
async function preparePages(port: number, data: BenchData, clientId: string): Promise<readonly Page[]> {
  const browser = browserSession(() => `http://127.0.0.1:${port}`);
  await browser.logIn(data.username, data.password);
  const applicationPath = `/o/applications/${clientId}/`;
  const authorizationRequest = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
  });
  const [visitor, user] = [pagesFor(null), pagesFor(browser)];
  return [
    visitor(BASELINE, BASELINE),
    visitor('log in', '/accounts/login/'),
    user('start page', '/'),
    user('consent', `/o/authorize/?${authorizationRequest.toString()}`),
    user('account', '/accounts/'),
    user('two-step login', '/accounts/two-step/'),
    user('applications', '/o/applications/'),
    user('register', '/o/applications/register/'),
    user('application', applicationPath),
    user('Try it', `${applicationPath}try/`),
    user('keys', `${applicationPath}keys/`),
    user('users', '/admin/users/'),
    user('settings', '/admin/settings/'),
    user('audit log', '/audit/'),
  ];
}

function loadPage(port: number, agent: Agent, { path, browser }: Page): Promise<LoadedPage> {
  const cookies = [...(browser?.cookies() ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const onResponse = (response: IncomingMessage): void => {
      const firstByte = performance.now() - startedAt;
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve({ firstByte, body: Buffer.concat(chunks) });
        else reject(new Error(`${path} responded with ${response.statusCode}`));
      });
    };
    request({ host: '127.0.0.1', port, agent, path, headers: { cookie: cookies } }, onResponse)
      .on('error', reject)
      .end();
  });
}

/** Finds the URLs of the scripts, styles and icons that a page loads. */
function findAssets(html: Buffer): readonly string[] {
  const matches = html.toString().matchAll(/(?:src|href|data-script)="(\/static\/[^"#]+)/g);
  return [...new Set([...matches].map(([, url = '']) => url.replaceAll('&amp;', '&')))];
}
