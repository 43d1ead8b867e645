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

/** A client that manages Ada's grants, and an API that exchanges the client's tokens. */
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

/** Returns the streams of the grants with this id that have tokens and have not ended, according to the events. */
async function findCurrentStreams({ running }: Scene, id: string): Promise<readonly string[]> {
  const currentStreams = new Set<string>();
  const managedStreams = new Set<string>();
  for (const event of await running.events()) {
    const { type, data } = decodeEvent(event);
    if (type === 'ConsentGiven' && data.management?.grantId === id) managedStreams.add(event.stream);
    if (type === 'AuthorizationCodeRedeemed' && managedStreams.has(event.stream)) currentStreams.add(event.stream);
    if (type === 'GrantRevoked') currentStreams.delete(event.stream);
  }
  return [...currentStreams];
}

async function expectSoundLog({ running }: Scene): Promise<void> {
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
    await expectSoundLog(scene);
    await racing.close();
  });

  const earlierStream = (earlierGrant: ManagedGrantTokens): RegExp =>
    new RegExp(`^grant-${scene.running.service().projections.grants.findManaged(earlierGrant.id)?.grantId ?? ''}$`);

  const ENDS: Readonly<Record<string, (earlierGrant: ManagedGrantTokens) => Promise<() => Promise<unknown>>>> = {
    'the client revokes the grant by its id': async (earlierGrant) => () => revokeById(scene, earlierGrant),
    'the client revokes a token':
      async ({ access }) =>
      () =>
        scene.running.post('/o/revoke_token/', { token: access }, { authorization: scene.client.basic }),
    'the user revokes the grant': (earlierGrant) => revokeOnPage(scene, earlierGrant),
    'another update is redeemed': async ({ id }) => {
      const code = await obtainCode(scene, replace(id));
      return () => redeem(scene.running, scene.client, code);
    },
  };
  for (const [event, prepareEnd] of Object.entries(ENDS)) {
    it(`is refused, and records nothing, if ${event} before the redemption is recorded`, async () => {
      const earlierGrant = await obtainGrant(scene);
      const code = await obtainCode(scene, merge(earlierGrant.id));
      const end = await prepareEnd(earlierGrant);
      const [response] = await racing.runBehind(end, /^grant-/, () => redeem(scene.running, scene.client, code));
      expect(response.json).to.include({ error: 'invalid_grant' });
      expect(await findCurrentStreams(scene, earlierGrant.id)).to.have.length(event.startsWith('another') ? 1 : 0);
    });
  }

  it('succeeds after a refresh of the earlier grant, and invalidates the refreshed tokens', async () => {
    const earlierGrant = await obtainGrant(scene);
    const code = await obtainCode(scene, merge(earlierGrant.id));
    const [response, refreshResponse] = await racing.runBehind(
      () => refreshGrant(scene, earlierGrant),
      /^grant-/,
      () => redeem(scene.running, scene.client, code),
    );
    const [updatedGrant, refreshedGrant] = [readManagedGrant(response), readManagedGrant(refreshResponse)];
    expect(await isAccepted(scene.running, updatedGrant.access)).to.equal(true);
    expect(await isAccepted(scene.running, refreshedGrant.access)).to.equal(false);
    expect((await refreshGrant(scene, refreshedGrant)).json).to.include({ error: 'invalid_grant' });
  });

  it('causes a refresh of the earlier grant to be refused if the refresh is queued behind it', async () => {
    const earlierGrant = await obtainGrant(scene);
    const code = await obtainCode(scene, merge(earlierGrant.id));
    const [refreshResponse, response] = await racing.runBehind(
      () => redeem(scene.running, scene.client, code),
      earlierStream(earlierGrant),
      () => refreshGrant(scene, earlierGrant),
    );
    expect(refreshResponse.json).to.include({ error: 'invalid_grant' });
    expect(await isAccepted(scene.running, readManagedGrant(response).access)).to.equal(true);
  });

  for (const [place, prepareEnd] of Object.entries({
    'through the API': async (earlierGrant: ManagedGrantTokens) => () => revokeById(scene, earlierGrant),
    "on the user's page": (earlierGrant: ManagedGrantTokens) => revokeOnPage(scene, earlierGrant),
  })) {
    it(`is undone by a revocation ${place} that is queued behind it`, async () => {
      const earlierGrant = await obtainGrant(scene);
      const code = await obtainCode(scene, merge(earlierGrant.id));
      const revoke: () => Promise<unknown> = await prepareEnd(earlierGrant);
      const [, response] = await racing.runBehind(
        () => redeem(scene.running, scene.client, code),
        earlierStream(earlierGrant),
        revoke,
      );
      expect(await isAccepted(scene.running, readManagedGrant(response).access)).to.equal(false);
      expect(await findCurrentStreams(scene, earlierGrant.id)).to.deep.equal([]);
    });
  }
});

/**
 * Reports whether the response confirms a revocation. A page that says that the grant has already ended, because of an
 * earlier update, does not.
 */
const isRevocation = ([step, { status }]: readonly [Step, TestResponse]): boolean =>
  step.startsWith('revoke') && (status === 204 || status === 302 || status === 303);

type Step = 'replace' | 'merge' | 'refresh' | 'revoke' | 'revoke on page' | 'exchange';
const arbitraryRace = fc.array(
  fc.constantFrom<Step>('replace', 'merge', 'refresh', 'revoke', 'revoke on page', 'exchange'),
  {
    minLength: 2,
    maxLength: 5,
  },
);

for (const [engine, start] of [
  ['memory', async () => ({ running: await runningService(), close: undefined })],
  ['LevelDB', startRacingService],
] as const) {
  describe(`Concurrent requests that change one managed grant on a log in ${engine}`, function () {
    this.timeout(120_000);

    it('leave at most one current grant, with a single winning update, and no grant after a revocation', async () => {
      const { running, close } = await start();
      const scene = await createScene(running);
      await fc.assert(
        fc.asyncProperty(arbitraryRace, async (race) => {
          const earlierGrant = await obtainGrant(scene);
          const preparedSteps = await Promise.all(
            race.map(async (step) => [step, await prepare(scene, step, earlierGrant)] as const),
          );
          const responses = await Promise.all(preparedSteps.map(async ([step, send]) => [step, await send()] as const));
          const updates = responses.filter(([step]) => step === 'replace' || step === 'merge');
          const winners = updates.flatMap(([, response]) => (hasTokens(response) ? [readManagedGrant(response)] : []));
          const isRevoked = responses.some(isRevocation);
          expect(winners.length).to.be.at.most(1);
          if (!isRevoked) expect(winners.length).to.equal(Math.min(1, updates.length));
          for (const { id } of winners) expect(id).to.equal(earlierGrant.id);
          const streams = await findCurrentStreams(scene, earlierGrant.id);
          expect(streams).to.have.length(isRevoked ? 0 : 1);
          await expectValidTokens(scene, earlierGrant, responses, isRevoked ? undefined : winners[0]);
          const query = await callGrant(running, 'GET', earlierGrant.id, scene.token);
          expect(query.status).to.equal(isRevoked ? 404 : 200);
        }),
        { numRuns: repetitions(25) },
      );
      await expectSoundLog(scene);
      await (close ?? running.close)();
    });
  });
}

/** Performs the part of a step before the race, such as the consent to an update. Returns the racing request. */
async function prepare(
  scene: Scene,
  step: Step,
  earlierGrant: ManagedGrantTokens,
): Promise<() => Promise<TestResponse>> {
  const { running, client, api } = scene;
  if (step === 'refresh') return () => refreshGrant(scene, earlierGrant);
  if (step === 'exchange') return () => exchange(running, api, earlierGrant.access);
  if (step === 'revoke') return () => revokeById(scene, earlierGrant);
  if (step === 'revoke on page') {
    const revoke = await revokeOnPage(scene, earlierGrant);
    return async () => ({ ...(await revoke()), text: '', json: undefined });
  }
  const code = await obtainCode(scene, { replace, merge }[step](earlierGrant.id));
  return () => redeem(running, client, code);
}

/**
 * Expects only the winner's token to be valid. If no update won, expects the earlier grant's tokens to be valid unless
 * the grant was revoked.
 */
async function expectValidTokens(
  { running }: Scene,
  earlierGrant: ManagedGrantTokens,
  responses: readonly (readonly [Step, TestResponse])[],
  winner: ManagedGrantTokens | undefined,
): Promise<void> {
  const isEarlierGrantValid = winner === undefined && !responses.some(isRevocation);
  const otherResponses = responses.filter(
    ([step, response]) => (step === 'refresh' || step === 'exchange') && hasTokens(response),
  );
  for (const token of [earlierGrant.access, ...otherResponses.map(([, { json }]) => String(json?.['access_token']))])
    expect(await isAccepted(running, token)).to.equal(isEarlierGrantValid);
  if (winner !== undefined) expect(await isAccepted(running, winner.access)).to.equal(true);
}
