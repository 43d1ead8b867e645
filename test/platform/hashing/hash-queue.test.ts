import { expect } from 'chai';
import fc from 'fast-check';
import { HASH_CLASSES, type HashCaller, type HashClass } from '../../../src/platform/hashing/hash-caller.ts';
import { createHashQueue, MAX_WAIT_MS } from '../../../src/platform/hashing/hash-queue.ts';
import { HashingOverloadedError } from '../../../src/platform/hashing/hashing-overloaded.ts';

const HASH_MS = 100;
/** How many hashes of one class can be computed in time while no other class waits. */
const CAPACITY = MAX_WAIT_MS / HASH_MS;

/** A job as observed from outside. Its times are sequence numbers of observed steps. */
interface ObservedJob extends HashCaller {
  readonly arrivedAt: number;
  beganAt?: number;
  refusedAt?: number;
  refusal?: unknown;
  outcomes: number;
}

/** A queue whose hashes and clock the test controls. */
function createTestQueue(concurrency = 1) {
  let [now, moment] = [0, 0];
  const queue = createHashQueue({ ticks: () => now, concurrency, expectedMs: HASH_MS });
  const jobs: ObservedJob[] = [];
  const running: (() => void)[] = [];

  function arrive(caller: HashCaller, onTurn: () => void = () => {}): ObservedJob {
    const job: ObservedJob = { ...caller, arrivedAt: (moment += 1), outcomes: 0 };
    jobs.push(job);
    const compute = (): Promise<void> => {
      job.beganAt = moment += 1;
      return new Promise((resolve) => running.push(resolve));
    };
    queue.run({ caller, deadline: now + MAX_WAIT_MS, onTurn, compute }).then(
      () => void (job.outcomes += 1),
      (error: unknown) => Object.assign(job, { outcomes: job.outcomes + 1, refusal: error, refusedAt: (moment += 1) }),
    );
    return job;
  }

  return {
    queue,
    jobs,
    arrive,
    advance: (milliseconds: number) => void (now += milliseconds),
    running: () => running.length,
    waiting: () => Object.values(queue.load().waiting).reduce((sum, count) => sum + count, 0),

    /** Ends the hash that started first. */
    async end(afterMs = HASH_MS): Promise<void> {
      now += afterMs;
      running.shift()?.();
      await settle();
    },
    settle,
  };

  /** Resolves when all pending reactions have run. */
  async function settle(): Promise<void> {
    for (let turns = 0; turns < 10; turns += 1) await Promise.resolve();
  }
}

type TestQueue = ReturnType<typeof createTestQueue>;

const createCaller = (hashClass: HashClass, lane: string, account: string): HashCaller => ({
  class: hashClass,
  lane,
  account,
});
const callerFromLane = (lane: number | string, account: number | string = lane): HashCaller =>
  createCaller('address', `${lane}`, `${account}`);

const arbitraryCaller = fc.record({
  class: fc.constantFrom(...HASH_CLASSES),
  lane: fc.constantFrom('a', 'b', 'c', 'd'),
  account: fc.constantFrom('1', '2', '3'),
});

const arbitraryArrival = fc.record({ kind: fc.constant('arrival' as const), caller: arbitraryCaller });
/** Hash durations are usually normal, sometimes zero, and sometimes very long, as after the process was suspended. */
const arbitraryDuration = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 400 }) },
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: 5_000, max: 70_000 }) },
);
const arbitraryEnd = fc.record({ kind: fc.constant('end' as const), milliseconds: arbitraryDuration });
/** Arrivals are more frequent than ends, so jobs usually wait. */
const arbitraryStep = fc.oneof({ weight: 3, arbitrary: arbitraryArrival }, { weight: 2, arbitrary: arbitraryEnd });
const arbitraryHistory = fc.array(arbitraryStep, { maxLength: 120 });
type History = typeof arbitraryHistory extends fc.Arbitrary<infer Steps> ? Steps : never;

async function runHistory(testQueue: TestQueue, history: History, afterEach: () => void = () => {}): Promise<void> {
  for (const step of history) {
    if (step.kind === 'arrival') {
      testQueue.arrive(step.caller);
      await testQueue.settle();
    } else {
      await testQueue.end(step.milliseconds);
    }
    afterEach();
  }
}

/** Ends all running and waiting jobs. */
async function drain(testQueue: TestQueue): Promise<void> {
  while (testQueue.running() > 0) await testQueue.end();
}

/** Returns the jobs that waited from one moment to another, and were computed later. */
function jobsWaitingThroughout(jobs: readonly ObservedJob[], from: number, to: number): readonly ObservedJob[] {
  return jobs.filter(({ arrivedAt, beganAt = 0 }) => arrivedAt < from && beganAt > to);
}

function sortByStart(jobs: readonly ObservedJob[]): readonly ObservedJob[] {
  return jobs.toSorted((a, b) => (a.beganAt ?? 0) - (b.beganAt ?? 0));
}

/**
 * Expects that between two turns of one party, every other party that waits throughout gets a turn.
 * @param partyOf the party of a job
 */
function expectFairTurns(jobs: readonly ObservedJob[], partyOf: (job: ObservedJob) => string): void {
  const turns = sortByStart(jobs.filter(({ beganAt }) => beganAt !== undefined));
  for (const [index, turn] of turns.entries()) {
    const nextTurn = turns.slice(index + 1).find((laterTurn) => partyOf(laterTurn) === partyOf(turn));
    if (nextTurn === undefined) continue;
    const [from, to] = [turn.beganAt ?? 0, nextTurn.beganAt ?? 0];
    const servedParties = new Set(turns.filter(({ beganAt = 0 }) => beganAt > from && beganAt < to).map(partyOf));
    for (const waitingJob of jobsWaitingThroughout(jobs, from, to)) {
      const party = partyOf(waitingJob);
      if (party === partyOf(turn)) continue;
      expect([...servedParties], `${partyOf(turn)} had two turns and ${party} none`).to.include(party);
    }
  }
}

function groupJobs(
  jobs: readonly ObservedJob[],
  groupOf: (job: ObservedJob) => string,
): readonly (readonly ObservedJob[])[] {
  return [...new Set(jobs.map(groupOf))].map((group) => jobs.filter((job) => groupOf(job) === group));
}

describe('the queue for slow hashes', () => {
  const arbitraryConcurrency = fc.integer({ min: 1, max: 3 });

  it('computes a fixed number of hashes at a time, and never fewer while a job waits', () =>
    fc.assert(
      fc.asyncProperty(arbitraryHistory, arbitraryConcurrency, async (history, max) => {
        const testQueue = createTestQueue(max);
        await runHistory(testQueue, history, () => {
          expect(testQueue.running()).to.be.at.most(max);
          if (testQueue.waiting() > 0) expect(testQueue.running()).to.equal(max);
        });
      }),
    ));

  it('gives every job exactly one outcome', () =>
    fc.assert(
      fc.asyncProperty(arbitraryHistory, arbitraryConcurrency, async (history, max) => {
        const testQueue = createTestQueue(max);
        await runHistory(testQueue, history);
        await drain(testQueue);
        for (const job of testQueue.jobs) {
          expect(job.outcomes).to.equal(1);
          expect(job.beganAt === undefined).to.equal(job.refusal instanceof HashingOverloadedError);
        }
        expect(testQueue.queue.load()).to.deep.include({ running: 0, waiting: { known: 0, client: 0, address: 0 } });
      }),
    ));

  /** Checks `property` for the jobs of any history on a queue that computes one hash at a time. */
  const forAnyHistory = (property: (jobs: readonly ObservedJob[]) => void) => (): Promise<void> =>
    fc.assert(
      fc.asyncProperty(arbitraryHistory, async (history) => {
        const testQueue = createTestQueue();
        await runHistory(testQueue, history);
        await drain(testQueue);
        property(testQueue.jobs);
      }),
    );

  it(
    'serves each waiting class once before any other class twice',
    forAnyHistory((jobs) => {
      expectFairTurns(jobs, (job) => job.class);
    }),
  );

  it(
    'serves each waiting lane of a class once before any other lane twice',
    forAnyHistory((jobs) => {
      for (const classJobs of groupJobs(jobs, (job) => job.class)) expectFairTurns(classJobs, ({ lane }) => lane);
    }),
  );

  it(
    'serves each waiting account of a lane once before any other account twice',
    forAnyHistory((jobs) => {
      const lanes = groupJobs(jobs, (job) => `${job.class} ${job.lane}`);
      for (const laneJobs of lanes) expectFairTurns(laneJobs, ({ account }) => account);
    }),
  );

  it(
    'serves the jobs for one account of a lane in order of arrival',
    forAnyHistory((jobs) => {
      for (const accountJobs of groupJobs(jobs, (job) => `${job.class} ${job.lane} ${job.account}`)) {
        const startMoments = accountJobs.flatMap(({ beganAt }) => beganAt ?? []);
        expect(startMoments).to.deep.equal(startMoments.toSorted((a, b) => a - b));
      }
    }),
  );

  it('serves the first job of a new lane after one hash of each lane, even if many jobs wait', async () => {
    const testQueue = createTestQueue();
    for (let nth = 0; nth < 100; nth += 1) testQueue.arrive(callerFromLane('flood', 'flood'));
    const victim = testQueue.arrive(callerFromLane('victim'));
    await testQueue.end();
    expect(victim.beganAt).not.to.equal(undefined);
  });

  it('alternates between lanes even if the clock does not advance', async () => {
    const testQueue = createTestQueue();
    testQueue.arrive(callerFromLane('running'));
    for (let nth = 0; nth < 8; nth += 1) testQueue.arrive(callerFromLane(nth < 4 ? 'a' : 'b'));
    for (let nth = 0; nth < 8; nth += 1) await testQueue.end(0);
    expect(
      sortByStart(testQueue.jobs.slice(1))
        .map(({ lane }) => lane)
        .join(''),
    ).to.equal('abababab');
  });

  it('serves a new lane before lanes served within the last minute', async () => {
    const testQueue = createTestQueue();
    for (let lane = 0; lane < 50; lane += 1) testQueue.arrive(callerFromLane(lane));
    for (let round = 0; round < 50; round += 1) await testQueue.end();
    for (let lane = 0; lane < 50; lane += 1) testQueue.arrive(callerFromLane(lane));
    const freshJob = testQueue.arrive(callerFromLane('fresh'));
    await testQueue.end();
    expect(freshJob.beganAt).not.to.equal(undefined);
  });

  it('gives a new lane an advantage of at most one minute', async () => {
    const testQueue = createTestQueue();
    testQueue.arrive(callerFromLane('office'));
    await testQueue.end();
    testQueue.advance(50_000 - HASH_MS);
    testQueue.arrive(callerFromLane('running'));
    const officeJob = testQueue.arrive(callerFromLane('office'));
    testQueue.advance(10_001);
    const freshJob = testQueue.arrive(callerFromLane('fresh'));
    await testQueue.end();
    expect([officeJob.beganAt === undefined, freshJob.beganAt === undefined]).to.deep.equal([false, true]);
  });

  describe('when it is full', () => {
    /** A full queue, in which every new job waits because one hash is running. */
    function fullQueue(lanes: number): TestQueue {
      const testQueue = createTestQueue();
      testQueue.arrive(callerFromLane('running'));
      for (let nth = 0; nth < CAPACITY; nth += 1)
        testQueue.arrive(callerFromLane(`lane ${nth % lanes}`, `account ${nth}`));
      return testQueue;
    }

    it('contains as many jobs as can be computed within fifteen seconds', async () => {
      const testQueue = fullQueue(1);
      expect(testQueue.waiting()).to.equal(CAPACITY);
      const excessJob = testQueue.arrive(callerFromLane('lane 0', 'beyond'));
      await testQueue.settle();
      expect(testQueue.waiting()).to.equal(CAPACITY);
      expect(excessJob.refusal).to.be.instanceOf(HashingOverloadedError);
    });

    it('divides this limit among the classes with waiting jobs', async () => {
      const testQueue = createTestQueue();
      testQueue.arrive(callerFromLane('running'));
      testQueue.arrive(createCaller('known', 'one', 'one'));
      for (let nth = 0; nth < CAPACITY; nth += 1) testQueue.arrive(callerFromLane('lane', nth));
      expect(testQueue.queue.load().waiting).to.deep.equal({ known: 1, client: 0, address: CAPACITY / 2 });
    });

    it('states the time after which all waiting jobs are done', async () => {
      const testQueue = fullQueue(1);
      const excessJob = testQueue.arrive(callerFromLane('lane 0', 'beyond'));
      await testQueue.settle();
      expect(excessJob.refusal).to.deep.include({ retryAfterSeconds: MAX_WAIT_MS / 1000 });
    });

    it('refuses the newest job of the longest lane instead of the first job of another lane', async () => {
      const testQueue = fullQueue(1);
      const newestJob = testQueue.jobs.at(-1);
      const newcomer = testQueue.arrive(callerFromLane('newcomer'));
      await testQueue.settle();
      expect(newcomer.refusal).to.equal(undefined);
      expect(newestJob?.refusal).to.be.instanceOf(HashingOverloadedError);
      await testQueue.end();
      await testQueue.end();
      expect(newcomer.beganAt).not.to.equal(undefined);
    });

    it('refuses the most recently served lane if every lane has one job', async () => {
      const testQueue = createTestQueue();
      testQueue.arrive(callerFromLane('busy'));
      await testQueue.end();
      testQueue.advance(1_000);
      testQueue.arrive(callerFromLane('running'));
      for (let nth = 0; nth < CAPACITY - 1; nth += 1) testQueue.arrive(callerFromLane(nth));
      const busyJob = testQueue.arrive(callerFromLane('busy'));
      const freshJob = testQueue.arrive(callerFromLane('fresh'));
      await testQueue.settle();
      expect(busyJob.refusal).to.be.instanceOf(HashingOverloadedError);
      expect(freshJob.refusal).to.equal(undefined);
    });

    it('never refuses a lane while another lane has two more waiting jobs', () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.nat({ max: 5 }), { minLength: CAPACITY, maxLength: CAPACITY + 100 }),
          async (lanes) => {
            const testQueue = createTestQueue();
            testQueue.arrive(callerFromLane('running'));
            for (const lane of lanes) {
              const job = testQueue.arrive(callerFromLane(lane, 'one'));
              await testQueue.settle();
              const refusedJobs = testQueue.jobs.filter(({ refusedAt = 0 }) => refusedAt > job.arrivedAt);
              const waitingJobs = testQueue.jobs.filter(
                (candidate) => candidate.beganAt === undefined && candidate.refusedAt === undefined,
              );
              const countWaiting = (name: string): number =>
                waitingJobs.filter(({ lane: jobLane }) => jobLane === name).length;
              const maxWaiting = Math.max(...[0, 1, 2, 3, 4, 5].map((number) => countWaiting(`${number}`)));
              for (const { lane: refusedLane } of refusedJobs)
                expect(maxWaiting).to.be.at.most(countWaiting(refusedLane) + 1);
            }
          },
        ),
        { numRuns: 10 },
      ));

    it('keeps the rank of a refused lane, so that a retry precedes later lanes', async () => {
      const testQueue = createTestQueue();
      testQueue.arrive(callerFromLane('running'));
      for (let nth = 0; nth < CAPACITY; nth += 1) testQueue.arrive(callerFromLane(nth));
      const refusedJob = testQueue.arrive(callerFromLane('patient'));
      await testQueue.settle();
      expect(refusedJob.refusal).to.be.instanceOf(HashingOverloadedError);
      // Half of the lanes are served, and the same number of new lanes arrives.
      for (let nth = 0; nth < CAPACITY / 2; nth += 1) {
        await testQueue.end();
        testQueue.arrive(callerFromLane(`later ${nth}`));
      }
      const retry = testQueue.arrive(callerFromLane('patient'));
      await testQueue.settle();
      expect(retry.refusal, 'the last arrival is refused instead').to.equal(undefined);
      expect(testQueue.jobs.at(-2)?.refusal).to.be.instanceOf(HashingOverloadedError);
      for (let nth = 0; nth < CAPACITY / 2 + 1; nth += 1) await testQueue.end();
      expect(retry.beganAt).not.to.equal(undefined);
    });

    it('serves a new lane that retries at the stated time, despite floods from many new lanes', async function () {
      this.timeout(180_000);
      for (const lanesPerSecond of [20, 600, 1_000, 3_000]) {
        const testQueue = createTestQueue();
        let nth = 0;
        const floodFor = async (milliseconds: number): Promise<void> => {
          for (let elapsed = 0; elapsed < milliseconds; elapsed += HASH_MS) {
            for (let arrivals = 0; arrivals < (lanesPerSecond / 1_000) * HASH_MS; arrivals += 1)
              testQueue.arrive(callerFromLane((nth += 1)));
            await testQueue.end();
          }
        };
        await floodFor(30_000);
        for (let index = 0; index < CAPACITY; index += 1) testQueue.arrive(callerFromLane(`waiting ${index}`));
        const refusedJob = testQueue.arrive(callerFromLane('newcomer'));
        await testQueue.settle();
        const { refusal } = refusedJob;
        if (!(refusal instanceof HashingOverloadedError))
          throw new Error(`the newcomer was not refused: ${lanesPerSecond}`);
        await floodFor(refusal.retryAfterSeconds * 1_000);
        const retry = testQueue.arrive(callerFromLane('newcomer'));
        await testQueue.end();
        await testQueue.end();
        expect(retry.beganAt, `${lanesPerSecond} lanes per second`).not.to.equal(undefined);
      }
    });

    it('does not delay other classes', async () => {
      const testQueue = fullQueue(CAPACITY);
      for (const hashClass of ['known', 'client'] as const) testQueue.arrive(createCaller(hashClass, 'one', 'one'));
      await testQueue.end();
      await testQueue.end();
      await testQueue.end();
      for (const job of testQueue.jobs.slice(-2)) expect(job.beganAt, job.class).not.to.equal(undefined);
    });
  });

  it('contains fewer jobs if hashes take longer', async () => {
    const testQueue = createTestQueue();
    for (let nth = 0; nth < 60; nth += 1) {
      testQueue.arrive(callerFromLane('slow'));
      await testQueue.end(10 * HASH_MS);
    }
    testQueue.arrive(callerFromLane('running'));
    for (let nth = 0; nth < CAPACITY; nth += 1) testQueue.arrive(callerFromLane('lane', nth));
    expect(testQueue.waiting()).to.be.within(CAPACITY / 10, CAPACITY / 10 + 2);
  });

  it('refuses jobs that have waited for fifteen seconds', async () => {
    const testQueue = createTestQueue();
    testQueue.arrive(callerFromLane('running'));
    const earlyJob = testQueue.arrive(callerFromLane('early'));
    testQueue.advance(MAX_WAIT_MS - 1);
    const lateJob = testQueue.arrive(callerFromLane('late'));
    await testQueue.end(1);
    expect(earlyJob.refusal).to.be.instanceOf(HashingOverloadedError);
    expect(lateJob.beganAt).not.to.equal(undefined);
    const { refusals } = testQueue.queue.load();
    expect(refusals).to.deep.equal({ 'line-full': 0, 'account-in-many-lanes': 0, 'waited-too-long': 1 });
  });

  it('lets an account wait in ten lanes of a class, and an eleventh lane replaces the lane served last', async () => {
    const testQueue = createTestQueue();
    testQueue.arrive(callerFromLane('lane 0', 'alice'));
    await testQueue.end();
    testQueue.arrive(callerFromLane('running'));
    for (let lane = 0; lane < 10; lane += 1) testQueue.arrive(callerFromLane(`lane ${lane}`, 'alice'));
    const otherJob = testQueue.arrive(callerFromLane('lane 11', 'bob'));
    const eleventhJob = testQueue.arrive(callerFromLane('lane 10', 'alice'));
    await testQueue.settle();
    expect([otherJob.refusal, eleventhJob.refusal]).to.deep.equal([undefined, undefined]);
    const refusedJobs = testQueue.jobs.filter(({ refusal }) => refusal !== undefined);
    expect(refusedJobs.map(({ lane }) => lane)).to.deep.equal(['lane 0']);
    expect(testQueue.queue.load().refusals).to.deep.include({ 'account-in-many-lanes': 1 });
  });

  it('skips a job that is refused at its turn, and serves the next job immediately', async () => {
    const testQueue = createTestQueue();
    testQueue.arrive(callerFromLane('running'));
    const refusedJob = testQueue.arrive(callerFromLane('one'), () => {
      throw new Error('too many attempts');
    });
    const nextJob = testQueue.arrive(callerFromLane('two'));
    await testQueue.end();
    expect(refusedJob.beganAt).to.equal(undefined);
    expect(refusedJob.refusal).to.include({ message: 'too many attempts' });
    expect(nextJob.beganAt).not.to.equal(undefined);
  });
});
