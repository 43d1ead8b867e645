import { createHash, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import { parseArgs } from 'node:util';
import { controlSocketPath } from '../src/cli/operation-target.ts';
import { callControl } from '../src/operations/control/client.ts';
import { httpRequest } from '../test/support/http-request.ts';
import { startServer, type ServerProcess } from '../test/support/server-process.ts';
import { printLine, runDrill } from './run-drill.ts';
import { runScript } from './run-script.ts';

const USAGE = `Usage: node --import tsx scripts/proof-drill.ts [--requests N] [--proofs N]

Races requests with the same DPoP proofs over HTTP, on many connections, in random order: at the token endpoint and at
an API. Halfway, the server is killed (SIGKILL) while requests with new proofs are in flight. It starts on the same
data, and the same proofs are raced again, together with new ones.

Each proof must be accepted once, or at most once if its request got no response because of the kill. All other requests
must be refused as replays, or because the nonce of the proof was issued before the restart.

  --requests N   number of requests (10000)
  --proofs N     number of proofs for each of the two endpoints, before the kill and again after it (100)
  --help         show this help

Exit status 0: no proof was accepted twice. 1: a finding. 2: usage error.
`;

const CONNECTIONS = 64;
const ISSUER = 'http://localhost:8000';
/** Half of the requests before the kill use one of this many recent proofs, so that some are in flight at the kill. */
const RECENT_PROOFS = 8;

interface Holder {
  readonly privateKey: KeyObject;
  readonly jwk: object;
}

/** A request that can be repeated, with counts of its outcomes. */
interface RepeatableRequest {
  readonly send: () => Promise<{ readonly status: number; readonly text: string }>;
  sent: number;
  accepted: number;
  /** Sent, but without a response because of the kill. */
  unanswered: number;
}

async function drill(directory: string, { requests, proofs }: ReturnType<typeof readOptions>): Promise<number> {
  const settings = { env: { ISSUER, GRANTLOG_SAMPLE_API: 'true' } };
  let server = await startServer(directory, settings);
  try {
    const basic = await registerClient(directory);
    const initialRequests = await prepare(() => server, basic, proofs);
    const half = Math.ceil(requests / 2);
    await raceAll(initialRequests, half, server);
    await server.destroy();
    const usedInitialRequests = initialRequests.filter(({ sent }) => sent > 0); // unused ones have an outdated nonce
    server = await startServer(directory, settings);
    const laterRequests = await prepare(() => server, basic, proofs);
    await raceAll([...initialRequests, ...laterRequests], requests - half);
    const usedRequests = [...usedInitialRequests, ...laterRequests].filter(({ sent }) => sent > 0);
    const findings = [
      ...[...initialRequests, ...laterRequests].filter(({ accepted }) => accepted > 1),
      ...usedRequests.filter(({ accepted, unanswered }) => accepted + unanswered === 0),
    ];
    const interruptedRequests = initialRequests.filter(({ unanswered }) => unanswered > 0);
    printLine(
      `${requests} requests with ${usedRequests.length} proofs, ` +
        `${interruptedRequests.length} of them in flight at the kill; ` +
        `accepted once: ${usedRequests.filter(({ accepted }) => accepted === 1).length}, ` +
        `never: ${usedRequests.filter(({ accepted }) => accepted === 0).length}, findings: ${findings.length}`,
    );
    for (const { sent, accepted } of findings)
      process.stderr.write(`a proof was sent ${sent} times and accepted ${accepted} times\n`);
    return findings.length === 0 ? 0 : 1;
  } finally {
    await server.destroy();
  }
}

/** Registers a client, and returns its Authorization header. */
async function registerClient(directory: string): Promise<string> {
  const registration = {
    name: 'Drill',
    clientType: 'confidential',
    grantTypes: ['client-credentials'],
    redirectUris: [],
    allowedOrigins: [],
    skipAuthorization: false,
    owner: null,
    credentials: null,
  };
  for await (const row of callControl(controlSocketPath(directory), 'client add', registration)) {
    const { client_id: id, client_secret: secret } = row as Readonly<Record<'client_id' | 'client_secret', string>>;
    return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  }
  throw new Error('no client was added');
}

/** Prepares requests with new proofs, which contain the nonce that the server requires shortly after startup. */
async function prepare(
  server: () => ServerProcess,
  basic: string,
  proofs: number,
): Promise<readonly RepeatableRequest[]> {
  const holder = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = { privateKey: holder.privateKey, jwk: holder.publicKey.export({ format: 'jwk' }) };
  const iat = Math.floor(Date.now() / 1000);
  const requestTo = (path: string, method: 'GET' | 'POST', headers: Readonly<Record<string, string>>) => () =>
    httpRequest(new URL(path, server().origin), {
      method,
      headers,
      ...(method === 'POST' && { body: new URLSearchParams({ grant_type: 'client_credentials' }) }),
    });
  const tokenRequest = (nonce?: string | null) => {
    const dpop = signProof(key, { htm: 'POST', htu: `${ISSUER}/o/token/`, iat, nonce: nonce ?? undefined });
    return requestTo('/o/token/', 'POST', { authorization: basic, dpop });
  };
  const nonce = (await tokenRequest()()).headers.get('dpop-nonce');
  const { text } = await tokenRequest(nonce)();
  const token = String((JSON.parse(text) as Record<string, unknown>)['access_token']);
  const ath = createHash('sha256').update(token).digest('base64url');
  const apiRequest = () => {
    const dpop = signProof(key, { htm: 'GET', htu: `${ISSUER}/users/`, iat, ath, nonce });
    return requestTo('/users/', 'GET', { authorization: `DPoP ${token}`, dpop });
  };
  return Array.from({ length: proofs }, () => [tokenRequest(nonce), apiRequest()])
    .flat()
    .map((send): RepeatableRequest => ({ send, sent: 0, accepted: 0, unanswered: 0 }));
}

function signProof({ privateKey, jwk }: Holder, claims: object): string {
  const input = `${encode({ typ: 'dpop+jwt', alg: 'ES256', jwk })}.${encode({ jti: randomUUID(), ...claims })}`;
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/**
 * Sends `count` requests, chosen at random from `requests`.
 * @param victim killed when the last request is sent; if given, the choice grows from the first request to all of them
 * @throws Error if a request failed, or if the token endpoint refused it for a reason other than its proof
 */
async function raceAll(requests: readonly RepeatableRequest[], count: number, victim?: ServerProcess): Promise<void> {
  let sentCount = 0;
  function next(): RepeatableRequest | undefined {
    if (sentCount === count) return undefined;
    sentCount += 1;
    if (sentCount === count) victim?.kill('SIGKILL');
    const usableCount = victim === undefined ? requests.length : Math.ceil((requests.length * sentCount) / count);
    const from = victim !== undefined && Math.random() < 0.5 ? Math.max(0, usableCount - RECENT_PROOFS) : 0;
    return requests[from + Math.floor(Math.random() * (usableCount - from))];
  }
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let request = next(); request !== undefined; request = next()) {
        request.sent += 1;
        const response = await request.send().catch((error: unknown) => {
          if (sentCount < count || victim === undefined) throw error;
          return undefined;
        });
        if (response === undefined) request.unanswered += 1;
        else if (response.status === 200) request.accepted += 1;
        else if (
          response.status >= 500 ||
          (response.status === 400 && !/invalid_dpop_proof|use_dpop_nonce/.test(response.text))
        )
          throw new Error(`an unexpected response: ${response.status} ${response.text}`);
      }
    }),
  );
}

function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      requests: { type: 'string', default: '10000' },
      proofs: { type: 'string', default: '100' },
      help: { type: 'boolean', default: false },
    },
  });
  if (!/^[1-9]\d{0,5}$/.test(values.requests) || !/^[1-9]\d{0,2}$/.test(values.proofs))
    throw new Error('--requests and --proofs take whole numbers');
  return { requests: Number(values.requests), proofs: Number(values.proofs), help: values.help };
}

await runScript(USAGE, readOptions, (options) => runDrill('proofs', (directory) => drill(directory, options), 1));
