import { Agent, request } from 'node:http';
import { configFromSettings } from '../../src/config/config.ts';
import { mintClientId, mintClientSecret } from '../../src/oauth/credentials/credentials.ts';
import { argon2idHasher, systemClock, systemEntropy } from '../../src/platform/ports.ts';
import { openService } from '../../src/composition/open-service.ts';
import type { Service } from '../../src/composition/service.ts';
import { median, rankSum, type RankSum } from './rank-sum.ts';
import { startServer } from './server-process.ts';

/** The result of comparing two requests that must be indistinguishable by response and duration. */
export interface Comparison extends RankSum {
  readonly name: string;
  /** The median durations, in milliseconds. */
  readonly medians: readonly [number, number];
  readonly sameBytes: boolean;
}

export interface TimingDrillOptions {
  readonly dataDir: string;
  /** The number of timed requests on each side of a comparison. */
  readonly samples: number;
}

const WARM_UP_ROUNDS = 20;
/** The maximum numbers of guesses, which are below the rate limits, so that no timed request is blocked. */
const MAX_GUESSES = { perClient: 40, perUser: 15, perAddress: 800, perPasswordClient: 400 } as const;

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const FIELDS = {
  name: 'Drill',
  clientType: 'confidential',
  redirectUris: [],
  allowedOrigins: [],
  skipAuthorization: false,
};
const CHOSEN_SECRET = 'a wrong secret like one that a user would choose';

type Parameters = Readonly<Record<string, string>>;

/** One side of a comparison: returns the parameters of its nth request. */
type RequestFactory = (nth: number) => Parameters;

interface Pair {
  readonly name: string;
  readonly sides: readonly [RequestFactory, RequestFactory];
}

interface TimedResponse {
  readonly text: string;
  readonly milliseconds: number;
}

/**
 * Times requests to a server in a separate process, over HTTP, one at a time. The order within each pair is random and
 * the comparisons take turns, so that other load on the machine affects all of them equally.
 * @throws Error if a response is not the refusal that is being timed
 */
export async function runTimingDrill({ dataDir, samples }: TimingDrillOptions): Promise<readonly Comparison[]> {
  const pairs = await preparePairs(dataDir, samples + WARM_UP_ROUNDS);
  const server = await startServer(dataDir, { env: { GRANTLOG_LOG_LEVEL: 'info' } });
  try {
    const send = createSender(server.origin);
    const responses = pairs.map(() => [[], []] as [TimedResponse[], TimedResponse[]]);
    for (let nth = 0; nth < samples + WARM_UP_ROUNDS; nth += 1) {
      for (const [index, { sides }] of pairs.entries()) {
        for (const side of Math.random() < 0.5 ? ([0, 1] as const) : ([1, 0] as const))
          responses[index]?.[side].push(await send(sides[side](nth)));
      }
    }
    return pairs.map(({ name }, index) => compare(name, responses[index] ?? [[], []]));
  } finally {
    await server.destroy();
  }
}

function compare(
  name: string,
  [left, right]: readonly [readonly TimedResponse[], readonly TimedResponse[]],
): Comparison {
  const times = (responses: readonly TimedResponse[]) =>
    responses.slice(WARM_UP_ROUNDS).map(({ milliseconds }) => milliseconds);
  const [leftTimes, rightTimes] = [times(left), times(right)];
  const sameBytes = new Set([...left, ...right].map(({ text }) => text)).size === 1;
  return { name, medians: [median(leftTimes), median(rightTimes)], sameBytes, ...rankSum(leftTimes, rightTimes) };
}

/** Adds enough clients and users that none of them reaches a limit, and returns the pairs of requests to compare. */
async function preparePairs(dataDir: string, rounds: number): Promise<readonly Pair[]> {
  const entropy = systemEntropy();
  const service = await openService(configFromSettings({ dataDir }), {
    clock: systemClock,
    entropy,
    hasher: argon2idHasher(),
    issuer: () => 'http://localhost',
  });
  const wrongGeneratedSecret = mintClientSecret(entropy).value;
  const clientPair = async (
    name: string,
    secret: string,
    register: (service: Service) => Promise<string>,
  ): Promise<Pair> => {
    const ids = await createMany(rounds / MAX_GUESSES.perClient, () => register(service));
    const requestFactory =
      (idOf: (nth: number) => string): RequestFactory =>
      (nth) => ({ grant_type: 'client_credentials', client_id: idOf(nth), client_secret: secret });
    return {
      name,
      sides: [requestFactory(() => mintClientId(entropy)), requestFactory((nth) => ids[nth % ids.length] ?? '')],
    };
  };
  try {
    return [
      await clientPair('unknown client compared with wrong secret (generated)', wrongGeneratedSecret, registerClient),
      await clientPair('unknown client compared with wrong secret (user-chosen)', CHOSEN_SECRET, registerClient),
      await clientPair(
        'unknown client compared with wrong secret of an imported client (generated)',
        wrongGeneratedSecret,
        importClient,
      ),
      await clientPair(
        'unknown client compared with wrong secret of an imported client (user-chosen)',
        CHOSEN_SECRET,
        importClient,
      ),
      await userPair(service, rounds),
    ];
  } finally {
    await service.close();
  }
}

async function userPair(service: Service, rounds: number): Promise<Pair> {
  const clients = await createMany((2 * rounds) / MAX_GUESSES.perPasswordClient, async () => {
    const client = await service.registration.register({ ...FIELDS, grantTypes: ['password'] }, null, OPERATOR);
    if (!('clientId' in client)) throw new Error('the client was refused');
    return { client_id: client.clientId, client_secret: client.clientSecret ?? '' };
  });
  const names = await createMany(rounds / MAX_GUESSES.perUser, async (nth) => {
    const username = `known-${nth}`;
    await service.accounts.register({ username, password: 'the right one' }, OPERATOR);
    return username;
  });
  const requestFactory =
    (nameOf: (nth: number) => string): RequestFactory =>
    (nth) => ({
      grant_type: 'password',
      ...clients[nth % clients.length],
      username: nameOf(nth),
      password: CHOSEN_SECRET,
    });
  return {
    name: 'unknown user or wrong password',
    sides: [requestFactory((nth) => `nobody-${nth}`), requestFactory((nth) => names[nth % names.length] ?? '')],
  };
}

async function registerClient({ registration }: Service): Promise<string> {
  const client = await registration.register({ ...FIELDS, grantTypes: ['client-credentials'] }, null, OPERATOR);
  if (!('clientId' in client)) throw new Error('the client was refused');
  return client.clientId;
}

async function importClient({ registration, entropy }: Service): Promise<string> {
  const credentials = { clientId: mintClientId(entropy), clientSecret: 'the right one' };
  await registration.register({ ...FIELDS, grantTypes: ['client-credentials'] }, null, OPERATOR, credentials);
  return credentials.clientId;
}

async function createMany<Item>(count: number, create: (nth: number) => Promise<Item>): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let nth = 0; nth < count; nth += 1) items.push(await create(nth));
  return items;
}

/** Sends requests over one connection, and switches to a new loopback address before a limit applies (Linux only). */
function createSender(origin: string): (parameters: Parameters) => Promise<TimedResponse> {
  const { hostname, port } = new URL(origin);
  let sentCount = 0;
  let agent = new Agent({ keepAlive: true, maxSockets: 1 });

  return async (parameters) => {
    if (sentCount > 0 && sentCount % MAX_GUESSES.perAddress === 0) {
      agent.destroy();
      const addressIndex = sentCount / MAX_GUESSES.perAddress;
      const localAddress = `127.0.${1 + Math.floor(addressIndex / 250)}.${1 + (addressIndex % 250)}`;
      agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress });
    }
    sentCount += 1;
    return timeRequest({ hostname, port, agent }, new URLSearchParams(parameters).toString());
  };
}

function timeRequest(
  connection: { readonly hostname: string; readonly port: string; readonly agent: Agent },
  body: string,
): Promise<TimedResponse> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(body) };
    const startedAt = performance.now();
    const clientRequest = request({ ...connection, path: '/o/token/', method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => {
        const milliseconds = performance.now() - startedAt;
        const {
          statusCode = 0,
          headers: { date: _date, 'x-request-id': _id, ...rest },
        } = response;
        if (statusCode === 400 || statusCode === 401)
          resolve({ milliseconds, text: JSON.stringify([statusCode, rest, text]) });
        else reject(new Error(`the server responded with ${statusCode}: ${text}`));
      });
    });
    clientRequest.on('error', reject).end(body);
  });
}
