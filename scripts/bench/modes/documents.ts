import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { browserSession, type BrowserSession } from '../../../test/support/browser-session.ts';
import type { BenchOptions } from '../arguments.ts';
import { describePinning } from '../cores.ts';
import { createBenchData, openBenchService, type BenchData } from '../grantlog/bench-data.ts';
import { startGrantlog } from '../grantlog/server.ts';
import type { BenchResult, Session } from '../session.ts';
import { median, medianRatio, rotate } from '../statistics.ts';

/** An estimate for one core, which determines the number of requests. */
const AUTHORIZATIONS_PER_SECOND = 300;
/** A metadata document may have loopback redirect URIs, for programs on the user's device. */
const REDIRECT_URI = 'http://127.0.0.1/callback';
const CLIENT = { name: 'Bench', redirectUris: [REDIRECT_URI] };
/** RFC 7636 appendix B. */
const CHALLENGE = {
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
};
const BROWSERS = 8;

/** Resolves when this number of requests has been authorized. */
type Authorize = (count: number) => Promise<void>;

interface Interval {
  readonly rate: number;
  /** The server's processor time for each authorization. */
  readonly microseconds: number;
}

/**
 * Compares authorizations for a client with a cached metadata document to authorizations for a registered client with
 * the same settings. Each needs the consent page, because consents to programs on the user's device are not remembered.
 */
export async function documents(
  { rounds, seconds, warmUpSeconds }: BenchOptions,
  { directory, cores, report }: Session,
): Promise<BenchResult> {
  const host = await serveDocument();
  const data = await createBenchData(join(directory, 'grantlog'), 0);
  const registeredClientId = await registerPublicClient(data.dataDir);
  const server = await startGrantlog(data.dataDir, {
    core: cores?.server,
    settings: {
      GRANTLOG_CLIENT_DOCUMENTS: 'any',
      GRANTLOG_OUTGOING_HTTP: 'true',
      GRANTLOG_OUTGOING_NETWORKS: '["127.0.0.0/8"]',
    },
  });
  const measurements = { registered: [] as Interval[], 'by document': [] as Interval[] };
  try {
    const browsers = await Promise.all(Array.from({ length: BROWSERS }, () => logIn(server.port, data)));
    const authorize = {
      registered: createAuthorizer(browsers, registeredClientId),
      'by document': createAuthorizer(browsers, host.clientId),
    };
    const names = ['registered', 'by document'] as const;
    for (const name of names) await authorize[name](Math.ceil(warmUpSeconds * AUTHORIZATIONS_PER_SECOND));
    for (let round = 0; round < rounds; round += 1) {
      for (const name of rotate(names, round)) {
        const interval = await measure(authorize[name], Math.ceil(seconds * AUTHORIZATIONS_PER_SECOND), server.cpu);
        measurements[name].push(interval);
        report(`round ${round + 1} of ${rounds}, ${name}: ${Math.round(interval.rate)}/s`);
      }
    }
    if (host.fetches() !== 1) throw new Error(`the document was fetched ${host.fetches()} times instead of once`);
  } finally {
    host.close();
    await server.end('SIGKILL');
  }
  const times = Object.values(measurements).map((intervals) => intervals.map(({ microseconds }) => microseconds));
  const ratio = medianRatio(times[1] ?? [], times[0] ?? []);
  return {
    method:
      'consent page and code, for a client with a cached document and for a registered client; medians of ' +
      `${rounds} interleaved rounds; ${describePinning(cores)}`,
    cells: [
      ['client', 'requests/s', 'server µs', '× registered'],
      cells('registered', measurements.registered, 1),
      cells('by document', measurements['by document'], ratio),
    ],
    remarks: [],
    figures: { ratio, ...measurements },
  };
}

function cells(name: string, intervals: readonly Interval[], ratio: number): readonly string[] {
  const medianOf = (read: (interval: Interval) => number): string => median(intervals.map(read)).toFixed(0);
  return [name, medianOf(({ rate }) => rate), medianOf(({ microseconds }) => microseconds), ratio.toFixed(2)];
}

async function measure(authorize: Authorize, count: number, cpu: () => number | undefined): Promise<Interval> {
  const [startedAt, startCpu] = [performance.now(), cpu() ?? Number.NaN];
  await authorize(count);
  const [endedAt, endCpu] = [performance.now(), cpu() ?? Number.NaN];
  return { rate: (count * 1_000) / (endedAt - startedAt), microseconds: ((endCpu - startCpu) * 1_000) / count };
}

/** Serves the document of one client, and counts its fetches. */
async function serveDocument() {
  let fetches = 0;
  const server = createServer((_request, response) => {
    fetches += 1;
    response.setHeader('Content-Type', 'application/json').setHeader('Cache-Control', 'max-age=3600');
    response.end(
      JSON.stringify({
        client_id: clientId,
        client_name: CLIENT.name,
        redirect_uris: CLIENT.redirectUris,
        token_endpoint_auth_method: 'none',
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const clientId = `http://127.0.0.1:${(server.address() as AddressInfo).port}/client.json`;
  return { clientId, fetches: () => fetches, close: () => void server.close() };
}

/** Registers a client with the settings of the document. */
async function registerPublicClient(dataDir: string): Promise<string> {
  const service = await openBenchService(dataDir);
  try {
    const client = await service.registration.register(
      {
        ...CLIENT,
        clientType: 'public',
        grantTypes: ['authorization-code'],
        allowedOrigins: [],
        skipAuthorization: false,
      },
      null,
      { actor: { kind: 'operator' }, requestId: null },
    );
    if (!('clientId' in client)) throw new Error(JSON.stringify(client));
    return client.clientId;
  } finally {
    await service.close();
  }
}

/** Returns a function that consents to requests from the client in all browsers concurrently. */
function createAuthorizer(browsers: readonly BrowserSession[], clientId: string): Authorize {
  const request = { response_type: 'code', client_id: clientId, redirect_uri: REDIRECT_URI, ...CHALLENGE };
  const path = `/o/authorize/?${new URLSearchParams(request).toString()}`;
  return async (count) => {
    let remaining = count;
    const consentRepeatedly = async (browser: BrowserSession): Promise<void> => {
      while (remaining > 0) {
        remaining -= 1;
        const page = await browser.get(path);
        const { location, html } = await browser.submit(page, { allow: 'Authorize' });
        if (!/[?&]code=/.test(location ?? '')) throw new Error(`no code for ${clientId}: ${location ?? html}`);
      }
    };
    await Promise.all(browsers.map(consentRepeatedly));
  };
}

async function logIn(port: number, { username, password }: BenchData): Promise<BrowserSession> {
  const browser = browserSession(() => `http://127.0.0.1:${port}`);
  await browser.logIn(username, password);
  return browser;
}
