import { expect } from 'chai';
import type { AppendResult } from '../../../src/event-store/event-log.ts';
import { LogUnreachable, AppendOutcomeUnknown } from '../../../src/event-store/log-unreachable.ts';
import type { AppendOutcome } from '../../../src/event-store/postgres/append-statement.ts';
import { createWriter, type Writer, type WriterDeps } from '../../../src/event-store/postgres/writer.ts';
import type { Connection } from '../../../src/platform/postgres/connect.ts';
import { someEvents } from '../../support/some-events.ts';

const PAST_DEADLINE = 11_000;

describe('the writer of a log in PostgreSQL', () => {
  let now: number;
  let queries: number;
  let connectionDeferred: Deferred<Connection>;
  let appliedDeferred: Deferred<void>;
  let writer: Writer;

  beforeEach(() => {
    now = 0;
    queries = 0;
    connectionDeferred = createDeferred();
    appliedDeferred = createDeferred();
    appliedDeferred.promise.catch(() => {}); // one test rejects it without a handler
    let ids = 0;
    writer = createWriter({
      link: { connection: () => connectionDeferred.promise, reset() {}, reconnects: () => 0, close() {} },
      feed: { offer() {}, extend() {}, waitFor: () => appliedDeferred.promise } satisfies WriterDeps['feed'],
      mintAppendId: () => `${(ids += 1)}`,
      ticks: () => now,
    });
  });

  it('does not send an append after it has reported that no event was stored', async () => {
    const outcome = awaitOutcome(writer.append('s', 'no-stream', someEvents(1), []));
    now = PAST_DEADLINE;
    expect(await outcome)
      .to.be.instanceOf(LogUnreachable)
      .and.not.instanceOf(AppendOutcomeUnknown);
    connectionDeferred.resolve(storingConnection());
    await writer.idle();
    expect(queries).to.equal(0);
  });

  it('reports an unknown outcome for a stored append that this node could not read', async () => {
    connectionDeferred.resolve(storingConnection());
    const outcome = awaitOutcome(writer.append('s', 'no-stream', someEvents(1), []));
    await new Promise(setImmediate);
    expect(queries).to.equal(1);
    const cause = new LogUnreachable('too late');
    appliedDeferred.reject(cause);
    expect(await outcome)
      .to.be.instanceOf(AppendOutcomeUnknown)
      .with.property('cause', cause);
    expect(writer.unknownOutcomes()).to.equal(1);
  });

  for (const result of ['stored', 'outdated'] as const)
    it(`is idle only after the caller of an append that was ${result} has received the result`, async () => {
      connectionDeferred.resolve(storingConnection(result));
      const order: string[] = [];
      const append = awaitOutcome(writer.append('s', 'no-stream', someEvents(1), [])).then(() => order.push('result'));
      const idle = writer.idle().then(() => order.push('idle'));
      await new Promise(setImmediate);
      expect(order).to.deep.equal([]);
      appliedDeferred.resolve();
      await Promise.all([append, idle]);
      expect(order).to.deep.equal(['result', 'idle']);
    });

  // Mocha fails a test that has an unhandled rejection, which would terminate a node.
  for (const lateResult of ['stored', 'outdated', 'conflict'] as const)
    it(`ignores the result "${lateResult}" after the deadline`, async () => {
      const reply = createDeferred<void>();
      connectionDeferred.resolve(storingConnection(lateResult, reply.promise));
      const outcome = awaitOutcome(writer.append('s', 'no-stream', someEvents(1), []));
      await new Promise(setImmediate);
      expect(queries).to.equal(1);
      now = PAST_DEADLINE;
      expect(await outcome).to.be.instanceOf(AppendOutcomeUnknown);
      if (lateResult === 'stored') appliedDeferred.reject(new LogUnreachable('too late'));
      else appliedDeferred.resolve();
      reply.resolve();
      await writer.idle();
      for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
      expect(writer.unknownOutcomes()).to.equal(1);
    });

  function storingConnection(
    result: AppendOutcome['outcome'] = 'stored',
    replyPromise = Promise.resolve(),
  ): Connection {
    return {
      async query<Row extends object>() {
        queries += 1;
        await replyPromise;
        return [
          { outcome: result, value: 1 },
          { outcome: 'head', value: 1 },
        ] as unknown as readonly Row[];
      },
      async listen() {},
      ended: new Promise(() => {}),
      destroy() {},
    };
  }
});

function awaitOutcome(append: Promise<AppendResult>): Promise<unknown> {
  return append.catch((error: unknown) => error);
}

interface Deferred<Result> {
  readonly promise: Promise<Result>;
  resolve(result: Result): void;
  reject(error: Error): void;
}

function createDeferred<Result>(): Deferred<Result> {
  let resolve: (result: Result) => void;
  let reject: (error: Error) => void;
  const promise = new Promise<Result>((...settle) => ([resolve, reject] = settle));
  return { promise, resolve: (result) => resolve(result), reject: (error) => reject(error) };
}
