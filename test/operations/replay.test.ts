import { expect } from 'chai';
import { operate } from '../../src/operations/operations.ts';
import { replayAndCompare, type ReplayProgress, type ReplayResult } from '../../src/operations/replay.ts';
import type { ClientId } from '../../src/domain/values.ts';
import { manualClock } from '../support/manual-clock.ts';
import { runningService, type RunningService, type TestClient } from '../support/running-service.ts';

/** Resolves when all pending work that does not wait for I/O is done. */
const waitForNextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
const NEVER = new AbortController().signal;

describe('log replay', () => {
  let running: RunningService;
  let client: TestClient;

  beforeEach(async () => {
    running = await runningService();
    await running.addUser('ada');
    const bob = await running.addUser('bob');
    client = await running.addClient();
    await running.token(client, { grant_type: 'password', ...bob });
  });
  afterEach(() => running.close());

  async function runReplay(): Promise<ReplayResult> {
    for await (const item of operate(running.service())('log replay', {}, NEVER))
      if ('same' in (item as object)) return item as ReplayResult;
    return expect.fail('no result');
  }

  /** Returns the names of the differing projections, with the positions of their first differences. */
  const listDifferences = ({ projections }: ReplayResult) =>
    projections.filter(({ same }) => !same).map(({ name, first_difference: position }) => [name, position]);

  it('finds no differences in an intact service', async () => {
    const result = await runReplay();
    expect(result).to.include({ same: true, position: running.log.head() });
    expect(result.projections.map(({ first_difference: position }) => position)).to.deep.equal(
      result.projections.map(() => null),
    );
  });

  it('reports a projection that was tampered with, and the event that created the differing entry', async () => {
    const { users } = running.service().projections;
    Object.assign(users.findByName('bob') ?? {}, { roles: ['administrator'] });
    const result = await runReplay();
    expect(result.same).to.equal(false);
    expect(listDifferences(result)).to.deep.equal([['users', 2]]);
  });

  it('reports each differing projection, and the event of its first differing entry', async () => {
    const { clients, users, groups } = running.service().projections;
    Object.assign(users.findByName('ada') ?? {}, { active: false });
    Object.assign(clients.find(client.id as ClientId) ?? {}, { skipAuthorization: true });
    const rogueEvent = {
      stream: 'group-x',
      revision: 1,
      position: 99,
      type: 'GroupCreated',
      version: 1,
      recordedAt: 0,
      actor: { kind: 'server' },
      requestId: null,
      data: { groupId: 'g'.repeat(22), name: 'rogue' },
      record: '',
    };
    groups.apply(rogueEvent as never);
    expect(listDifferences(await runReplay())).to.deep.equal([
      ['clients', 3],
      ['users', 1],
      ['groups', 99],
    ]);
  });

  it('finds missing and extra entries at the events that created them', async () => {
    const { grants, accessTokens } = running.service().projections;
    const [event] = (await running.events()).filter(({ type }) => type === 'ConsentGiven');
    const { grantId } = (event?.data ?? expect.fail('no consent')) as { grantId: string };
    grants.apply({
      ...event,
      stream: `grant-${grantId}`,
      type: 'GrantRevoked',
      version: 1,
      data: { reason: 'revoked-by-operator' },
    } as never);
    expect(listDifferences(await runReplay())).to.deep.equal([['grants', event?.position]]);
    accessTokens.apply({
      ...event,
      type: 'AccessTokenIssued',
      position: 1000,
      data: {
        tokenHash: 't'.repeat(43),
        grantId: 'g'.repeat(22),
        clientId: client.id,
        userId: null,
        scope: [],
        expiresAt: 9e9,
      },
    } as never);
    expect(listDifferences(await runReplay())).to.deep.equal([
      ['grants', event?.position],
      ['access-tokens', 1000],
    ]);
  });

  it('compares the state when it began, and reports no event position if the state has changed since', async () => {
    const { projector, rebuild, projections } = running.service();
    Object.assign(projections.users.findByName('bob') ?? {}, { roles: ['administrator'] });
    const items = replayAndCompare(
      {
        projector,
        clock: running.clock,
        async rebuild(progress) {
          const rebuilt = await rebuild(progress);
          await running.addUser('carol');
          return rebuilt;
        },
      },
      NEVER,
    );
    const { value } = (await items.next()) as { value: ReplayResult };
    expect(listDifferences(value)).to.deep.equal([['users', null]]);
  });

  it('reports its progress and its duration', async () => {
    const { projector, rebuild } = running.service();
    const clock = manualClock();
    const items = replayAndCompare(
      {
        projector,
        clock,
        async rebuild(progress) {
          for (const position of [300_000, 600_000]) {
            await waitForNextTurn();
            clock.advance(2);
            clock.shift(-86_400); // moves the wall clock, which must not affect the duration
            progress(position);
          }
          await waitForNextTurn();
          return rebuild(() => {});
        },
      },
      NEVER,
    );
    const results: (ReplayProgress | ReplayResult)[] = [];
    for await (const item of items) results.push(item);
    const head = running.log.head();
    expect(results.slice(0, 2)).to.deep.equal([
      { replayed: 300_000, head, seconds: 2 },
      { replayed: 600_000, head, seconds: 4 },
    ]);
    expect(results[2]).to.include({ same: true });
  });
});
