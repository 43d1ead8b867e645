import { expect } from 'chai';
import { createCommandHandler, type CommandHandler, type EventCodec } from '../../src/event-store/command-handler.ts';
import { accept, noChange, type Decider } from '../../src/event-store/decider.ts';
import type { RecordedEvent } from '../../src/event-store/event-log.ts';
import { sharedMemoryLog, type LogView } from '../support/shared-memory-log.ts';

type Command = 'add' | 'look';
type Event = 'Added';

const counter: Decider<Command, number, Event, never> = {
  initial: 0,
  decide: (command) => (command === 'add' ? accept<Event>('Added') : noChange),
  evolve: (count) => count + 1,
};
const codec: EventCodec<Event> = {
  encode: (type) => ({ type, version: 1, data: null }),
  decode: ({ type }: RecordedEvent) => type as Event,
};
const CONTEXT = { actor: { kind: 'server' }, requestId: null } as const;

/** A node whose handler follows its view. `reads` counts the reads of streams. */
function nodeOn(view: LogView) {
  let reads = 0;
  const log = { ...view, readStreamBackwards: (stream: string) => ((reads += 1), view.readStreamBackwards(stream)) };
  const handler: CommandHandler<Command, number, Event, never> = createCommandHandler({
    log,
    decider: counter,
    codec,
    now: () => 1,
    cachedStates: 10,
    isShared: true,
  });
  view.onAppended(handler.follow);
  return { view, handler, reads: () => reads };
}

describe('a command handler on a shared log', () => {
  let [a, b] = [nodeOn(sharedMemoryLog().attach(() => 0)), nodeOn(sharedMemoryLog().attach(() => 0))];
  beforeEach(() => {
    const log = sharedMemoryLog();
    [a, b] = [nodeOn(log.attach(() => 0)), nodeOn(log.attach(() => 0))];
  });

  const add = (node: typeof a) => node.handler.execute('s', 'add', CONTEXT);

  it('keeps a cached state current, without reading the stream again', async () => {
    await add(a);
    expect(await b.handler.state('s')).to.equal(1);
    await add(a);
    expect(await b.handler.state('s')).to.equal(1);
    b.view.deliver();
    expect([await b.handler.state('s'), b.reads()]).to.deep.equal([2, 1]);
  });

  it('includes events that another node appended with a second command', async () => {
    await add(a);
    b.view.deliver();
    expect([await a.handler.state('s'), await b.handler.state('s')]).to.deep.equal([1, 1]);
    await b.handler.execute('other', 'add', CONTEXT, { stream: 's', command: 'add' });
    expect(await b.handler.state('s')).to.equal(2);
    a.view.deliver();
    expect([await a.handler.state('s'), (await add(a)).state]).to.deep.equal([2, 3]);
  });

  it("decides again, with the other node's events, when it appends", async () => {
    await add(a);
    await add(b);
    expect((await add(a)).state).to.equal(3);
    expect((await add(b)).state).to.equal(4);
  });

  it('reads the stream for a command that yields no events', async () => {
    await add(a);
    expect(await b.handler.state('s')).to.equal(1);
    await add(a);
    expect((await b.handler.execute('s', 'look', CONTEXT)).state).to.equal(2);
  });

  it('caches no state that was read before a later event was delivered', async () => {
    await add(a);
    const state = b.handler.state('s');
    await add(a);
    b.view.deliver();
    await state;
    expect(await b.handler.state('s')).to.equal(2);
  });

  it('does not overwrite a later event from another node with the cached state after its own append', async () => {
    await add(a);
    expect(await b.handler.state('s')).to.equal(1);
    const addition = add(b);
    await Promise.all([addition, add(a)]);
    b.view.deliver();
    expect(await b.handler.state('s')).to.equal(3);
  });
});
