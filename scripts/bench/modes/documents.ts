import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { browserSession } from '../../../test/support/browser-session.ts';
import type { BenchOptions } from '../arguments.ts';
import { pinningOf } from '../cores.ts';
import { createBenchData, openBenchService, type BenchData } from '../grantlog/bench-data.ts';
import { createCodeIssuer, type IssueCodes } from '../grantlog/issue-codes.ts';
import { startGrantlog } from '../grantlog/server.ts';
import type { BenchResult, Session } from '../session.ts';
import { median, medianRatio, rotate } from '../statistics.ts';

/** A few seconds of work. */
const CODES_PER_SECOND = 500;
/** A document may name loopback addresses, which are on the device of the user. */
const REDIRECT_URI = 'http://127.0.0.1/callback';
const CLIENT = { name: 'Bench', redirectUris: [REDIRECT_URI] };
/** RFC 7636 appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = {
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  approval_prompt: 'auto',
};

interface Interval {
  readonly rate: number;
  /** Processor time of the server for each authorization. */
  readonly microseconds: number;
}

/**
 * Authorizations of a client that describes itself in a document, which the server has fetched before, compared with
 * those of a registered client with the same settings. The user has consented to both, so each request gets a code.
 */
export async function documents(
  { rounds, seconds, warmUpSeconds }: BenchOptions,
  { directory, cores, report: say }: Session,
): Promise<BenchResult> {
  const host = await serveDocument();
  const data = await createBenchData(join(directory, 'grantlog'), 0);
  const registered = await registerPublicClient(data.dataDir);
  const server = await startGrantlog(data.dataDir, {
    core: cores?.server,
    settings: {
      GRANTLOG_CLIENT_DOCUMENTS: 'any',
      GRANTLOG_OUTGOING_HTTP: 'true',
      GRANTLOG_OUTGOING_NETWORKS: '127.0.0.0/8',
    },
  });
  const measured = { registered: [] as Interval[], 'by document': [] as Interval[] };
  try {
    const issue = {
      registered: await consentedIssuer(server.port, data, registered),
      'by document': await consentedIssuer(server.port, data, host.clientId),
    };
    const names = ['registered', 'by document'] as const;
    for (const name of names) await issue[name](Math.ceil(warmUpSeconds * CODES_PER_SECOND));
    for (let round = 0; round < rounds; round += 1) {
      for (const name of rotate(names, round)) {
        const interval = await measure(issue[name], Math.ceil(seconds * CODES_PER_SECOND), server.cpu);
        measured[name].push(interval);
        say(`round ${round + 1} of ${rounds}, ${name}: ${Math.round(interval.rate)}/s`);
      }
    }
    if (host.fetches() !== 1) throw new Error(`the document was fetched ${host.fetches()} times instead of once`);
  } finally {
    host.close();
    await server.end('SIGKILL');
  }
  const times = Object.values(measured).map((intervals) => intervals.map(({ microseconds }) => microseconds));
  const ratio = medianRatio(times[1] ?? [], times[0] ?? []);
  return {
    method:
      'authorizations with a remembered consent, for a warm document and for a registered client; medians of ' +
      `${rounds} interleaved rounds; ${pinningOf(cores)}`,
    cells: [
      ['client', 'requests/s', 'server µs', '× registered'],
      cells('registered', measured.registered, 1),
      cells('by document', measured['by document'], ratio),
    ],
    remarks: [],
    figures: { ratio, ...measured },
  };
}

function cells(name: string, intervals: readonly Interval[], ratio: number): readonly string[] {
  const middle = (read: (interval: Interval) => number): string => median(intervals.map(read)).toFixed(0);
  return [name, middle(({ rate }) => rate), middle(({ microseconds }) => microseconds), ratio.toFixed(2)];
}

async function measure(issue: IssueCodes, count: number, cpu: () => number | undefined): Promise<Interval> {
  const [startedAt, before] = [performance.now(), cpu() ?? Number.NaN];
  await issue(count);
  const [endedAt, after] = [performance.now(), cpu() ?? Number.NaN];
  return { rate: (count * 1_000) / (endedAt - startedAt), microseconds: ((after - before) * 1_000) / count };
}

/** A server for the document of one client, which counts how often it is fetched. */
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

/** Registers the client that the document describes, too. */
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

/** Consents once, so that further requests need no consent page. */
async function consentedIssuer(port: number, data: BenchData, clientId: string): Promise<IssueCodes> {
  const origin = `http://127.0.0.1:${port}`;
  const browser = browserSession(() => origin);
  await browser.logIn(data.username, data.password);
  const request = { response_type: 'code', client_id: clientId, redirect_uri: REDIRECT_URI, ...CHALLENGE };
  const page = await browser.get(`/o/authorize/?${new URLSearchParams(request).toString()}`);
  const { location } = await browser.submit(page, { allow: 'Authorize' });
  const code = new URL(location ?? '', origin).searchParams.get('code');
  if (code === null) throw new Error(`no code for ${clientId}: ${page.status} ${page.html}`);
  const form = { grant_type: 'authorization_code', code, client_id: clientId, redirect_uri: REDIRECT_URI };
  const redeemed = await fetch(`${origin}/o/token/`, {
    method: 'POST',
    body: new URLSearchParams({ ...form, code_verifier: VERIFIER }),
  });
  if (redeemed.status !== 200) throw new Error(`no token for ${clientId}: ${await redeemed.text()}`);
  return createCodeIssuer(port, { ...data, clientId }, { ...CHALLENGE, redirect_uri: REDIRECT_URI });
}
