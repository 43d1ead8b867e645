import { expect } from 'chai';
import fc from 'fast-check';
import { HASH_CLASSES, type HashCaller, type HashClass } from '../../../src/platform/hashing/hash-caller.ts';
import { createHashQueue, MAX_WAIT_MS } from '../../../src/platform/hashing/hash-queue.ts';
import { HashingOverloaded } from '../../../src/platform/hashing/hashing-overloaded.ts';

const HASH_MS = 100;
/** The number of hashes of a class that can be computed in time while no other class waits. */
const ROOM = MAX_WAIT_MS / HASH_MS;

/** A job as observed from outside. Moments are sequence numbers of observed steps. */
interface ObservedJob extends HashCaller {
  readonly arrivedAt: number;
  beganAt?: number;
  refusedAt?: number;
  refusal?: unknown;
  settled: number;
}

/** A queue whose hashes and clock the test controls. */
function watchedQueue(concurrency = 1) {
  let [now, moment] = [0, 0];
  const queue = createHashQueue({ ticks: () => now, concurrency, expectedMs: HASH_MS });
  const jobs: ObservedJob[] = [];
  const running: (() => void)[] = [];

  function arrive(caller: HashCaller, onTurn: () => void = () => {}): ObservedJob {
    const job: ObservedJob = { ...caller, arrivedAt: (moment += 1), settled: 0 };
    jobs.push(job);
    const compute = (): Promise<void> => {
      job.beganAt = moment += 1;
      return new Promise((resolve) => running.push(resolve));
    };
    queue.run({ caller, deadline: now + MAX_WAIT_MS, onTurn, compute }).then(
      () => void (job.settled += 1),
      (error: unknown) => Object.assign(job, { settled: job.settled + 1, refusal: error, refusedAt: (moment += 1) }),
    );
    return job;
  }

  return {
    queue,
    jobs,
    arrive,
    pass: (milliseconds: number) => void (now += milliseconds),
    running: () => running.length,
    waiting: () => Object.values(queue.load().waiting).reduce((sum, count) => sum + count, 0),

    /** Ends the hash that started first. */
    async end(afterMs = HASH_MS): Promise<void> {
      now += afterMs;
      running.shift()?.();
      await settled();
    },
    settled,
  };

  /** Resolves when all pending reactions have run. */
  async function settled(): Promise<void> {
    for (let turns = 0; turns < 10; turns += 1) await Promise.resolve();
  }
}

type WatchedQueue = ReturnType<typeof watchedQueue>;

const callerOf = (hashClass: HashClass, lane: string, account: string): HashCaller => ({
  class: hashClass,
  lane,
  account,
});
const fromLane = (lane: number | string, account: number | string = lane): HashCaller =>
  callerOf('address', `${lane}`, `${account}`);

const aCaller = fc.record({
  class: fc.constantFrom(...HASH_CLASSES),
  lane: fc.constantFrom('a', 'b', 'c', 'd'),
  account: fc.constantFrom('1', '2', '3'),
});

const anArrival = fc.record({ kind: fc.constant('arrival' as const), caller: aCaller });
/** The duration of a hash: usually normal, sometimes zero, or very long as after a suspension of the process. */
const aDuration = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 400 }) },
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: 5_000, max: 70_000 }) },
);
const anEnd = fc.record({ kind: fc.constant('end' as const), milliseconds: aDuration });
/** Arrivals are more frequent than ends, so that jobs usually wait. */
const aStep = fc.oneof({ weight: 3, arbitrary: anArrival }, { weight: 2, arbitrary: anEnd });
const aHistory = fc.array(aStep, { maxLength: 120 });
type History = typeof aHistory extends fc.Arbitrary<infer Steps> ? Steps : never;

async function runHistory(watched: WatchedQueue, history: History, afterEach: () => void = () => {}): Promise<void> {
  for (const step of history) {
    if (step.kind === 'arrival') {
      watched.arrive(step.caller);
      await watched.settled();
    } else {
      await watched.end(step.milliseconds);
    }
    afterEach();
  }
}

/** Ends all running and waiting jobs. */
async function drain(watched: WatchedQueue): Promise<void> {
  while (watched.running() > 0) await watched.end();
}

/** The jobs that waited from one moment to another, and were computed later. */
function waitingThroughout(jobs: readonly ObservedJob[], from: number, to: number): readonly ObservedJob[] {
  return jobs.filter(({ arrivedAt, beganAt = 0 }) => arrivedAt < from && beganAt > to);
}

function inOrder(jobs: readonly ObservedJob[]): readonly ObservedJob[] {
  return jobs.toSorted((a, b) => (a.beganAt ?? 0) - (b.beganAt ?? 0));
}

/**
 * Expects that between two turns of one party, every other party that waits during that time has a turn.
 * @param partyOf the party of a job
 */
function expectTurns(jobs: readonly ObservedJob[], partyOf: (job: ObservedJob) => string): void {
  const turns = inOrder(jobs.filter(({ beganAt }) => beganAt !== undefined));
  for (const [index, turn] of turns.entries()) {
    const next = turns.slice(index + 1).find((later) => partyOf(later) === partyOf(turn));
    if (next === undefined) continue;
    const [from, to] = [turn.beganAt ?? 0, next.beganAt ?? 0];
    const served = new Set(turns.filter(({ beganAt = 0 }) => beganAt > from && beganAt < to).map(partyOf));
    for (const waiting of waitingThroughout(jobs, from, to)) {
      const party = partyOf(waiting);
      if (party === partyOf(turn)) continue;
      expect([...served], `${partyOf(turn)} had two turns and ${party} none`).to.include(party);
    }
  }
}

function groupsOf(
  jobs: readonly ObservedJob[],
  groupOf: (job: ObservedJob) => string,
): readonly (readonly ObservedJob[])[] {
  return [...new Set(jobs.map(groupOf))].map((group) => jobs.filter((job) => groupOf(job) === group));
}

describe('the queue of slow hashes', () => {
  const someConcurrency = fc.integer({ min: 1, max: 3 });

  it('computes a fixed number of hashes at a time, and never fewer while a job waits', () =>
    fc.assert(
      fc.asyncProperty(aHistory, someConcurrency, async (history, max) => {
        const watched = watchedQueue(max);
        await runHistory(watched, history, () => {
          expect(watched.running()).to.be.at.most(max);
          if (watched.waiting() > 0) expect(watched.running()).to.equal(max);
        });
      }),
    ));

  it('gives every job exactly one outcome', () =>
    fc.assert(
      fc.asyncProperty(aHistory, someConcurrency, async (history, max) => {
        const watched = watchedQueue(max);
        await runHistory(watched, history);
        await drain(watched);
        for (const job of watched.jobs) {
          expect(job.settled).to.equal(1);
          expect(job.beganAt === undefined).to.equal(job.refusal instanceof HashingOverloaded);
        }
        expect(watched.queue.load()).to.deep.include({ running: 0, waiting: { known: 0, client: 0, address: 0 } });
      }),
    ));

  /** Checks `property` for the jobs of any history on a queue that computes one hash at a time. */
  const always = (property: (jobs: readonly ObservedJob[]) => void) => (): Promise<void> =>
    fc.assert(
      fc.asyncProperty(aHistory, async (history) => {
        const watched = watchedQueue();
        await runHistory(watched, history);
        await drain(watched);
        property(watched.jobs);
      }),
    );

  it(
    'serves each waiting class once before any other class twice',
    always((jobs) => {
      expectTurns(jobs, (job) => job.class);
    }),
  );

  it(
    'serves each waiting lane of a class once before any other lane twice',
    always((jobs) => {
      for (const classJobs of groupsOf(jobs, (job) => job.class)) expectTurns(classJobs, ({ lane }) => lane);
    }),
  );

  it(
    'serves each waiting account of a lane once before any other account twice',
    always((jobs) => {
      const lanes = groupsOf(jobs, (job) => `${job.class} ${job.lane}`);
      for (const laneJobs of lanes) expectTurns(laneJobs, ({ account }) => account);
    }),
  );

  it(
    'serves the jobs for one account of a lane in order of arrival',
    always((jobs) => {
      for (const ofAccount of groupsOf(jobs, (job) => `${job.class} ${job.lane} ${job.account}`)) {
        const began = ofAccount.flatMap(({ beganAt }) => beganAt ?? []);
        expect(began).to.deep.equal(began.toSorted((a, b) => a - b));
      }
    }),
  );

  it('serves the first job of a new lane after one hash of each lane, even if many jobs wait', async () => {
    const watched = watchedQueue();
    for (let nth = 0; nth < 100; nth += 1) watched.arrive(fromLane('flood', 'flood'));
    const victim = watched.arrive(fromLane('victim'));
    await watched.end();
    expect(victim.beganAt).not.to.equal(undefined);
  });

  it('alternates between lanes even if the clock does not advance', async () => {
    const watched = watchedQueue();
    watched.arrive(fromLane('running'));
    for (let nth = 0; nth < 8; nth += 1) watched.arrive(fromLane(nth < 4 ? 'a' : 'b'));
    for (let nth = 0; nth < 8; nth += 1) await watched.end(0);
    expect(
      inOrder(watched.jobs.slice(1))
        .map(({ lane }) => lane)
        .join(''),
    ).to.equal('abababab');
  });

  it('serves a new lane before lanes served within the last minute', async () => {
    const watched = watchedQueue();
    for (let lane = 0; lane < 50; lane += 1) watched.arrive(fromLane(lane));
    for (let round = 0; round < 50; round += 1) await watched.end();
    for (let lane = 0; lane < 50; lane += 1) watched.arrive(fromLane(lane));
    const fresh = watched.arrive(fromLane('fresh'));
    await watched.end();
    expect(fresh.beganAt).not.to.equal(undefined);
  });

  it('gives a new lane an advantage of at most one minute', async () => {
    const watched = watchedQueue();
    watched.arrive(fromLane('office'));
    await watched.end();
    watched.pass(50_000 - HASH_MS);
    watched.arrive(fromLane('running'));
    const office = watched.arrive(fromLane('office'));
    watched.pass(10_001);
    const fresh = watched.arrive(fromLane('fresh'));
    await watched.end();
    expect([office.beganAt === undefined, fresh.beganAt === undefined]).to.deep.equal([false, true]);
  });

  describe('when it is full', () => {
    /** A full queue, in which every new job waits because one hash is running. */
    function fullQueue(lanes: number): WatchedQueue {
      const watched = watchedQueue();
      watched.arrive(fromLane('running'));
      for (let nth = 0; nth < ROOM; nth += 1) watched.arrive(fromLane(`lane ${nth % lanes}`, `account ${nth}`));
      return watched;
    }

    it('contains as many jobs as can be computed within fifteen seconds', async () => {
      const watched = fullQueue(1);
      expect(watched.waiting()).to.equal(ROOM);
      const excessJob = watched.arrive(fromLane('lane 0', 'beyond'));
      await watched.settled();
      expect(watched.waiting()).to.equal(ROOM);
      expect(excessJob.refusal).to.be.instanceOf(HashingOverloaded);
    });

    it('divides this limit among the classes with waiting jobs', async () => {
      const watched = watchedQueue();
      watched.arrive(fromLane('running'));
      watched.arrive(callerOf('known', 'one', 'one'));
      for (let nth = 0; nth < ROOM; nth += 1) watched.arrive(fromLane('lane', nth));
      expect(watched.queue.load().waiting).to.deep.equal({ known: 1, client: 0, address: ROOM / 2 });
    });

    it('states the time after which all waiting jobs are done', async () => {
      const watched = fullQueue(1);
      const excessJob = watched.arrive(fromLane('lane 0', 'beyond'));
      await watched.settled();
      expect(excessJob.refusal).to.deep.include({ retryAfterSeconds: MAX_WAIT_MS / 1000 });
    });

    it('refuses the newest job of the longest lane instead of the first job of another lane', async () => {
      const watched = fullQueue(1);
      const before = watched.jobs.at(-1);
      const newcomer = watched.arrive(fromLane('newcomer'));
      await watched.settled();
      expect(newcomer.refusal).to.equal(undefined);
      expect(before?.refusal).to.be.instanceOf(HashingOverloaded);
      await watched.end();
      await watched.end();
      expect(newcomer.beganAt).not.to.equal(undefined);
    });

    it('refuses the most recently served lane if every lane has one job', async () => {
      const watched = watchedQueue();
      watched.arrive(fromLane('busy'));
      await watched.end();
      watched.pass(1_000);
      watched.arrive(fromLane('running'));
      for (let nth = 0; nth < ROOM - 1; nth += 1) watched.arrive(fromLane(nth));
      const busy = watched.arrive(fromLane('busy'));
      const fresh = watched.arrive(fromLane('fresh'));
      await watched.settled();
      expect(busy.refusal).to.be.instanceOf(HashingOverloaded);
      expect(fresh.refusal).to.equal(undefined);
    });

    it('never refuses a lane while another lane has two more waiting jobs', () =>
      fc.assert(
        fc.asyncProperty(fc.array(fc.nat({ max: 5 }), { minLength: ROOM, maxLength: ROOM + 100 }), async (lanes) => {
          const watched = watchedQueue();
          watched.arrive(fromLane('running'));
          for (const lane of lanes) {
            const job = watched.arrive(fromLane(lane, 'one'));
            await watched.settled();
            const refused = watched.jobs.filter(({ refusedAt = 0 }) => refusedAt > job.arrivedAt);
            const waiting = watched.jobs.filter(
              (other) => other.beganAt === undefined && other.refusedAt === undefined,
            );
            const waitingIn = (name: string): number => waiting.filter(({ lane: other }) => other === name).length;
            const longest = Math.max(...[0, 1, 2, 3, 4, 5].map((number) => waitingIn(`${number}`)));
            for (const { lane: refusedLane } of refused) expect(longest).to.be.at.most(waitingIn(refusedLane) + 1);
          }
        }),
        { numRuns: 10 },
      ));

    it('keeps the rank of a refused lane, so that a retry precedes later lanes', async () => {
      const watched = watchedQueue();
      watched.arrive(fromLane('running'));
      for (let nth = 0; nth < ROOM; nth += 1) watched.arrive(fromLane(nth));
      const refused = watched.arrive(fromLane('patient'));
      await watched.settled();
      expect(refused.refusal).to.be.instanceOf(HashingOverloaded);
      // Half of the lanes are served, and as many new lanes arrive.
      for (let nth = 0; nth < ROOM / 2; nth += 1) {
        await watched.end();
        watched.arrive(fromLane(`later ${nth}`));
      }
      const retry = watched.arrive(fromLane('patient'));
      await watched.settled();
      expect(retry.refusal, 'the last arrival is refused instead').to.equal(undefined);
      expect(watched.jobs.at(-2)?.refusal).to.be.instanceOf(HashingOverloaded);
      for (let nth = 0; nth < ROOM / 2 + 1; nth += 1) await watched.end();
      expect(retry.beganAt).not.to.equal(undefined);
    });

    it('serves a new lane that retries at the stated time, despite floods from many new lanes', async function () {
      this.timeout(180_000);
      for (const lanesPerSecond of [20, 600, 1_000, 3_000]) {
        const watched = watchedQueue();
        let nth = 0;
        const floodFor = async (milliseconds: number): Promise<void> => {
          for (let elapsed = 0; elapsed < milliseconds; elapsed += HASH_MS) {
            for (let more = 0; more < (lanesPerSecond / 1_000) * HASH_MS; more += 1)
              watched.arrive(fromLane((nth += 1)));
            await watched.end();
          }
        };
        await floodFor(30_000);
        for (let free = 0; free < ROOM; free += 1) watched.arrive(fromLane(`waiting ${free}`));
        const refused = watched.arrive(fromLane('newcomer'));
        await watched.settled();
        const { refusal } = refused;
        if (!(refusal instanceof HashingOverloaded)) throw new Error(`the newcomer was not refused: ${lanesPerSecond}`);
        await floodFor(refusal.retryAfterSeconds * 1_000);
        const retry = watched.arrive(fromLane('newcomer'));
        await watched.end();
        await watched.end();
        expect(retry.beganAt, `${lanesPerSecond} a second`).not.to.equal(undefined);
      }
    });

    it('does not delay other classes', async () => {
      const watched = fullQueue(ROOM);
      for (const hashClass of ['known', 'client'] as const) watched.arrive(callerOf(hashClass, 'one', 'one'));
      await watched.end();
      await watched.end();
      await watched.end();
      for (const job of watched.jobs.slice(-2)) expect(job.beganAt, job.class).not.to.equal(undefined);
    });
  });

  it('contains fewer jobs if hashes take longer', async () => {
    const watched = watchedQueue();
    for (let nth = 0; nth < 60; nth += 1) {
      watched.arrive(fromLane('slow'));
      await watched.end(10 * HASH_MS);
    }
    watched.arrive(fromLane('running'));
    for (let nth = 0; nth < ROOM; nth += 1) watched.arrive(fromLane('lane', nth));
    expect(watched.waiting()).to.be.within(ROOM / 10, ROOM / 10 + 2);
  });

  it('refuses jobs that have waited for fifteen seconds', async () => {
    const watched = watchedQueue();
    watched.arrive(fromLane('running'));
    const earlyJob = watched.arrive(fromLane('early'));
    watched.pass(MAX_WAIT_MS - 1);
    const lateJob = watched.arrive(fromLane('late'));
    await watched.end(1);
    expect(earlyJob.refusal).to.be.instanceOf(HashingOverloaded);
    expect(lateJob.beganAt).not.to.equal(undefined);
    const { refusals } = watched.queue.load();
    expect(refusals).to.deep.equal({ 'line-full': 0, 'account-in-many-lanes': 0, 'waited-too-long': 1 });
  });

  it('lets an account wait in ten lanes of a class, and an eleventh lane replaces the lane served last', async () => {
    const watched = watchedQueue();
    watched.arrive(fromLane('lane 0', 'alice'));
    await watched.end();
    watched.arrive(fromLane('running'));
    for (let lane = 0; lane < 10; lane += 1) watched.arrive(fromLane(`lane ${lane}`, 'alice'));
    const other = watched.arrive(fromLane('lane 11', 'bob'));
    const eleventh = watched.arrive(fromLane('lane 10', 'alice'));
    await watched.settled();
    expect([other.refusal, eleventh.refusal]).to.deep.equal([undefined, undefined]);
    const refused = watched.jobs.filter(({ refusal }) => refusal !== undefined);
    expect(refused.map(({ lane }) => lane)).to.deep.equal(['lane 0']);
    expect(watched.queue.load().refusals).to.deep.include({ 'account-in-many-lanes': 1 });
  });

  it('skips a job that is refused at its turn, and serves the next job immediately', async () => {
    const watched = watchedQueue();
    watched.arrive(fromLane('running'));
    const refused = watched.arrive(fromLane('one'), () => {
      throw new Error('too many attempts');
    });
    const next = watched.arrive(fromLane('two'));
    await watched.end();
    expect(refused.beganAt).to.equal(undefined);
    expect(refused.refusal).to.include({ message: 'too many attempts' });
    expect(next.beganAt).not.to.equal(undefined);
  });
});
