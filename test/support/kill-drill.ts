import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { configFromSettings } from '../../src/config/config.ts';
import { systemClock, systemEntropy } from '../../src/platform/ports.ts';
import { openService } from '../../src/composition/open-service.ts';
import { checkAfterKill } from './kill-check.ts';
import {
  createCaller,
  DRILL_REDIRECT_URI,
  emptyLedger,
  generateLoad,
  passwordOf,
  UnacceptableResponseError,
  type DrillClient,
} from './kill-load.ts';
import { drillSettings, type FromTarget } from './kill-protocol.ts';
import { createDrillKey, createSingleUseChecker, type DrillKey } from './kill-single-use.ts';
import { quickHasher } from './quick-hasher.ts';
import { seededChoice } from './seeded-choice.ts';
import { RUN_TYPESCRIPT } from './typescript.ts';

export interface Drill {
  readonly dataDir: string;
  readonly rounds: number;
  readonly seed: number;
  /** Called after each round. */
  readonly progress?: (totals: DrillTotals) => void;
}

export interface DrillTotals {
  rounds: number;
  /** The number of responses that were checked after a kill. */
  responses: number;
  /** The number of requests with codes, refresh tokens and grant ids that got no response because of a kill. */
  unanswered: number;
  /** The length of the log. */
  events: number;
}

/** The number of concurrent callers, enough to keep group commits busy. */
const WORKERS = 8;
/** The maximum number of requests in a round. */
const MAX_REQUESTS = 200;
/** The maximum number of turns of the event loop before the kill, so that kills hit every part of a request. */
const MAX_TURNS = 40;
/** The maximum number of access tokens, and of grants, from earlier rounds that later rounds continue to use. */
const MAX_KEPT = 24;

/** How many proofs, and how many assertions, are used in a round. They must not work after it. */
const SINGLE_USE_COUNT = 4;

const USERNAME = 'driller';

const noop = (): void => {};

/**
 * Repeatedly kills a server under load on one data directory, and compares each restarted server with the earlier
 * responses.
 * @throws Error with the round and the seed if an acknowledged response is lost or the log is damaged
 */
export async function runKillDrill({ dataDir, rounds, seed, progress = () => {} }: Drill): Promise<DrillTotals> {
  const choice = seededChoice(seed);
  const key = await createDrillKey();
  const client = await prepare(dataDir, key);
  const totals: DrillTotals = { rounds: 0, responses: 0, unanswered: 0, events: 0 };
  const ledger = emptyLedger();
  let target = await startTarget(dataDir);
  let onSent = noop;
  let nameCount = 0;
  const caller = createCaller(
    client,
    () => target.origin,
    () => onSent(),
  );
  const basic = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
  const singleUseChecker = createSingleUseChecker(client.id, basic, key, () => target.origin);
  await caller.browser.logIn(USERNAME, passwordOf(USERNAME));

  try {
    for (let round = 1; round <= rounds; round += 1) {
      await runRound().catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`round ${round} of seed ${seed}: ${reason}`, { cause: error });
      });
      progress(totals);
    }
    return totals;
  } finally {
    await target.kill();
  }

  async function runRound(): Promise<void> {
    for (let useCount = 0; useCount < SINGLE_USE_COUNT; useCount += 1) await singleUseChecker.use();
    const kill = killAtRandomMoment();
    const examination = choice.below(3) === 0 ? target.examine() : undefined;
    await Promise.all(
      Array.from({ length: WORKERS }, () =>
        generateLoad(
          caller,
          ledger,
          choice,
          () => `user-${(nameCount += 1)}`,
          () => target.isKilled(),
        ),
      ),
    );
    await kill;
    expectNoFindings(target.unexpected());
    expectNoFindings((await examination)?.findings ?? []);
    target = await startTarget(dataDir);
    countResponses();
    totals.responses += await singleUseChecker.expectRefused();
    await checkAfterKill(caller, ledger, choice);
    const { findings, events } = (await target.examine()) ?? {
      findings: ['the server exited unexpectedly'],
      events: 0,
    };
    expectNoFindings([...findings, ...target.unexpected()]);
    totals.events = events;
    dropOldEntries();
  }

  /**
   * Kills the server after a random number of requests and turns of the event loop, so that the seed determines the
   * moment.
   */
  function killAtRandomMoment(): Promise<void> {
    let remaining = 1 + choice.below(MAX_REQUESTS);
    const turns = choice.below(MAX_TURNS);
    return new Promise((resolve, reject) => {
      onSent = () => {
        remaining -= 1;
        if (remaining === 0) void waitForTurns(turns).then(target.kill).then(resolve, reject);
      };
    });
  }

  function countResponses(): void {
    const { accessTokens, users, families, unusedCodes, unanswered, unansweredCodes, updates, unansweredUpdates } =
      ledger;
    totals.rounds += 1;
    totals.responses += accessTokens.length + users.length + unusedCodes.length + families.length + updates.length;
    totals.unanswered += unanswered.length + unansweredCodes.length + unansweredUpdates.length;
  }

  /** Drops some of the old responses, because checking all of them would take longer every round. */
  function dropOldEntries(): void {
    for (const list of [ledger.accessTokens, ledger.families]) {
      while (list.length > MAX_KEPT) list.splice(choice.below(list.length), 1);
    }
    const { users, unusedCodes, redeemed, unanswered, unansweredCodes, updates, unansweredUpdates } = ledger;
    for (const list of [users, unusedCodes, redeemed, unanswered, unansweredCodes, updates, unansweredUpdates])
      list.length = 0;
  }
}

async function waitForTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function expectNoFindings(findings: readonly string[]): void {
  if (findings.length > 0) throw new UnacceptableResponseError(findings.join('; '));
}

/** Creates a user who can log in, and a trusted client with the grant types that the drill uses. */
async function prepare(dataDir: string, { registeredKeys: keys }: DrillKey): Promise<DrillClient> {
  const service = await openService(configFromSettings(drillSettings(dataDir)), {
    clock: systemClock,
    entropy: systemEntropy(),
    hasher: quickHasher,
    issuer: () => 'http://localhost',
  });
  const context = { actor: { kind: 'operator' }, requestId: null } as const;
  await service.accounts.register({ username: USERNAME, password: passwordOf(USERNAME) }, context);
  const registration = await service.registration.register(
    {
      name: 'Drill',
      clientType: 'confidential',
      grantTypes: ['authorization-code', 'client-credentials', 'password'],
      redirectUris: [DRILL_REDIRECT_URI],
      allowedOrigins: [],
      skipAuthorization: true,
    },
    null,
    context,
  );
  if (!('clientId' in registration)) throw new Error(JSON.stringify(registration));
  const storedClient = service.projections.clients.find(registration.clientId);
  if (storedClient === undefined) throw new Error('the client is not registered');
  const methods = [...storedClient.authentication.methods, 'private_key_jwt'] as const;
  const authentication = { ...storedClient.authentication, methods, keys };
  const restrictedScopes = ['grant_management_query'];
  const managed = { ...storedClient, authentication, restrictedScopes };
  const refusal = await service.registration.update(storedClient.clientId, managed, context);
  if (refusal !== undefined) throw new Error(JSON.stringify(refusal));
  await service.close();
  return { id: registration.clientId, secret: registration.clientSecret ?? '' };
}

interface Examination {
  readonly findings: readonly string[];
  readonly events: number;
}

/** A server in a separate process. */
interface Target {
  readonly origin: string;
  isKilled(): boolean;
  /** Unexpected errors of the server. */
  unexpected(): readonly string[];
  /**
   * Resolves with the damage that the server found in the log and projections, or undefined if it was killed before it
   * reported.
   */
  examine(): Promise<Examination | undefined>;
  /** Sends SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
}

const TARGET = fileURLToPath(new URL('kill-target.ts', import.meta.url));

async function startTarget(dataDir: string): Promise<Target> {
  const child = spawn(process.execPath, [RUN_TYPESCRIPT, TARGET, dataDir], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const unexpectedErrors: string[] = [];
  const exit = once(child, 'exit').then(() => undefined);
  child.on('message', (message: FromTarget) => {
    if ('unexpected' in message) unexpectedErrors.push(message.unexpected);
  });
  const portMessage = await Promise.race([messageWith(child, 'port'), exit]);
  if (portMessage === undefined)
    throw new UnacceptableResponseError('the server does not start on the files of the killed one');
  return {
    origin: `http://127.0.0.1:${portMessage.port}`,
    isKilled: () => child.killed,
    unexpected: () => unexpectedErrors,
    examine() {
      const examination = messageWith(child, 'findings');
      child.send('examine');
      return Promise.race([examination, exit]);
    },
    async kill() {
      child.kill('SIGKILL');
      await exit;
    },
  };
}

function messageWith<Key extends string>(
  child: ChildProcess,
  key: Key,
): Promise<Extract<FromTarget, Record<Key, unknown>>> {
  return new Promise((resolve) => {
    child.on('message', function listen(message: FromTarget) {
      if (!(key in message)) return;
      child.off('message', listen);
      resolve(message as Extract<FromTarget, Record<Key, unknown>>);
    });
  });
}
