import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { configFromSettings } from '../../src/config/config.ts';
import { argon2idHasher, systemClock, systemEntropy } from '../../src/platform/ports.ts';
import { openService } from '../../src/composition/open-service.ts';
import { browserSession, hiddenFields, type BrowserSession } from './browser-session.ts';
import { sharedNow, type FloodOrder, type FloodReport } from './login-flood-protocol.ts';
import { startServer } from './server-process.ts';
import { RUN_TYPESCRIPT } from './typescript.ts';

export interface LoginDrillOptions {
  readonly dataDir: string;
  /** The number of concurrent logins in a flood. */
  readonly flood: number;
  /** The number of logins of each caller during a flood. */
  readonly attempts: number;
  readonly progress: (line: string) => void;
}

/** One login during a flood. */
export interface Attempt {
  /** The time until the first response. */
  readonly milliseconds: number;
  /** How many of the flood's logins had their passwords hashed in that time. */
  readonly hashesAhead: number;
  /** The status of the first request and of each retry after `Retry-After`. */
  readonly statuses: readonly number[];
}

/** A caller's experience during a flood. */
export interface DrillRow {
  readonly flood: string;
  readonly caller: string;
  /** Whether the flood may delay this caller only slightly. It may delay other callers for a limited time. */
  readonly isPrompt: boolean;
  readonly attempts: readonly Attempt[];
}

export interface DrillResult {
  /** The duration of a login without a flood, in milliseconds. */
  readonly baseline: readonly number[];
  readonly rows: readonly DrillRow[];
  readonly floods: readonly FloodResult[];
}

interface FloodResult extends Pick<FloodReport, 'responses'> {
  readonly name: string;
  readonly hashesPerSecond: number;
}

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const PASSWORD = 'the right one, and no other';
const ATTACKER = 'attacker';
/** One for each caller, because a single user may not log in as often as all callers do together. */
const USERS = ['alone', 'elsewhere', 'beside', 'known', 'fresh', 'again'] as const;
const ATTACKER_ADDRESS = '203.0.113.1';
const VICTIM_ADDRESS = '192.0.2.1';
/** How long it takes until all of the flood's logins are in flight. */
const RAMP_UP_MS = 1_500;
const PAUSE_MS = 100;
const MAX_ATTEMPTS = 4;

interface Caller {
  readonly name: string;
  readonly isPrompt: boolean;
  readonly username: (typeof USERS)[number];
  /** The browser for one login. */
  readonly browser: (nth: number) => BrowserSession;
}

interface Flood {
  readonly name: string;
  readonly order: Pick<FloodOrder, 'senders' | 'password' | 'hashedStatuses'>;
  readonly callers: readonly Caller[];
}

/**
 * Floods a server with logins from a second process while this one logs in. The server is a third process, started as
 * an operator would start it. A proxy header supplies the addresses.
 * @throws Error if a response is impossible for a login
 */
export async function runLoginDrill({ dataDir, flood, attempts, progress }: LoginDrillOptions): Promise<DrillResult> {
  await addUsers(dataDir);
  const env = { GRANTLOG_TRUSTED_PROXIES: '1', GRANTLOG_LOG_LEVEL: 'info' };
  const server = await startServer(dataDir, { env });
  try {
    const browserAt = (address: string): BrowserSession =>
      browserSession(() => server.origin, { 'x-forwarded-for': address });
    const victimBrowser = browserAt(VICTIM_ADDRESS);
    await logInWithRetries(victimBrowser, 'known');
    const baseline = await logInRepeatedly({ username: 'alone', browser: () => browserAt(VICTIM_ADDRESS) }, 10);
    const rows: DrillRow[] = [];
    const floods: FloodResult[] = [];
    for (const { name, order, callers } of floodsOf(flood, browserAt, victimBrowser)) {
      progress(`a flood of ${flood} logins in flight: ${name}`);
      const form = await browserAt(ATTACKER_ADDRESS).get('/accounts/login/');
      const csrfToken = hiddenFields(form.html)['csrf_token'] ?? '';
      const cookie = form.headers
        .getSetCookie()
        .map((setCookie) => setCookie.split(';')[0])
        .join('; ');
      const floodProcess = startFlood({ ...order, origin: server.origin, csrfToken, cookie });
      const startedAt = sharedNow();
      await sleep(RAMP_UP_MS);
      const results = [];
      for (const caller of callers) {
        progress(`  ${caller.name}`);
        const times = caller.isPrompt ? attempts : Math.ceil(attempts / 2); // logins that have to wait take a long time
        results.push({ caller, logins: await logInRepeatedly(caller, times) });
      }
      const { hashedAt, responses } = await floodProcess.stop();
      const seconds = (sharedNow() - startedAt) / 1000;
      floods.push({ name, responses, hashesPerSecond: hashedAt.length / seconds });
      for (const {
        caller: { name: caller, isPrompt },
        logins,
      } of results) {
        rows.push({ flood: name, caller, isPrompt, attempts: logins.map((login) => toAttempt(login, hashedAt)) });
      }
    }
    return { baseline: baseline.map(({ milliseconds }) => milliseconds), rows, floods };
  } finally {
    await server.destroy();
  }
}

/** Fifteen seconds, and a few more for a busy machine. */
const MAX_MILLISECONDS = 20_000;

/**
 * Returns descriptions of the problems in a row.
 * @param flood how many logins were in flight
 */
export function findViolations(
  { caller, isPrompt, flood: name, attempts }: DrillRow,
  flood: number,
): readonly string[] {
  const describe = (affected: readonly Attempt[], all: readonly Attempt[], description: string): string =>
    `${caller}, during a flood of ${name}: ${affected.length} of ${all.length} logins ${description}`;
  const refusedAttempts = attempts.filter(({ statuses }) => statuses[0] !== 302);
  const delayedAttempts = attempts.filter(({ hashesAhead }) => hashesAhead > flood / 4);
  const refusedTwice = refusedAttempts.filter(({ statuses }) => statuses[1] !== 302);
  const neverAccepted = attempts.filter(({ statuses }) => statuses.at(-1) !== 302);
  const slowAttempts = attempts.filter(({ milliseconds }) => milliseconds > MAX_MILLISECONDS);
  const toleratedCount = Math.floor(attempts.length / 100);
  if (isPrompt) {
    const delayText = 'waited for more than a quarter of the flood';
    return [
      ...(refusedAttempts.length > toleratedCount ? [describe(refusedAttempts, attempts, 'were refused')] : []),
      ...(delayedAttempts.length > toleratedCount ? [describe(delayedAttempts, attempts, delayText)] : []),
    ];
  }
  return [
    ...(slowAttempts.length > 0
      ? [describe(slowAttempts, attempts, `had no response within ${MAX_MILLISECONDS / 1000} s`)]
      : []),
    ...(neverAccepted.length > 0 ? [describe(neverAccepted, attempts, 'never succeeded')] : []),
    ...(2 * refusedTwice.length > refusedAttempts.length
      ? [describe(refusedTwice, refusedAttempts, 'that were refused were refused again')]
      : []),
  ];
}

type Sender = FloodOrder['senders'][number];

function floodsOf(
  flood: number,
  browserAt: (address: string) => BrowserSession,
  victimBrowser: BrowserSession,
): readonly Flood[] {
  const sendersOf = (sender: (nth: number) => Sender): readonly Sender[] =>
    Array.from({ length: flood }, (_, nth) => sender(nth));
  const guesses = { password: 'a guess', hashedStatuses: [422] };
  // Correct passwords beyond their limit get 429, after the hash.
  const correctPasswords = { password: PASSWORD, hashedStatuses: [302, 429] };
  const elsewhere: Caller = {
    name: 'another user, at another address',
    isPrompt: true,
    username: 'elsewhere',
    browser: () => browserAt(VICTIM_ADDRESS),
  };
  return [
    {
      name: 'one account, its correct password',
      order: { ...correctPasswords, senders: sendersOf(() => ({ address: ATTACKER_ADDRESS, username: ATTACKER })) },
      callers: [
        elsewhere,
        {
          name: 'another user, at the same address',
          isPrompt: true,
          username: 'beside',
          browser: () => browserAt(ATTACKER_ADDRESS),
        },
      ],
    },
    {
      name: 'one address, unknown users',
      order: { ...guesses, senders: sendersOf(() => ({ address: '203.0.113.2' })) },
      callers: [elsewhere],
    },
    {
      name: `${flood} addresses, unknown users`,
      order: { ...guesses, senders: sendersOf((nth) => ({ address: `100.64.${Math.floor(nth / 250)}.${nth % 250}` })) },
      callers: [
        {
          name: 'a browser that has logged in before',
          isPrompt: true,
          username: 'known',
          browser: () => victimBrowser,
        },
        {
          name: 'an address that comes for the first time',
          isPrompt: false,
          username: 'fresh',
          browser: (nth) => browserAt(`198.51.100.${nth % 250}`),
        },
        {
          name: 'one address for all requests',
          isPrompt: false,
          username: 'again',
          browser: () => browserAt(VICTIM_ADDRESS),
        },
      ],
    },
  ];
}

async function addUsers(dataDir: string): Promise<void> {
  const service = await openService(configFromSettings({ dataDir }), {
    clock: systemClock,
    entropy: systemEntropy(),
    hasher: argon2idHasher(),
    issuer: () => 'http://localhost',
  });
  for (const username of [ATTACKER, ...USERS]) {
    await service.accounts.register({ username, password: PASSWORD }, OPERATOR);
  }
  await service.close();
}

interface LoginResult {
  readonly sentAt: number;
  readonly milliseconds: number;
  readonly statuses: readonly number[];
}

async function logInWithRetries(browser: BrowserSession, username: string): Promise<LoginResult> {
  const sentAt = sharedNow();
  const statuses: number[] = [];
  let milliseconds = 0;
  for (let nth = 0; nth < MAX_ATTEMPTS; nth += 1) {
    const { status, headers } = await browser.logIn(username, PASSWORD);
    if (nth === 0) milliseconds = sharedNow() - sentAt;
    statuses.push(status);
    if (status === 302) break;
    const seconds = Number(headers.get('retry-after'));
    if (status !== 503 || !(seconds >= 1)) throw new Error(`a login got status ${status}, Retry-After ${seconds}`);
    await sleep(seconds * 1000);
  }
  return { sentAt, milliseconds, statuses };
}

async function logInRepeatedly(
  { browser, username }: Pick<Caller, 'browser' | 'username'>,
  times: number,
): Promise<readonly LoginResult[]> {
  const logins: LoginResult[] = [];
  for (let nth = 0; nth < times; nth += 1) {
    logins.push(await logInWithRetries(browser(nth), username));
    await sleep(PAUSE_MS);
  }
  return logins;
}

function toAttempt({ sentAt, milliseconds, statuses }: LoginResult, hashedAt: readonly number[]): Attempt {
  const hashTimesAhead = hashedAt.filter((time) => time > sentAt && time < sentAt + milliseconds);
  return { milliseconds, statuses, hashesAhead: hashTimesAhead.length };
}

function startFlood(order: FloodOrder): { stop(): Promise<FloodReport> } {
  const child = fork(fileURLToPath(new URL('login-flood.ts', import.meta.url)), { execArgv: [RUN_TYPESCRIPT] });
  child.send(order);
  return {
    async stop() {
      const report = once(child, 'message') as Promise<[FloodReport]>;
      child.send('stop' satisfies FloodOrder | 'stop');
      return (await report)[0];
    },
  };
}
