import { expect } from 'chai';
import type { SessionCommand } from '../../../src/domain/session.ts';
import type { ClientId } from '../../../src/domain/values.ts';
import { createLogoutDeliveries } from '../../../src/oauth/openid/logout-deliveries.ts';
import { EgressError } from '../../../src/platform/egress/egress-failed.ts';
import { createLogouts } from '../../../src/projections/logouts.ts';
import { createSessions } from '../../../src/projections/sessions.ts';
import { grantId, hashOf, loginOf, seconds, userId } from '../../support/domain-values.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { manualTimers } from '../../support/manual-timers.ts';
import { createRecording } from '../../support/recording.ts';
import { unchecked } from '../../support/unchecked.ts';

const ADA = userId('ada');
const HOUR = 3_600;

type DeliveryCommand = Extract<SessionCommand, { readonly type: 'RecordLogoutDelivery' }>;

/** Sets up deliveries to clients whose logout URI is their id. `node.respond` is called in place of their servers. */
function setUp() {
  const sessions = createSessions();
  const logouts = createLogouts({ findStarted: sessions.findStarted, logoutUriOf: (id) => id });
  const { record } = createRecording(sessions, logouts);
  const [clock, timers] = [manualClock(0), manualTimers()];
  const requests: string[] = [];
  const outcomes: DeliveryCommand[] = [];
  const node = {
    isLeader: true,
    respond: async (_url: string): Promise<void> => {},
    /** Whether the log accepts appends. */
    isWritable: true,
  };

  const create = (state = node) =>
    createLogoutDeliveries({
      logouts,
      clients: unchecked({ find: (id: string) => ({ clientId: id, openid: { backchannelLogoutUri: id } }) }),
      commands: unchecked({
        async execute(stream: `session-${string}`, command: DeliveryCommand) {
          if (!state.isWritable) throw new Error('the log accepts no appends');
          outcomes.push(command);
          const { clientId, attempts, failure } = command;
          const data = { clientId, userId: ADA, attempts };
          if (failure === undefined) record(stream, { type: 'LogoutDelivered', data });
          else record(stream, { type: 'LogoutDeliveryFailed', data: { ...data, ...failure } });
        },
      }),
      sign: async ({ sessionHash }, { clientId }) => `${sessionHash} ${clientId}`,
      egress: {
        postForm: (_purpose, url) => {
          requests.push(url);
          return state.respond(url);
        },
      },
      clock,
      startTimer: timers.startTimer,
      isLeader: () => state.isLeader,
    });

  let grants = 0;
  function logOut(session: string, ...clients: readonly string[]): void {
    const time = clock.now() / 1000;
    const stream = `session-${hashOf(session)}` as const;
    record(stream, { type: 'SessionStarted', data: { userId: ADA, expiresAt: seconds(10 * HOUR) } }, time);
    for (const client of clients) {
      const id = grantId(`${(grants += 1)}`);
      const data = {
        grantId: id,
        clientId: client as ClientId,
        userId: ADA,
        scope: ['openid'],
        basis: 'asked',
      } as const;
      record(`grant-${id}`, { type: 'ConsentGiven', data: { ...data, login: loginOf(session) } }, time);
    }
    record(stream, { type: 'SessionEnded', data: { userId: ADA, reason: 'logged-out' } }, time);
  }

  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  };
  /** Advances the clock, and lets the next check run. */
  async function passTime(secondsToPass: number): Promise<void> {
    clock.advance(secondsToPass);
    timers.expire(1_000);
    await settle();
  }
  return { node, create, logOut, logouts, requests, outcomes, timers, settle, passTime };
}

const failWith = (outcome: 'overloaded' | 'rate-limited') => async (): Promise<void> => {
  throw new EgressError(outcome, 'failed');
};

describe('the logout token deliveries', () => {
  it('begin at startup with the deliveries that are already due, and continue when the log grows', async () => {
    const { create, logOut, requests, outcomes, settle } = setUp();
    logOut('one', 'a', 'b');
    const deliveries = create();
    await settle();
    deliveries.wake();
    expect(requests).to.deep.equal([]);
    deliveries.start();
    await settle();
    expect(requests).to.deep.equal(['a', 'b']);
    logOut('two', 'c');
    deliveries.wake();
    await settle();
    expect(requests).to.deep.equal(['a', 'b', 'c']);
    expect(outcomes.map(({ attempts }) => attempts)).to.deep.equal([1, 1, 1]);
    expect(outcomes.every(({ failure }) => failure === undefined)).to.equal(true);
  });

  it('are made only by the leader, and a new leader takes over the deliveries that are still due', async () => {
    const { node, create, logOut, requests, outcomes, settle, passTime } = setUp();
    const [firstNode, secondNode] = [
      { ...node, respond: () => new Promise<void>(() => {}) },
      { ...node, isLeader: false },
    ];
    for (const deliveries of [create(firstNode), create(secondNode)]) deliveries.start();
    logOut('one', 'a', 'b');
    await passTime(1);
    expect(requests).to.deep.equal(['a', 'b']);
    firstNode.isLeader = false;
    secondNode.isLeader = true;
    await passTime(1);
    expect(requests).to.deep.equal(['a', 'b', 'a', 'b']);
    expect(outcomes).to.have.length(2);
    await settle();
    await passTime(1);
    expect(requests).to.have.length(4);
  });

  it('are repeated without being counted if this server is too busy or cannot record the outcome', async () => {
    const { node, create, logOut, outcomes, requests, passTime } = setUp();
    create().start();
    logOut('one', 'a');
    for (const outcome of ['overloaded', 'rate-limited'] as const) {
      node.respond = failWith(outcome);
      await passTime(5);
    }
    node.respond = async () => {};
    node.isWritable = false;
    await passTime(5);
    expect(outcomes).to.deep.equal([]);
    node.isWritable = true;
    await passTime(5);
    expect(outcomes).to.have.length(1);
    expect(outcomes[0]).to.include({ attempts: 1, failure: undefined });
    expect(requests).to.have.length(4);
  });

  it('to a failing client end after an hour, including deliveries that were never sent', async () => {
    const { node, create, logOut, outcomes, requests, passTime, settle } = setUp();
    let expire = (): void => {};
    node.respond = () =>
      new Promise((_, reject) => {
        expire = () => reject(new EgressError('timed-out', 'too late'));
      });
    create().start();
    for (let session = 0; session < 50; session += 1) logOut(`s${session}`, 'a');
    await passTime(HOUR + 1);
    expect(requests).to.deep.equal(['a']);
    expire();
    for (let round = 0; round < 5; round += 1) await settle();
    expect(requests).to.deep.equal(['a']);
    expect(outcomes.map(({ attempts }) => attempts)).to.deep.equal([1, ...Array<number>(49).fill(0)]);
    expect(outcomes.every(({ failure }) => failure?.reason === 'timed-out')).to.equal(true);
  });

  it('are found by the regular check if many are due', async () => {
    const { node, create, logOut, logouts, passTime, settle, requests } = setUp();
    node.respond = failWith('overloaded');
    const deliveries = create();
    deliveries.start();
    for (let session = 0; session < 1_100; session += 1) logOut(`s${session}`, `c${session}`);
    deliveries.wake();
    await settle();
    expect(requests).to.deep.equal([]);
    node.respond = async () => {};
    for (let round = 0; round < 5; round += 1) await passTime(1);
    expect(logouts.counts()).to.deep.equal({ pending: 0, delivered: 1_100, failed: 0 });
  });

  it('end when the server stops, and no further delivery begins', async () => {
    const { node, create, logOut, requests, outcomes, passTime, timers } = setUp();
    let stop = (): void => {};
    node.respond = () =>
      new Promise((_, reject) => {
        stop = () => reject(new EgressError('overloaded', 'stopping'));
      });
    const deliveries = create();
    deliveries.start();
    logOut('one', 'a');
    await passTime(1);
    const closing = deliveries.close();
    stop();
    await closing;
    logOut('two', 'b');
    deliveries.wake();
    await passTime(10);
    expect(requests).to.deep.equal(['a']);
    expect([outcomes, timers.running()]).to.deep.equal([[], []]);
  });
});
