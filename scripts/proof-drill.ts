import { createHash, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import { parseArgs } from 'node:util';
import { httpRequest } from '../test/support/http-request.ts';
import { runningService, type RunningService, type TestClient } from '../test/support/running-service.ts';
import { printLine, statusOf } from './run-drill.ts';
import { runScript } from './run-script.ts';

const USAGE = `Usage: node --import tsx scripts/proof-drill.ts [--requests N] [--proofs N]

Races requests with the same DPoP proofs over HTTP, on many connections, in random order: at the token endpoint and at
an API. Each proof must be accepted exactly once, and each other request must be refused as a replay.

  --requests N   number of requests (10000)
  --proofs N     number of different proofs at each of the two (10)
  --help         this text

Exit status 0: each proof was accepted once. 1: a finding. 2: wrong usage.
`;

const CONNECTIONS = 64;
const ISSUER = 'http://localhost:8000';

interface Holder {
  readonly privateKey: KeyObject;
  readonly jwk: object;
}

/** A request that can be repeated, and how many of its responses were successes. */
interface Repeated {
  readonly send: () => Promise<{ readonly status: number; readonly text: string }>;
  sent: number;
  accepted: number;
}

async function race({ requests, proofs }: ReturnType<typeof readOptions>): Promise<number> {
  const running = await runningService({ settings: { sampleApi: true } });
  try {
    const client = await running.addClient({ grantTypes: ['client-credentials'] });
    running.clock.advance(61); // no proof can have been used in an earlier run, so none needs a nonce
    const repeated = await prepare(running, client, proofs);
    await raceAll(repeated, requests);
    const findings = repeated.filter(({ accepted }) => accepted !== 1);
    printLine(
      `${requests} requests with ${repeated.length} proofs; accepted once: ${repeated.length - findings.length}`,
    );
    for (const { sent, accepted } of findings) process.stderr.write(`accepted ${accepted} times of ${sent}\n`);
    return findings.length === 0 ? 0 : 1;
  } finally {
    await running.close();
  }
}

async function prepare(running: RunningService, client: TestClient, proofs: number) {
  const holder = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = { privateKey: holder.privateKey, jwk: holder.publicKey.export({ format: 'jwk' }) };
  const now = Math.floor(running.clock.now() / 1000);
  const requestTo = (path: string, method: 'GET' | 'POST', headers: Readonly<Record<string, string>>) => () =>
    httpRequest(new URL(path, running.origin()), {
      method,
      headers,
      ...(method === 'POST' && { body: new URLSearchParams({ grant_type: 'client_credentials' }) }),
    });
  const tokenRequest = () => {
    const dpop = proofOf(key, { htm: 'POST', htu: `${ISSUER}/o/token/`, iat: now });
    return requestTo('/o/token/', 'POST', { authorization: client.basic, dpop });
  };
  const { text } = await tokenRequest()();
  const token = String((JSON.parse(text) as Record<string, unknown>)['access_token']);
  const ath = createHash('sha256').update(token).digest('base64url');
  const apiRequest = () => {
    const dpop = proofOf(key, { htm: 'GET', htu: `${ISSUER}/users/`, iat: now, ath });
    return requestTo('/users/', 'GET', { authorization: `DPoP ${token}`, dpop });
  };
  const each = Array.from({ length: proofs });
  return [...each.map(tokenRequest), ...each.map(apiRequest)].map((send): Repeated => ({ send, sent: 0, accepted: 0 }));
}

function proofOf({ privateKey, jwk }: Holder, claims: object): string {
  const input = `${encode({ typ: 'dpop+jwt', alg: 'ES256', jwk })}.${encode({ jti: randomUUID(), ...claims })}`;
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/** @throws Error a request was refused for another reason */
async function raceAll(repeated: readonly Repeated[], requests: number): Promise<void> {
  let remaining = requests;
  const next = (): Repeated | undefined => {
    remaining -= 1;
    return remaining < 0 ? undefined : repeated[Math.floor(Math.random() * repeated.length)];
  };
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let one = next(); one !== undefined; one = next()) {
        one.sent += 1;
        const { status, text } = await one.send();
        if (status === 200) one.accepted += 1;
        else if (status >= 500 || (status === 400 && !text.includes('invalid_dpop_proof')))
          throw new Error(`an unexpected response: ${status} ${text}`);
      }
    }),
  );
}

function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      requests: { type: 'string', default: '10000' },
      proofs: { type: 'string', default: '10' },
      help: { type: 'boolean', default: false },
    },
  });
  if (!/^[1-9]\d{0,5}$/.test(values.requests) || !/^[1-9]\d{0,2}$/.test(values.proofs))
    throw new Error('--requests and --proofs take whole numbers');
  return { requests: Number(values.requests), proofs: Number(values.proofs), help: values.help };
}

await runScript(USAGE, readOptions, (options) => statusOf(() => race(options), 1));
