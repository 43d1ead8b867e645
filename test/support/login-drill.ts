import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as after } from 'node:timers/promises';
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

/** One login during a flood, with what preceded it. */
export interface Attempt {
  /** Until the first answer. */
  readonly milliseconds: number;
  /** Logins of the flood that were hashed until then. */
  readonly hashesAhead: number;
  /** Of each attempt: the first, and those at the times in `Retry-After`. */
  readonly statuses: readonly number[];
}

/** The experience of a caller during a flood. */
export interface DrillRow {
  readonly flood: string;
  readonly caller: string;
  /** Whether the flood must not delay this caller at all; otherwise only for a limited time. */
  readonly isPrompt: boolean;
  readonly attempts: readonly Attempt[];
}

export interface DrillResult {
  /** The duration of a login without a flood, in milliseconds. */
  readonly alone: readonly number[];
  readonly rows: readonly DrillRow[];
  readonly floods: readonly MeasuredFlood[];
}

interface MeasuredFlood extends Pick<FloodReport, 'answers'> {
  readonly name: string;
  readonly hashesPerSecond: number;
}

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const PASSWORD = 'the right one, and no other';
const ATTACKER = 'attacker';
/** One for each caller, because a single user may not log in as often as all of them together. */
const USERS = ['alone', 'elsewhere', 'beside', 'known', 'fresh', 'again'] as const;
const ATTACKERS_ADDRESS = '203.0.113.1';
const VICTIMS_ADDRESS = '192.0.2.1';
/** Until all logins of the flood are in flight. */
const RUN_UP_MS = 1_500;
const PAUSE_MS = 100;
const MOST_TRIES = 4;

interface Caller {
  readonly name: string;
  readonly isPrompt: boolean;
  readonly username: (typeof USERS)[number];
  /** The browser for one login. */
  readonly browser: (nth: number) => BrowserSession;
}

interface Flood {
  readonly name: string;
  readonly order: Pick<FloodOrder, 'senders' | 'password' | 'hashed'>;
  readonly callers: readonly Caller[];
}

/**
 * Floods a server with logins, from a process of its own, and logs in meanwhile from this one. The server is a third
 * process, started like an operator does; a proxy header supplies the addresses.
 * @throws Error a response is impossible for a login
 */
export async function loginDrill({ dataDir, flood, attempts, progress }: LoginDrillOptions): Promise<DrillResult> {
  await addUsers(dataDir);
  const env = { GRANTLOG_TRUSTED_PROXIES: '1', GRANTLOG_LOG_LEVEL: 'info' };
  const server = await startServer(dataDir, { env });
  try {
    const at = (address: string): BrowserSession => browserSession(() => server.origin, { 'x-forwarded-for': address });
    const known = at(VICTIMS_ADDRESS);
    await tryToLogIn(known, 'known');
    const alone = await logInOften({ username: 'alone', browser: () => at(VICTIMS_ADDRESS) }, 10);
    const rows: DrillRow[] = [];
    const floods: MeasuredFlood[] = [];
    for (const { name, order, callers } of floodsOf(flood, at, known)) {
      progress(`a flood of ${flood} logins in flight: ${name}`);
      const form = await at(ATTACKERS_ADDRESS).get('/accounts/login/');
      const csrfToken = hiddenFields(form.html)['csrf_token'] ?? '';
      const cookie = form.headers
        .getSetCookie()
        .map((each) => each.split(';')[0])
        .join('; ');
      const flooding = startFlood({ ...order, origin: server.origin, csrfToken, cookie });
      const began = sharedNow();
      await after(RUN_UP_MS);
      const met = [];
      for (const caller of callers) {
        progress(`  ${caller.name}`);
        const times = caller.isPrompt ? attempts : Math.ceil(attempts / 2); // a caller who has to wait takes long
        met.push({ caller, tries: await logInOften(caller, times) });
      }
      const { hashedAt, answers } = await flooding.stop();
      const seconds = (sharedNow() - began) / 1000;
      floods.push({ name, answers, hashesPerSecond: hashedAt.length / seconds });
      for (const {
        caller: { name: caller, isPrompt },
        tries,
      } of met) {
        rows.push({ flood: name, caller, isPrompt, attempts: tries.map((one) => toAttempt(one, hashedAt)) });
      }
    }
    return { alone: alone.map(({ milliseconds }) => milliseconds), rows, floods };
  } finally {
    await server.destroy();
  }
}

/** Fifteen seconds, and some for a busy machine. */
const LONGEST_MS = 20_000;

/**
 * The problems of a row, as text.
 * @param flood how many logins were in flight
 */
export function violations({ caller, isPrompt, flood: name, attempts }: DrillRow, flood: number): readonly string[] {
  const found = (wrong: readonly Attempt[], of: readonly Attempt[], what: string): string =>
    `${caller}, during a flood of ${name}: ${wrong.length} of ${of.length} logins ${what}`;
  const refused = attempts.filter(({ statuses }) => statuses[0] !== 302);
  const overtaken = attempts.filter(({ hashesAhead }) => hashesAhead > flood / 4);
  const again = refused.filter(({ statuses }) => statuses[1] !== 302);
  const never = attempts.filter(({ statuses }) => statuses.at(-1) !== 302);
  const late = attempts.filter(({ milliseconds }) => milliseconds > LONGEST_MS);
  const oneInAHundred = Math.floor(attempts.length / 100);
  if (isPrompt) {
    const overtakenFar = 'waited for more than a quarter of the flood';
    return [
      ...(refused.length > oneInAHundred ? [found(refused, attempts, 'were refused')] : []),
      ...(overtaken.length > oneInAHundred ? [found(overtaken, attempts, overtakenFar)] : []),
    ];
  }
  return [
    ...(late.length > 0 ? [found(late, attempts, `had no answer within ${LONGEST_MS / 1000} s`)] : []),
    ...(never.length > 0 ? [found(never, attempts, 'were never let in')] : []),
    ...(2 * again.length > refused.length ? [found(again, refused, 'that were refused were refused again')] : []),
  ];
}

type Sender = FloodOrder['senders'][number];

function floodsOf(flood: number, at: (address: string) => BrowserSession, known: BrowserSession): readonly Flood[] {
  const from = (sender: (nth: number) => Sender): readonly Sender[] =>
    Array.from({ length: flood }, (_, nth) => sender(nth));
  const guesses = { password: 'a guess', hashed: [422] };
  // Correct passwords beyond their limit are answered with 429, after the hash.
  const rightOnes = { password: PASSWORD, hashed: [302, 429] };
  const elsewhere: Caller = {
    name: 'another user, at another address',
    isPrompt: true,
    username: 'elsewhere',
    browser: () => at(VICTIMS_ADDRESS),
  };
  return [
    {
      name: 'one account, its right password',
      order: { ...rightOnes, senders: from(() => ({ address: ATTACKERS_ADDRESS, username: ATTACKER })) },
      callers: [
        elsewhere,
        {
          name: 'another user, at the same address',
          isPrompt: true,
          username: 'beside',
          browser: () => at(ATTACKERS_ADDRESS),
        },
      ],
    },
    {
      name: 'one address, unknown users',
      order: { ...guesses, senders: from(() => ({ address: '203.0.113.2' })) },
      callers: [elsewhere],
    },
    {
      name: `${flood} addresses, unknown users`,
      order: { ...guesses, senders: from((nth) => ({ address: `100.64.${Math.floor(nth / 250)}.${nth % 250}` })) },
      callers: [
        { name: 'a browser that has logged in before', isPrompt: true, username: 'known', browser: () => known },
        {
          name: 'an address that comes for the first time',
          isPrompt: false,
          username: 'fresh',
          browser: (nth) => at(`198.51.100.${nth % 250}`),
        },
        { name: 'one address again and again', isPrompt: false, username: 'again', browser: () => at(VICTIMS_ADDRESS) },
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

interface Try {
  readonly sentAt: number;
  readonly milliseconds: number;
  readonly statuses: readonly number[];
}

async function tryToLogIn(browser: BrowserSession, username: string): Promise<Try> {
  const sentAt = sharedNow();
  const statuses: number[] = [];
  let milliseconds = 0;
  for (let nth = 0; nth < MOST_TRIES; nth += 1) {
    const { status, headers } = await browser.logIn(username, PASSWORD);
    if (nth === 0) milliseconds = sharedNow() - sentAt;
    statuses.push(status);
    if (status === 302) break;
    const seconds = Number(headers.get('retry-after'));
    if (status !== 503 || !(seconds >= 1)) throw new Error(`a login was answered ${status}, Retry-After ${seconds}`);
    await after(seconds * 1000);
  }
  return { sentAt, milliseconds, statuses };
}

async function logInOften(
  { browser, username }: Pick<Caller, 'browser' | 'username'>,
  times: number,
): Promise<readonly Try[]> {
  const tries: Try[] = [];
  for (let nth = 0; nth < times; nth += 1) {
    tries.push(await tryToLogIn(browser(nth), username));
    await after(PAUSE_MS);
  }
  return tries;
}

function toAttempt({ sentAt, milliseconds, statuses }: Try, hashedAt: readonly number[]): Attempt {
  const ahead = hashedAt.filter((at) => at > sentAt && at < sentAt + milliseconds);
  return { milliseconds, statuses, hashesAhead: ahead.length };
}

function startFlood(order: FloodOrder): { stop(): Promise<FloodReport> } {
  const child = fork(fileURLToPath(new URL('login-flood.ts', import.meta.url)), { execArgv: [RUN_TYPESCRIPT] });
  child.send(order);
  return {
    async stop() {
      const reported = once(child, 'message') as Promise<[FloodReport]>;
      child.send('stop' satisfies FloodOrder | 'stop');
      return (await reported)[0];
    },
  };
}
