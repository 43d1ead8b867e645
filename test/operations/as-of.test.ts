import { expect } from 'chai';
import type { AsOfHeader } from '../../src/operations/as-of.ts';
import { operate } from '../../src/operations/operations.ts';
import type { AccessEntry } from '../../src/audit/queries/access-report.ts';
import { runningService, type RunningService, type TestClient, type TestUser } from '../support/running-service.ts';
import { OperationRefused } from '../../src/operations/control/operation-refused.ts';

describe('log as-of', () => {
  let running: RunningService;
  let client: TestClient;
  let owner: TestUser;

  beforeEach(async () => {
    running = await runningService();
    owner = await running.addUser('ada');
    client = await running.addClient({ owner: 'ada' });
  });
  afterEach(() => running.close());

  async function queryAccess(query: object): Promise<readonly [AsOfHeader, ...AccessEntry[]]> {
    const items: unknown[] = [];
    for await (const item of operate(running.service())('log as-of', query, new AbortController().signal))
      items.push(item);
    return items as unknown as readonly [AsOfHeader, ...AccessEntry[]];
  }

  const issueToken = async (scope: string): Promise<string> => {
    const { json } = await running.token(client, {
      grant_type: 'password',
      username: owner.username,
      password: owner.password,
      scope,
    });
    return String(json?.['access_token']);
  };

  it('lists the account, applications, grants and tokens of each user, with their positions', async () => {
    await issueToken('read');
    const [{ as_of: asOfPosition }, ...entries] = await queryAccess({});
    expect(asOfPosition).to.equal(running.log.head());
    expect(entries.map(({ kind, user, scope, position }) => ({ kind, user, scope, position }))).to.deep.equal([
      { kind: 'account', user: 'ada', scope: '', position: 1 },
      { kind: 'application', user: 'ada', scope: '', position: 2 },
      { kind: 'grant', user: 'ada', scope: 'read', position: 3 },
      { kind: 'token', user: 'ada', scope: 'read', position: 4 },
    ]);
  });

  it('refuses an unknown user name or client id, instead of reporting that nobody had access', async () => {
    await issueToken('read');
    const unknownUserProblem = 'no user had the name nobody at that time; erased users cannot be found by name';
    for (const [question, problem] of [
      [{ user: 'nobody' }, unknownUserProblem],
      [{ user: 'ada', position: 0 }, unknownUserProblem.replace('nobody', 'ada')],
      [{ client: 'nope' }, 'no client had the id nope at that time'],
    ] as const) {
      const refusal = await queryAccess(question).catch((error: unknown) => error);
      expect(refusal).to.be.instanceOf(OperationRefused).with.property('message', problem);
    }
    const [, ...entries] = await queryAccess({ user: 'ada', client: client.id });
    expect(entries.map(({ kind }) => kind)).to.deep.equal(['application', 'grant', 'token']);
  });

  it('ignores events after the given position or time', async () => {
    await issueToken('read');
    const moment = { position: running.log.head(), time: running.clock.now() };
    const beforeErasure = await queryAccess({});
    running.clock.advance(60);
    await issueToken('write');
    await running.service().accounts.erase(running.service().projections.users.all()[0] ?? expect.fail('no user'), {
      actor: { kind: 'operator' },
      requestId: null,
    });
    const expected = beforeErasure.map((item) => ('kind' in item ? { ...item, user: 'erased user' } : item));
    expect(await queryAccess({ position: moment.position })).to.deep.equal(expected);
    expect(await queryAccess({ time: moment.time })).to.deep.equal(expected);
  });

  it('lists as many tokens at each position as the running server had', async () => {
    const scopes = ['read', 'write', 'groups'];
    const tokens: string[] = [];
    const liveCounts: { readonly position: number; readonly liveTokens: number }[] = [];
    for (const scope of scopes) {
      tokens.push(await issueToken(scope));
      await running.post(
        '/o/revoke_token/',
        { token: tokens[tokens.length - 2] ?? 'none' },
        { authorization: client.basic },
      );
      liveCounts.push({
        position: running.log.head(),
        liveTokens: [...running.service().projections.accessTokens.live(running.clock.now() / 1000)].length,
      });
    }
    for (const { position, liveTokens } of liveCounts) {
      const [, ...entries] = await queryAccess({ position });
      expect(entries.filter(({ kind }) => kind === 'token')).to.have.length(liveTokens);
    }
  });

  it('filters by user, application and scope', async () => {
    await issueToken('read');
    await issueToken('read write');
    const [, ...writeEntries] = await queryAccess({ scope: 'write' });
    expect(writeEntries.map(({ kind }) => kind)).to.deep.equal(['grant', 'token']);
    await running.addUser('bob');
    const [, ...bobEntries] = await queryAccess({ user: 'bob' });
    expect(bobEntries.map(({ kind }) => kind)).to.deep.equal(['account']);
    const [, ...clientEntries] = await queryAccess({ client: client.id });
    expect(clientEntries).to.have.length(5);
  });

  it('omits tokens that had expired by the given time', async () => {
    await issueToken('read');
    running.clock.advance(36_001);
    const [, ...entries] = await queryAccess({ time: running.clock.now() });
    expect(entries.map(({ kind }) => kind)).to.deep.equal(['account', 'application', 'grant']);
  });
});
