import { expect } from 'chai';
import fc from 'fast-check';
import { audit } from '../../src/audit/rules/auditor.ts';
import { decodeEvent } from '../../src/domain/events.ts';
import { START } from '../../src/event-store/event-log.ts';
import { openSession } from '../support/authorize-requests.ts';
import { hiddenFields, type Page } from '../support/browser-session.ts';
import {
  addManager,
  callGrant,
  create,
  readManagedGrant,
  managementToken,
  merge,
  obtain,
  redeem,
  replace,
  type ManagedGrantTokens,
} from '../support/managed-grants.ts';
import { isAccepted } from '../support/protocol-responses.ts';
import { startRacingService } from '../support/racing-service.ts';
import {
  runningService,
  type TestResponse,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';
import { allowExchange, exchange } from '../support/token-exchange.ts';
import { repetitions } from '../support/repetitions.ts';

/** A client that manages grants of Ada, and an API that exchanges its tokens. */
interface Scene {
  readonly running: RunningService;
  readonly client: TestClient;
  readonly api: TestClient;
  readonly ada: TestUser;
  /** The client's token for the grant management API. */
  readonly token: string;
}

async function createScene(running: RunningService): Promise<Scene> {
  const client = await addManager(running, { name: 'Bank' });
  const api = await running.addClient({ name: 'Api', grantTypes: ['token-exchange'], redirectUris: [] });
  await allowExchange(running, api, client);
  const ada = await running.addUser('ada');
  return { running, client, api, ada, token: await managementToken(running, client) };
}

const obtainGrant = ({ running, client, ada }: Scene): Promise<ManagedGrantTokens> =>
  obtain(running, client, ada, { scope: 'read', ...create });
const obtainCode = ({ running, client, ada }: Scene, parameters: Readonly<Record<string, string>>): Promise<string> =>
  running.authorize(client, ada, { scope: 'read write', ...parameters });
const revokeById = ({ running, token }: Scene, { id }: ManagedGrantTokens): Promise<TestResponse> =>
  callGrant(running, 'DELETE', id, token);
const refreshGrant = ({ running, client }: Scene, { refresh }: ManagedGrantTokens): Promise<TestResponse> =>
  running.token(client, { grant_type: 'refresh_token', refresh_token: refresh });

async function revokeOnPage({ running, ada }: Scene, { id }: ManagedGrantTokens): Promise<() => Promise<Page>> {
  const browser = await openSession(running, ada);
  const { csrf_token = '' } = hiddenFields((await browser.get('/o/authorized_tokens/')).html);
  const { grantId } = running.service().projections.grants.findManaged(id) ?? expect.fail();
  return () => browser.post(`/o/authorized_tokens/${grantId}/revoke/`, { csrf_token });
}

/** The streams of grants with this id that have tokens and have not ended, computed only from the events. */
async function currentStreams({ running }: Scene, id: string): Promise<readonly string[]> {
  const current = new Set<string>();
  const managed = new Set<string>();
  for (const event of await running.events()) {
    const { type, data } = decodeEvent(event);
    if (type === 'ConsentGiven' && data.management?.grantId === id) managed.add(event.stream);
    if (type === 'AuthorizationCodeRedeemed' && managed.has(event.stream)) current.add(event.stream);
    if (type === 'GrantRevoked') current.delete(event.stream);
  }
  return [...current];
}

async function expectSound({ running }: Scene): Promise<void> {
  const findings: unknown[] = [];
  for await (const item of audit(running.log.readAll(START))) if ('rule' in item) findings.push(item);
  expect(findings, 'audit findings').to.deep.equal([]);
}

const hasTokens = ({ status, json }: TestResponse): boolean => status === 200 && json?.['access_token'] !== undefined;

describe('The redemption of an update in flight', () => {
  let racing: Awaited<ReturnType<typeof startRacingService>>;
  let scene: Scene;

  beforeEach(async () => {
    racing = await startRacingService();
    scene = await createScene(racing.running);
  });
  afterEach(async () => {
    await expectSound(scene);
    await racing.close();
  });

  const earlierStream = (before: ManagedGrantTokens): RegExp =>
    new RegExp(`^grant-${scene.running.service().projections.grants.findManaged(before.id)?.grantId ?? ''}$`);

  const ENDS: Readonly<Record<string, (before: ManagedGrantTokens) => Promise<() => Promise<unknown>>>> = {
    'the client revokes the grant by its id': async (before) => () => revokeById(scene, before),
    'the client revokes a token':
      async ({ access }) =>
      () =>
        scene.running.post('/o/revoke_token/', { token: access }, { authorization: scene.client.basic }),
    'the user revokes the grant': (before) => revokeOnPage(scene, before),
    'another update is redeemed': async ({ id }) => {
      const code = await obtainCode(scene, replace(id));
      return () => redeem(scene.running, scene.client, code);
    },
  };
  for (const [event, prepareEnd] of Object.entries(ENDS)) {
    it(`is refused, and records nothing, behind the append by which ${event}`, async () => {
      const before = await obtainGrant(scene);
      const code = await obtainCode(scene, merge(before.id));
      const end = await prepareEnd(before);
      const [response] = await racing.runBehind(end, /^grant-/, () => redeem(scene.running, scene.client, code));
      expect(response.json).to.include({ error: 'invalid_grant' });
      expect(await currentStreams(scene, before.id)).to.have.length(event.startsWith('another') ? 1 : 0);
    });
  }

  it('succeeds behind a refresh of the earlier grant, whose new tokens end with it', async () => {
    const before = await obtainGrant(scene);
    const code = await obtainCode(scene, merge(before.id));
    const [response, other] = await racing.runBehind(
      () => refreshGrant(scene, before),
      /^grant-/,
      () => redeem(scene.running, scene.client, code),
    );
    const [after, renewed] = [readManagedGrant(response), readManagedGrant(other)];
    expect(await isAccepted(scene.running, after.access)).to.equal(true);
    expect(await isAccepted(scene.running, renewed.access)).to.equal(false);
    expect((await refreshGrant(scene, renewed)).json).to.include({ error: 'invalid_grant' });
  });

  it('precedes a refresh of the earlier grant that is queued behind it, which is refused', async () => {
    const before = await obtainGrant(scene);
    const code = await obtainCode(scene, merge(before.id));
    const [late, response] = await racing.runBehind(
      () => redeem(scene.running, scene.client, code),
      earlierStream(before),
      () => refreshGrant(scene, before),
    );
    expect(late.json).to.include({ error: 'invalid_grant' });
    expect(await isAccepted(scene.running, readManagedGrant(response).access)).to.equal(true);
  });

  for (const [manner, prepareEnd] of Object.entries({
    'by its id': async (before: ManagedGrantTokens) => () => revokeById(scene, before),
    'on the page of its user': (before: ManagedGrantTokens) => revokeOnPage(scene, before),
  })) {
    it(`does not survive a revocation ${manner} that is queued behind it`, async () => {
      const before = await obtainGrant(scene);
      const code = await obtainCode(scene, merge(before.id));
      const revoke: () => Promise<unknown> = await prepareEnd(before);
      const [, response] = await racing.runBehind(
        () => redeem(scene.running, scene.client, code),
        earlierStream(before),
        revoke,
      );
      expect(await isAccepted(scene.running, readManagedGrant(response).access)).to.equal(false);
      expect(await currentStreams(scene, before.id)).to.deep.equal([]);
    });
  }
});

/**
 * Reports whether the response confirms a revocation. A page that says that the grant has already ended, because of an
 * earlier update, confirms none.
 */
const isRevocation = ([step, { status }]: readonly [Step, TestResponse]): boolean =>
  step.startsWith('revoke') && (status === 204 || status === 302 || status === 303);

type Step = 'replace' | 'merge' | 'refresh' | 'revoke' | 'revoke on page' | 'exchange';
const aRace = fc.array(fc.constantFrom<Step>('replace', 'merge', 'refresh', 'revoke', 'revoke on page', 'exchange'), {
  minLength: 2,
  maxLength: 5,
});

for (const [engine, start] of [
  ['memory', async () => ({ running: await runningService(), close: undefined })],
  ['LevelDB', startRacingService],
] as const) {
  describe(`Requests that change one managed grant at the same time, on a log in ${engine}`, function () {
    this.timeout(120_000);

    it('leave at most one current grant, with a single winning update, and no grant after a revocation', async () => {
      const { running, close } = await start();
      const scene = await createScene(running);
      await fc.assert(
        fc.asyncProperty(aRace, async (race) => {
          const before = await obtainGrant(scene);
          const prepared = await Promise.all(
            race.map(async (step) => [step, await prepare(scene, step, before)] as const),
          );
          const responses = await Promise.all(prepared.map(async ([step, send]) => [step, await send()] as const));
          const updates = responses.filter(([step]) => step === 'replace' || step === 'merge');
          const winners = updates.flatMap(([, response]) => (hasTokens(response) ? [readManagedGrant(response)] : []));
          const isRevoked = responses.some(isRevocation);
          expect(winners.length).to.be.at.most(1);
          if (!isRevoked) expect(winners.length).to.equal(Math.min(1, updates.length));
          for (const { id } of winners) expect(id).to.equal(before.id);
          const current = await currentStreams(scene, before.id);
          expect(current).to.have.length(isRevoked ? 0 : 1);
          await expectTokensOf(scene, before, responses, isRevoked ? undefined : winners[0]);
          const query = await callGrant(running, 'GET', before.id, scene.token);
          expect(query.status).to.equal(isRevoked ? 404 : 200);
        }),
        { numRuns: repetitions(25) },
      );
      await expectSound(scene);
      await (close ?? running.close)();
    });
  });
}

/** Prepares a step outside the race, such as the consent to an update. Returns the request that races. */
async function prepare(scene: Scene, step: Step, before: ManagedGrantTokens): Promise<() => Promise<TestResponse>> {
  const { running, client, api } = scene;
  if (step === 'refresh') return () => refreshGrant(scene, before);
  if (step === 'exchange') return () => exchange(running, api, before.access);
  if (step === 'revoke') return () => revokeById(scene, before);
  if (step === 'revoke on page') {
    const revoke = await revokeOnPage(scene, before);
    return async () => ({ ...(await revoke()), text: '', json: undefined });
  }
  const code = await obtainCode(scene, { replace, merge }[step](before.id));
  return () => redeem(running, client, code);
}

/** Expects that only the winner's token is valid, or without a winner only unrevoked tokens of the earlier grant. */
async function expectTokensOf(
  { running }: Scene,
  before: ManagedGrantTokens,
  responses: readonly (readonly [Step, TestResponse])[],
  winner: ManagedGrantTokens | undefined,
): Promise<void> {
  const isEarlierValid = winner === undefined && !responses.some(isRevocation);
  const others = responses.filter(
    ([step, response]) => (step === 'refresh' || step === 'exchange') && hasTokens(response),
  );
  for (const token of [before.access, ...others.map(([, { json }]) => String(json?.['access_token']))])
    expect(await isAccepted(running, token)).to.equal(isEarlierValid);
  if (winner !== undefined) expect(await isAccepted(running, winner.access)).to.equal(true);
}
