import { expect } from 'chai';
import { operate } from '../../src/operations/operations.ts';
import { OperationRefused } from '../../src/operations/control/operation-refused.ts';
import type { ClientId } from '../../src/domain/values.ts';
import type { RecordedEvent } from '../../src/event-store/event-log.ts';
import { exportLine } from '../../src/event-store/export-line.ts';
import { setExchangePolicy } from '../support/exchange-policies.ts';
import { trustIssuer } from '../support/trusted-issuers.ts';
import { runningService, type RunningService, type TestClient, type TestUser } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('a filtered log', () => {
  let running: RunningService;
  let ada: TestUser;
  let bob: TestUser;
  let firstClient: TestClient;
  let secondClient: TestClient;

  beforeEach(async () => {
    running = await runningService();
    [ada, bob] = [await running.addUser('ada'), await running.addUser('bob')];
    [firstClient, secondClient] = [await running.addClient({ owner: 'ada' }), await running.addClient()];
    for (const user of [ada, bob])
      for (const client of [firstClient, secondClient]) await grantRefreshAndRevoke(client, user);
    await running.token(secondClient, { grant_type: 'client_credentials' });
  });
  afterEach(() => running.close());

  async function grantRefreshAndRevoke(client: TestClient, user: TestUser): Promise<void> {
    const { json: issuedTokens } = await running.token(client, { grant_type: 'password', ...user });
    const { json: refreshedTokens } = await running.token(client, {
      grant_type: 'refresh_token',
      refresh_token: String(issuedTokens?.['refresh_token']),
    });
    await running.post(
      '/o/revoke_token/',
      { token: String(refreshedTokens?.['access_token']) },
      { authorization: client.basic },
    );
  }

  async function collectLines(
    operation: string,
    input: object,
    signal = new AbortController().signal,
  ): Promise<readonly string[]> {
    const matches: string[] = [];
    for await (const item of operate(running.service())(operation, input, signal)) matches.push(String(item));
    return matches;
  }

  async function selectLines(isSelected: (event: RecordedEvent) => boolean): Promise<readonly string[]> {
    return (await running.events()).filter(isSelected).map(exportLine);
  }

  const userIdOf = (name: string): string =>
    running.service().projections.users.findByName(name)?.userId ?? expect.fail(`no ${name}`);

  /** Computes complete grants independently of the filter, which derives them from single events. */
  async function grantsWhere(isSelected: (event: RecordedEvent) => boolean): Promise<ReadonlySet<string>> {
    return new Set(
      (await running.events())
        .filter((event) => event.type === 'ConsentGiven' && isSelected(event))
        .map(({ stream }) => stream),
    );
  }

  it('is the complete log if there is no filter', async () => {
    expect(await collectLines('log export', {})).to.deep.equal(await selectLines(() => true));
  });

  it('contains only events of the requested types, on the same lines as in the complete log', async () => {
    expect(await collectLines('log export', { types: ['GrantRevoked', 'UserRegistered'] })).to.deep.equal(
      await selectLines(({ type }) => type === 'GrantRevoked' || type === 'UserRegistered'),
    );
  });

  it('contains all events of a user, with applications and complete grants, and no events of other users', async () => {
    const userId = userIdOf('ada');
    await running.service().registration.rotateSecret(firstClient.id as ClientId, OPERATOR);
    await running.service().registration.rotateSecret(secondClient.id as ClientId, OPERATOR);
    const grants = await grantsWhere(({ data }) => (data as { userId: string }).userId === userId);
    const exportedLines = await collectLines('log export', { user: 'ada' });
    expect(exportedLines).to.deep.equal(
      await selectLines(
        ({ type, stream, record }) =>
          grants.has(stream) ||
          stream === `client-${firstClient.id}` ||
          (type === 'UserRegistered' && record.includes(userId)),
      ),
    );
    expect(exportedLines.filter((line) => line.includes('GrantRevoked'))).to.have.length(2);
    expect(exportedLines.filter((line) => line.includes('RefreshTokenRotated'))).to.have.length(2);
    expect(exportedLines.filter((line) => line.includes(userIdOf('bob')))).to.deep.equal([]);
  });

  it('contains no events of a previous account with the same name', async () => {
    await running
      .service()
      .accounts.erase(running.service().projections.users.findByName('ada') ?? expect.fail('no ada'), OPERATOR);
    const erasurePosition = running.log.head();
    await running.addUser('ada');
    expect(await collectLines('log export', { user: 'ada' })).to.deep.equal(
      await selectLines(({ position }) => position === erasurePosition + 1),
    );
  });

  it('contains all events of an application, even those by other actors', async () => {
    const { json } = await running.token(firstClient, { grant_type: 'password', ...bob });
    expect(json).to.include.keys('access_token');
    const grantId = running
      .service()
      .projections.grants.listByUser(userIdOf('bob') as never, running.clock.now() / 1000)[0]?.grantId;
    await running
      .service()
      .grantCommands.execute(
        `grant-${grantId ?? ''}`,
        { type: 'RevokeGrant', reason: 'revoked-by-resource-owner' } as never,
        {
          actor: { kind: 'user', id: userIdOf('bob') },
          requestId: null,
        },
      );
    const grants = await grantsWhere(({ data }) => (data as { clientId: string }).clientId === firstClient.id);
    const exportedLines = await collectLines('log export', { client: firstClient.id });
    expect(exportedLines).to.deep.equal(
      await selectLines(({ stream }) => grants.has(stream) || stream === `client-${firstClient.id}`),
    );
    expect(exportedLines.at(-1)).to.include('revoked-by-resource-owner');
  });

  it('contains the exchange policies of an application, and those for its tokens', async () => {
    await setExchangePolicy(running, firstClient, secondClient);
    const policies = await selectLines(({ type }) => type === 'ExchangePolicySet');
    const otherClient = await running.addClient();
    await setExchangePolicy(running, otherClient, otherClient);
    for (const client of [firstClient.id, secondClient.id])
      expect(await collectLines('log export', { client, types: ['ExchangePolicySet'] })).to.deep.equal(policies);
  });

  it('contains the trusted issuers of an application', async () => {
    await trustIssuer(running, firstClient);
    const issuers = await selectLines(({ type }) => type === 'TrustedIssuerSet');
    expect(await collectLines('log export', { client: firstClient.id, types: ['TrustedIssuerSet'] })).to.deep.equal(
      issuers,
    );
    expect(await collectLines('log export', { client: secondClient.id, types: ['TrustedIssuerSet'] })).to.deep.equal(
      [],
    );
  });

  it('has neither overlaps nor gaps between adjacent periods', async () => {
    running.clock.advance(60);
    const boundary = running.clock.now();
    await running.addUser('carol');
    const [linesBefore, linesAfter] = [
      await collectLines('log export', { until: boundary }),
      await collectLines('log export', { since: boundary }),
    ];
    expect(linesAfter).to.have.length(1);
    expect([...linesBefore, ...linesAfter]).to.deep.equal(await collectLines('log export', {}));
  });

  it('contains only events that satisfy every filter', async () => {
    const matches = await collectLines('log export', {
      user: 'ada',
      client: secondClient.id,
      types: ['GrantRevoked', 'ClientRegistered'],
    });
    expect(matches).to.have.length(1);
  });

  it('contains the newest matches, up to the requested number', async () => {
    const revocations = await selectLines(({ type }) => type === 'GrantRevoked');
    const tailLines = (limit: number) => collectLines('log tail', { limit, follow: false, types: ['GrantRevoked'] });
    expect(await tailLines(2)).to.deep.equal(revocations.slice(-2));
    expect(await tailLines(100)).to.deep.equal(revocations);
    expect(await tailLines(0)).to.deep.equal([]);
  });

  it('cannot be filtered by a client that never existed', async () => {
    for (const [operation, input] of [
      ['log export', {}],
      ['log tail', { limit: 5, follow: false }],
    ] as const) {
      const refusal: unknown = await collectLines(operation, { ...input, client: 'nobody' }).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(refusal)
        .to.be.instanceOf(OperationRefused)
        .with.property('message', 'no client ever had the id "nobody"; see: grantlog client list');
    }
  });

  it('follows new matches, even for earlier grants', async () => {
    const { json } = await running.token(firstClient, { grant_type: 'password', ...ada });
    const stop = new AbortController();
    const lines: string[] = [];
    for await (const line of operate(running.service())(
      'log tail',
      { limit: 1, follow: true, user: 'ada' },
      stop.signal,
    )) {
      lines.push(String(line));
      if (lines.length === 1) {
        await running.addUser('carol');
        await running.post(
          '/o/revoke_token/',
          { token: String(json?.['access_token']) },
          { authorization: firstClient.basic },
        );
      }
      if (lines.length === 2) stop.abort();
    }
    expect(lines[0]).to.include('RefreshTokenIssued');
    expect(lines[1]).to.include('GrantRevoked');
  });

  it('cannot be filtered by an erased user, and the refusal says why', async () => {
    await running
      .service()
      .accounts.erase(running.service().projections.users.findByName('bob') ?? expect.fail('no bob'), OPERATOR);
    for (const operation of ['log export', 'log tail']) {
      const input = { user: 'bob', ...(operation === 'log tail' ? { limit: 1, follow: false } : {}) };
      const refusal: unknown = await collectLines(operation, input).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(refusal)
        .to.be.instanceOf(OperationRefused)
        .with.property('message')
        .that.matches(/erased/);
    }
  });

  it('cannot be filtered by an unknown type, and the refusal suggests a similar type', async () => {
    const refusal: unknown = await collectLines('log export', { types: ['GrantRevokd'] }).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refusal)
      .to.be.instanceOf(OperationRefused)
      .with.property('message')
      .that.matches(/unknown event type .*; (?:did you mean GrantRevoked\?|event types have names like GrantRevoked)/);
  });
});
