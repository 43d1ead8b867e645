import { expect } from 'chai';
import fc from 'fast-check';
import { decideAgain } from '../../src/event-store/decide-again.ts';
import { createCommandHandler, type CommandHandler, type EventCodec } from '../../src/event-store/command-handler.ts';
import { accept, noChange, refuse, type Decider } from '../../src/event-store/decider.ts';
import { createMemoryLog } from '../../src/event-store/engines/memory.ts';
import { DecisionOutdated, LogUnavailable } from '../../src/event-store/event-log.ts';
import type { EventLog, ObservedRevision, RecordedEvent, Revision } from '../../src/event-store/event-log.ts';
import { startProjector } from '../../src/event-store/projector.ts';
import { readWholeStream } from '../support/whole-stream.ts';

/** A pot of coins, each of which can be taken once. An overdraft is refused and recorded. */
type Command = { readonly type: 'put' | 'take'; readonly coins: number } | { readonly type: 'nothing' };
interface Event {
  readonly type: 'Put' | 'Taken' | 'Refused';
  readonly coins: number;
}

const pot: Decider<Command, number, Event, 'not-enough'> = {
  initial: 0,
  decide(command, balance) {
    if (command.type === 'nothing') return noChange;
    if (command.type === 'put') return accept<Event>({ type: 'Put', coins: command.coins });
    return command.coins <= balance
      ? accept<Event>({ type: 'Taken', coins: command.coins })
      : refuse('not-enough', { type: 'Refused', coins: command.coins });
  },
  evolve: (balance, { type, coins }) =>
    type === 'Put' ? balance + coins : type === 'Taken' ? balance - coins : balance,
};
const codec: EventCodec<Event> = {
  encode: ({ type, coins }) => ({ type, version: 1, data: { coins } }),
  decode: ({ type, data }: RecordedEvent) => ({
    type: type as Event['type'],
    coins: (data as { coins: number }).coins,
  }),
};
const CONTEXT = { actor: { kind: 'user', id: 'ada' }, requestId: 'request 1' } as const;

const handlerOn = (log: EventLog): CommandHandler<Command, number, Event, 'not-enough'> =>
  createCommandHandler({ log, decider: pot, codec, now: () => 42, cachedStates: 10 });

/** Wraps a log, and counts the reads of its streams. */
function withReadCount(log: EventLog): { readonly log: EventLog; reads(): number } {
  let reads = 0;
  const countingLog: EventLog = {
    ...log,
    readStreamBackwards: (stream) => ((reads += 1), log.readStreamBackwards(stream)),
  };
  return { log: countingLog, reads: () => reads };
}

describe('a command handler', () => {
  it('returns the events, the state after them, and their position', async () => {
    const log = createMemoryLog();
    const outcome = await handlerOn(log).execute('pot', { type: 'put', coins: 3 }, CONTEXT);
    expect(outcome).to.deep.equal({ refusal: undefined, events: [{ type: 'Put', coins: 3 }], state: 3, position: 1 });
    expect(log.head()).to.equal(1);
  });

  it('records the actor, the request and the time in the envelope', async () => {
    const log = createMemoryLog();
    await handlerOn(log).execute('pot', { type: 'put', coins: 3 }, CONTEXT);
    const { events } = await readWholeStream(log, 'pot');
    expect(events[0]).to.include({ type: 'Put', version: 1, recordedAt: 42, requestId: 'request 1' });
    expect(events[0]?.actor).to.deep.equal(CONTEXT.actor);
  });

  it('appends the events that a refusal returns', async () => {
    const log = createMemoryLog();
    const outcome = await handlerOn(log).execute('pot', { type: 'take', coins: 1 }, CONTEXT);
    expect(outcome).to.deep.equal({
      refusal: 'not-enough',
      events: [{ type: 'Refused', coins: 1 }],
      state: 0,
      position: 1,
    });
  });

  it('appends nothing if there are no events', async () => {
    const log = createMemoryLog();
    expect(await handlerOn(log).execute('pot', { type: 'nothing' }, CONTEXT)).to.deep.equal({
      refusal: undefined,
      events: [],
      state: 0,
      position: null,
    });
    expect(log.head()).to.equal(0);
  });

  it('decides from all earlier events', async () => {
    const log = createMemoryLog();
    await handlerOn(log).execute('pot', { type: 'put', coins: 3 }, CONTEXT);
    const laterHandler = handlerOn(log);
    expect(await laterHandler.state('pot')).to.equal(3);
    expect(await laterHandler.state('another')).to.equal(0);
    expect((await laterHandler.execute('pot', { type: 'take', coins: 4 }, CONTEXT)).refusal).to.equal('not-enough');
    expect((await laterHandler.execute('pot', { type: 'take', coins: 3 }, CONTEXT)).refusal).to.equal(undefined);
  });

  it('does not read a stream again after its second event, because it caches its own appends', async () => {
    const { log, reads } = withReadCount(createMemoryLog());
    const handler = handlerOn(log);
    for (let count = 0; count < 10; count += 1) await handler.execute('pot', { type: 'put', coins: 1 }, CONTEXT);
    expect(await handler.state('pot')).to.equal(10);
    expect(reads()).to.equal(2); // one before the first event, and one after the second
  });

  it("reads another writer's stream once, even for queries and refusals", async () => {
    const memory = createMemoryLog();
    await handlerOn(memory).execute('pot', { type: 'put', coins: 1 }, CONTEXT);
    const { log, reads } = withReadCount(memory);
    const handler = handlerOn(log);
    for (let count = 0; count < 10; count += 1) await handler.execute('pot', { type: 'nothing' }, CONTEXT);
    expect(await handler.state('pot')).to.equal(1);
    expect(reads()).to.equal(1);
  });

  it('decides again, based on the new state, if another writer was first', async () => {
    const log = createMemoryLog();
    const [first, second] = [handlerOn(log), handlerOn(log)];
    await first.execute('pot', { type: 'put', coins: 1 }, CONTEXT);
    await second.execute('pot', { type: 'take', coins: 1 }, CONTEXT);
    // The first handler's cache still has the coin.
    expect((await first.execute('pot', { type: 'take', coins: 1 }, CONTEXT)).refusal).to.equal('not-enough');
    expect(await first.state('pot')).to.equal(0);
  });

  it('lets concurrent commands take a coin only once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 2, max: 12 }),
        async (scheduler, handlerCount, takerCount) => {
          const memory = createMemoryLog();
          await handlerOn(memory).execute('pot', { type: 'put', coins: 1 }, CONTEXT);
          const turn = scheduler.scheduleFunction(async () => {});
          const slowLog: EventLog = {
            ...memory,
            async *readStreamBackwards(stream) {
              await turn();
              yield* memory.readStreamBackwards(stream);
            },
            append: scheduler.scheduleFunction(memory.append),
          };
          const handlers = Array.from({ length: handlerCount }, () => handlerOn(slowLog));
          const outcomes = Promise.all(
            Array.from({ length: takerCount }, (_, index) =>
              (handlers[index % handlerCount] ?? handlerOn(slowLog)).execute(
                'pot',
                { type: 'take', coins: 1 },
                CONTEXT,
              ),
            ),
          );
          await scheduler.waitFor(outcomes);
          expect((await outcomes).filter((outcome) => outcome.refusal === undefined)).to.have.length(1);
          const { events } = await readWholeStream(memory, 'pot');
          expect(events.map(({ type }) => type)).to.deep.equal([
            'Put',
            'Taken',
            ...Array.from({ length: takerCount - 1 }, () => 'Refused'),
          ]);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('keeps a separate state for each stream', async () => {
    const handler = handlerOn(createMemoryLog());
    await Promise.all(
      ['one', 'two'].map((stream, index) => handler.execute(stream, { type: 'put', coins: index + 1 }, CONTEXT)),
    );
    expect([await handler.state('one'), await handler.state('two')]).to.deep.equal([1, 2]);
  });

  it('resolves only after every projection has applied the events', async () => {
    const log = createMemoryLog();
    const types: string[] = [];
    await startProjector(log, [
      {
        name: 'seen',
        apply: ({ type }) => void types.push(type),
        contents: () => types,
        freeze: () => [],
        restore: () => {},
      },
    ]);
    await handlerOn(log).execute('pot', { type: 'put', coins: 1 }, CONTEXT);
    expect(types).to.deep.equal(['Put']);
  });

  it('passes on an error from the log, and does not cache events that were not written', async () => {
    const memory = createMemoryLog();
    let isBroken = true;
    const handler = handlerOn({
      ...memory,
      append: (...args) => (isBroken ? Promise.reject(new LogUnavailable('full')) : memory.append(...args)),
    });
    const failure = await handler.execute('pot', { type: 'put', coins: 1 }, CONTEXT).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(LogUnavailable);
    expect(await handler.state('pot')).to.equal(0);
    isBroken = false;
    expect((await handler.execute('pot', { type: 'put', coins: 2 }, CONTEXT)).state).to.equal(2);
  });

  it('appends nothing if a stream that the command was based on has changed', async () => {
    const log = createMemoryLog();
    const handler = handlerOn(log);
    await handler.execute('account', { type: 'put', coins: 1 }, CONTEXT);
    const context = { ...CONTEXT, basedOn: [{ stream: 'account', revision: 1 as Revision }] };
    await handler.execute('pot', { type: 'put', coins: 1 }, context);
    expect((await readWholeStream(log, 'pot')).events[0]).to.not.have.property('basedOn');
    await handler.execute('account', { type: 'put', coins: 1 }, CONTEXT);
    const failure = await handler.execute('pot', { type: 'put', coins: 1 }, context).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(DecisionOutdated);
    expect(await handler.state('pot')).to.equal(1);
  });

  it('accepts a command that yields no events, even if that stream has changed', async () => {
    const handler = handlerOn(createMemoryLog());
    const context = { ...CONTEXT, basedOn: [{ stream: 'account', revision: 1 as Revision }] };
    expect((await handler.execute('pot', { type: 'nothing' }, context)).refusal).to.equal(undefined);
  });
});

describe('a second command in the same append', () => {
  const context = (basedOn: readonly ObservedRevision[] = []) => ({ ...CONTEXT, basedOn });
  let log: EventLog;
  let handler: CommandHandler<Command, number, Event, 'not-enough'>;

  beforeEach(async () => {
    log = createMemoryLog();
    handler = handlerOn(log);
    await handler.execute('from', { type: 'put', coins: 3 }, CONTEXT);
    await handler.execute('from', { type: 'put', coins: 2 }, CONTEXT);
  });

  /** Moves coins from one pot to another. */
  const move = (coins: number, to = 'to', basedOn?: readonly ObservedRevision[]) =>
    handler.execute(to, { type: 'put', coins }, context(basedOn), { stream: 'from', command: { type: 'take', coins } });

  it('takes effect together with the first command', async () => {
    const outcome = await move(4);
    expect(outcome).to.deep.equal({ refusal: undefined, events: [{ type: 'Put', coins: 4 }], state: 4, position: 4 });
    expect([await handler.state('from'), await handler.state('to')]).to.deep.equal([1, 4]);
  });

  it('prevents the first command if it is refused', async () => {
    expect(await move(6)).to.include({ refusal: 'not-enough', position: null });
    expect([await handler.state('from'), await handler.state('to'), log.head()]).to.deep.equal([5, 0, 2]);
  });

  it('is not evaluated if the first command changes nothing or is refused', async () => {
    const secondCommand = { stream: 'from', command: { type: 'take', coins: 1 } } as const;
    await handler.execute('to', { type: 'nothing' }, CONTEXT, secondCommand);
    expect((await handler.execute('to', { type: 'take', coins: 9 }, CONTEXT, secondCommand)).refusal).to.equal(
      'not-enough',
    );
    expect(await handler.state('from')).to.equal(5);
  });

  it('may yield no events', async () => {
    await handler.execute('to', { type: 'put', coins: 1 }, CONTEXT, { stream: 'from', command: { type: 'nothing' } });
    expect([await handler.state('from'), await handler.state('to')]).to.deep.equal([5, 1]);
  });

  it('cannot start a stream', async () => {
    const execution = handler.execute('to', { type: 'put', coins: 1 }, CONTEXT, {
      stream: 'new',
      command: { type: 'put', coins: 1 },
    });
    expect(await execution.catch((error: unknown) => error)).to.be.instanceOf(RangeError);
    expect(log.head()).to.equal(2);
  });

  it('neither creates nor loses a coin in concurrent moves', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 3 }), { minLength: 2, maxLength: 8 }), async (coins) => {
        log = createMemoryLog();
        handler = handlerOn(log);
        await handler.execute('from', { type: 'put', coins: 5 }, CONTEXT);
        await Promise.all(
          coins.map((amount, index) => decideAgain(async () => move(amount, `to ${index}`)).catch(expectOutdated)),
        );
        const pots = await Promise.all(['from', ...coins.keys()].map(async (name) => coinsIn(log, name)));
        expect(pots.reduce((sum, coin) => sum + coin, 0)).to.equal(5);
        expect(await handler.state('from')).to.equal(pots[0]);
      }),
    );
  });

  const expectOutdated = (error: unknown): void => void expect(error).to.be.instanceOf(DecisionOutdated);

  async function coinsIn(events: EventLog, name: string | number): Promise<number> {
    return handlerOn(events).state(name === 'from' ? name : `to ${name}`);
  }
});

describe('a command with a decision time', () => {
  /** Adds a coin with the given decision time in seconds, on a handler whose clock shows 100 seconds. */
  async function appendAt(decidedAt: number | undefined): Promise<unknown> {
    const log = createMemoryLog();
    const decider = { ...pot, decidedAt: () => decidedAt };
    const handler = createCommandHandler({ log, decider, codec, now: () => 100_000, cachedStates: 10 });
    const outcome = await handler.execute('pot', { type: 'put', coins: 1 }, CONTEXT).catch((error: unknown) => error);
    expect(log.head()).to.equal(outcome instanceof DecisionOutdated ? 0 : 1);
    return outcome;
  }

  it('is outdated, and appends nothing, if the clock was set back after the decision', async () => {
    for (const decidedAt of [106, 1_000, Infinity]) {
      expect(await appendAt(decidedAt), `${decidedAt}`).to.be.instanceOf(DecisionOutdated);
    }
  });

  it('is recorded after any delay, and after the clock was set back slightly', async () => {
    for (const decidedAt of [undefined, 0, 99, 100, 105])
      expect(await appendAt(decidedAt), `${decidedAt}`).to.include({ state: 1 });
  });
});

describe('a decision that may be outdated', () => {
  const failAsOutdated = (): never => {
    throw new DecisionOutdated('account');
  };

  it('is repeated until it is no longer outdated', async () => {
    let attempts = 0;
    expect(await decideAgain(async () => ((attempts += 1) < 3 ? failAsOutdated() : attempts))).to.equal(3);
  });

  it('is given up if it is outdated every time', async () => {
    const finalError = decideAgain(async () => failAsOutdated()).catch((error: unknown) => error);
    expect(await finalError).to.be.instanceOf(DecisionOutdated);
  });

  it('is not repeated after any other error', async () => {
    let attempts = 0;
    const attempt = decideAgain(async () => {
      attempts += 1;
      throw new LogUnavailable('full');
    });
    expect(await attempt.catch((error: unknown) => error)).to.be.instanceOf(LogUnavailable);
    expect(attempts).to.equal(1);
  });
});
