import { expect } from 'chai';
import { REFRESHES_PER_SUMMARY } from '../../src/domain/authorization-grant.ts';
import { createMemoryLog } from '../../src/event-store/engines/memory.ts';
import { openSessionAs, positionsOn } from '../support/audit-pages.ts';
import type { Page } from '../support/browser-session.ts';
import { countingLog, type CountingLog } from '../support/counting-log.ts';
import { withChecksum, grantIdIn, appendUntaggedFamily, unknownUntaggedToken } from '../support/earlier-release.ts';
import { expectRefusal, expectTokens, isAccepted, expectNothingAppended } from '../support/protocol-responses.ts';
import { runningService, type TestResponse, type RunningService, type TestClient } from '../support/running-service.ts';

const FULL_RESPONSE = { scope: 'read write groups', refresh: true };
const READ_WRITE_RESPONSE = { scope: 'read write', refresh: true };
/**
 * How many more events a request may read because its family is long: at most those since the newest summary, and the
 * page that contains the summary.
 */
const FEW_EVENTS = 4 * REFRESHES_PER_SUMMARY;
const LONG_FAMILY_ROTATIONS = 10 * REFRESHES_PER_SUMMARY + 7;

interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

/** Sends a request with a token of a family. `tokens` contains the tokens of the family, oldest first. */
type SendRequest = (tokens: readonly Tokens[]) => Promise<unknown>;

let running: RunningService;
let counter: CountingLog;
let client: TestClient;

async function startService(settings = {}): Promise<void> {
  counter = countingLog(createMemoryLog());
  running = await runningService({ log: counter.log, settings });
  client = await running.addClient();
}

function refreshWith(
  refresh_token: string,
  otherParameters: Readonly<Record<string, string>> = {},
  caller = client,
): Promise<TestResponse> {
  return running.token(caller, { grant_type: 'refresh_token', refresh_token, ...otherParameters });
}

const postAsClient = (path: string, token: string): Promise<TestResponse> =>
  running.post(path, { token }, { authorization: client.basic });
const introspect = (token: string): Promise<TestResponse> => postAsClient('/o/introspect/', token);
const revoke = (token: string): Promise<TestResponse> => postAsClient('/o/revoke_token/', token);

/** Starts a family with a password grant, refreshes it, and returns its tokens, oldest first. */
async function startFamily(rotations: number, caller = client): Promise<readonly Tokens[]> {
  const owner = await running.addUser();
  const tokens = [expectTokens(await running.token(caller, { grant_type: 'password', ...owner }), FULL_RESPONSE)];
  for (let nth = 0; nth < rotations; nth += 1) {
    running.clock.advance(60);
    tokens.push(expectTokens(await refreshWith(tokens.at(-1)?.refresh ?? '', {}, caller), FULL_RESPONSE));
  }
  return tokens;
}

function newestToken(tokens: readonly Pick<Tokens, 'refresh'>[]): string {
  return tokens.at(-1)?.refresh ?? '';
}

function previousToken(tokens: readonly Pick<Tokens, 'refresh'>[]): string {
  return tokens.at(-2)?.refresh ?? '';
}

async function countEventsRead(action: () => Promise<unknown>): Promise<number> {
  return (await counter.countReads(action)).events;
}

async function eventTypesSince(position: number): Promise<readonly string[]> {
  return (await running.events()).slice(position).map(({ type }) => type);
}

describe('a long refresh family', function () {
  this.timeout(300_000); // each test refreshes a family hundreds of times

  beforeEach(() => startService());
  afterEach(() => running.close());

  /** Returns the number of events that the first request after a restart reads. */
  async function countFirstRequestReads(rotations: number, sendRequest: SendRequest, caller = client): Promise<number> {
    const tokens = await startFamily(rotations, caller);
    await running.restart();
    return countEventsRead(() => sendRequest(tokens));
  }

  const firstRequests: Readonly<Record<string, SendRequest>> = {
    'a refresh': async (tokens) => expectTokens(await refreshWith(newestToken(tokens)), FULL_RESPONSE),
    'a repeated refresh after a lost response': async (tokens) => {
      expectTokens(await refreshWith(previousToken(tokens)), FULL_RESPONSE);
    },
    'an introspection of its refresh token': async (tokens) => {
      expect((await introspect(newestToken(tokens))).json).to.include({ active: true });
    },
    'a revocation': async (tokens) => expect((await revoke(newestToken(tokens))).status).to.equal(200),
    'a revocation with its first refresh token': async (tokens) => {
      await revoke(tokens[0]?.refresh ?? '');
      expect((await introspect(newestToken(tokens))).json).to.deep.equal({ active: false });
    },
    'the reuse of its first refresh token, including its explanation': async (tokens) => {
      expectRefusal(await refreshWith(tokens[0]?.refresh ?? ''), 'invalid_grant');
    },
    'a refresh after it was revoked, including the explanation': async (tokens) => {
      await revoke(newestToken(tokens));
      expectRefusal(await refreshWith(newestToken(tokens)), 'invalid_grant');
    },
  };
  for (const [name, sendRequest] of Object.entries(firstRequests)) {
    it(`needs only a few more reads than a short family, after a restart, for ${name}`, async () => {
      const shortFamilyReads = await countFirstRequestReads(24, sendRequest);
      const longFamilyReads = await countFirstRequestReads(LONG_FAMILY_ROTATIONS, sendRequest);
      expect(shortFamilyReads).to.be.above(0);
      expect(longFamilyReads)
        .to.be.below(shortFamilyReads + FEW_EVENTS)
        .and.to.be.below(2 * LONG_FAMILY_ROTATIONS);
    });
  }

  it('needs only a few more reads than a short family to issue a JWT on refresh', async () => {
    const caller = await running.addClient({ accessTokenFormat: 'jwt' });
    const sendRequest: SendRequest = async (tokens) =>
      expectTokens(await refreshWith(newestToken(tokens), {}, caller), FULL_RESPONSE);
    const shortFamilyReads = await countFirstRequestReads(24, sendRequest, caller);
    expect(await countFirstRequestReads(LONG_FAMILY_ROTATIONS, sendRequest, caller))
      .to.be.below(shortFamilyReads + FEW_EVENTS)
      .and.to.be.below(2 * LONG_FAMILY_ROTATIONS);
  });

  it('needs few reads when an auditor views one of its events', async () => {
    const auditor = await openSessionAs(running, 'auditor', 'auditor');
    await startFamily(LONG_FAMILY_ROTATIONS);
    const events = await running.events();
    const summary = events.find(({ type }) => type === 'GrantSummarized');
    for (const { position } of [summary, events.at(-1)].filter((event) => event !== undefined)) {
      let html = '';
      const viewEvent = async (): Promise<void> => void ({ html } = await auditor.get(`/audit/events/${position}/`));
      expect(await countEventsRead(viewEvent)).to.be.below(LONG_FAMILY_ROTATIONS);
      expect(positionsOn({ html } as Page))
        .to.include(position - 1)
        .and.have.length.of.at.least(20);
    }
    const { html } = await auditor.get(`/audit/events/${summary?.position}/`);
    for (const title of ['Refresh token: Rotated at', 'Access token: Expires at']) expect(html).to.include(title);
  });

  it('keeps its client and scope after a summary, can repeat its last response, and can be refreshed', async () => {
    const tokens = await startFamily(REFRESHES_PER_SUMMARY);
    const otherClient = await running.addClient();
    expect((await running.events()).filter(({ type }) => type === 'GrantSummarized')).to.have.length(1);
    await running.restart();
    expectRefusal(
      await expectNothingAppended(running, () => refreshWith(newestToken(tokens), {}, otherClient)),
      'invalid_grant',
    );
    const widerScope = { scope: 'read unknown' };
    expectRefusal(
      await expectNothingAppended(running, () => refreshWith(newestToken(tokens), widerScope)),
      'invalid_scope',
    );
    const repeatedTokens = expectTokens(
      await expectNothingAppended(running, () => refreshWith(previousToken(tokens))),
      FULL_RESPONSE,
    );
    expect(repeatedTokens).to.deep.equal(tokens.at(-1));
    expectTokens(await refreshWith(newestToken(tokens), { scope: 'read' }), { scope: 'read', refresh: true });
  });

  it('is revoked when its oldest token is reused, however late', async () => {
    const tokens = await startFamily(LONG_FAMILY_ROTATIONS);
    await running.restart();
    const eventCount = (await running.events()).length;
    expectRefusal(await refreshWith(tokens[0]?.refresh ?? ''), 'invalid_grant');
    expect(await eventTypesSince(eventCount)).to.deep.equal(['GrantRevoked']);
    expect(await isAccepted(running, tokens.at(-1)?.access ?? '')).to.equal(false);
  });

  it('is not revoked by forged tokens that name its grant, and is not read for those with a tag', async () => {
    const tokens = await startFamily(LONG_FAMILY_ROTATIONS);
    await running.restart();
    const [grantId, otherToken] = [grantIdIn(newestToken(tokens)), (await startFamily(1)).at(-1)?.refresh ?? ''];
    const forgedTokens = [
      unknownUntaggedToken(grantId, 1), // in the format of earlier releases, in which this grant has no tokens
      withChecksum(`glr_${grantId}${otherToken.slice(26, 91)}`), // with the secret and tag of another grant
      withChecksum(`${newestToken(tokens).slice(0, 69)}${'A'.repeat(22)}`),
    ];
    for (const token of forgedTokens.slice(1)) {
      const presentToken = async (): Promise<void> => {
        expectRefusal(await expectNothingAppended(running, () => refreshWith(token)), 'invalid_grant');
      };
      expect(await countEventsRead(presentToken)).to.equal(0);
    }
    for (const token of forgedTokens) {
      expectRefusal(await expectNothingAppended(running, () => refreshWith(token)), 'invalid_grant');
      expect((await expectNothingAppended(running, () => revoke(token))).status).to.equal(200);
      expect((await introspect(token)).json).to.deep.equal({ active: false });
    }
    expect(await countEventsRead(async () => refreshWith(forgedTokens[0] ?? ''))).to.be.below(200);
    expectTokens(await refreshWith(newestToken(tokens)), FULL_RESPONSE);
  });

  it('is not read again for each concurrent request', async () => {
    const tokens = await startFamily(24);
    await running.restart();
    const readsOfOneRequest = await countEventsRead(() => introspect(newestToken(tokens)));
    await running.restart();
    const introspectConcurrently = (): Promise<unknown> =>
      Promise.all(Array.from({ length: 20 }, () => introspect(newestToken(tokens))));
    expect(await countEventsRead(introspectConcurrently)).to.be.below(3 * readsOfOneRequest);
  });
});

describe('a refresh family from an earlier release', () => {
  beforeEach(() => startService());
  afterEach(() => running.close());

  it('continues with tagged tokens after the next refresh', async () => {
    const tokens = await appendUntaggedFamily(running, client, { rotations: 3 });
    const nextTokens = expectTokens(await refreshWith(newestToken(tokens)), READ_WRITE_RESPONSE);
    expect([newestToken(tokens).length, nextTokens.refresh.length]).to.deep.equal([75, 97]);
    expectTokens(await refreshWith(nextTokens.refresh), READ_WRITE_RESPONSE);
    expect((await introspect(nextTokens.refresh)).json).to.deep.equal({ active: false });
  });

  it('repeats the tokens of a response that was lost just before the upgrade', async () => {
    const tokens = await appendUntaggedFamily(running, client, { rotations: 3 });
    running.clock.advance(29);
    const repeatedTokens = expectTokens(
      await expectNothingAppended(running, () => refreshWith(previousToken(tokens))),
      READ_WRITE_RESPONSE,
    );
    expect(repeatedTokens).to.deep.equal(tokens.at(-1));
    expectTokens(await refreshWith(repeatedTokens.refresh), READ_WRITE_RESPONSE);
  });

  it('repeats a response that was lost after the upgrade', async () => {
    const tokens = await appendUntaggedFamily(running, client, { rotations: 3 });
    const lostResponse = await refreshWith(newestToken(tokens));
    expect((await expectNothingAppended(running, () => refreshWith(newestToken(tokens)))).text).to.equal(
      lostResponse.text,
    );
    await running.restart();
    expect((await expectNothingAppended(running, () => refreshWith(newestToken(tokens)))).text).to.equal(
      lostResponse.text,
    );
  });

  for (const [time, refreshes] of [
    ['right after the upgrade', 0],
    ['after many more refreshes', 3 * REFRESHES_PER_SUMMARY],
  ] as const) {
    it(`is revoked when an old token is reused ${time}`, async () => {
      const tokens = await appendUntaggedFamily(running, client, { rotations: 150 });
      let currentTokens: Tokens = tokens.at(-1)!;
      for (let nth = 0; nth < refreshes; nth += 1)
        currentTokens = expectTokens(await refreshWith(currentTokens.refresh), READ_WRITE_RESPONSE);
      await running.restart();
      const eventCount = (await running.events()).length;
      expectRefusal(await refreshWith(tokens[17]?.refresh ?? ''), 'invalid_grant');
      expect(await eventTypesSince(eventCount)).to.deep.equal(['GrantRevoked']);
      expect(await isAccepted(running, currentTokens.access)).to.equal(false);
    });
  }

  it('can be revoked by its client with an old token', async () => {
    const tokens = await appendUntaggedFamily(running, client, { rotations: 40 });
    expect((await revoke(tokens[3]?.refresh ?? '')).status).to.equal(200);
    expect(await isAccepted(running, tokens.at(-1)?.access ?? '')).to.equal(false);
  });

  it('is not revoked by forged tokens, which cause few reads', async () => {
    const tokens = await appendUntaggedFamily(running, client, { rotations: 150 });
    const grantId = grantIdIn(newestToken(tokens));
    const presentTokens = (nth: number): Promise<unknown> =>
      expectNothingAppended(running, async () => {
        expect((await revoke(unknownUntaggedToken(grantId, nth + 1_000))).status).to.equal(200);
        const response = await refreshWith(unknownUntaggedToken(grantId, nth));
        expectRefusal(response, 'invalid_grant');
        return response;
      });
    running.clock.advance(3_600);
    await Promise.all(Array.from({ length: 5 }, (_, nth) => presentTokens(nth)));
    running.clock.advance(3_600);
    const eventsPerExplanation = 200;
    expect(await countEventsRead(() => presentTokens(99))).to.be.below(eventsPerExplanation);
    expectTokens(await refreshWith(newestToken(tokens)), READ_WRITE_RESPONSE);
  });

  it('is neither refreshed nor revoked if another client presents its tokens', async () => {
    const tokens = await appendUntaggedFamily(running, client, { rotations: 40 });
    const otherClient = await running.addClient();
    for (const token of [newestToken(tokens), previousToken(tokens), tokens[3]?.refresh ?? '']) {
      expectRefusal(await expectNothingAppended(running, () => refreshWith(token, {}, otherClient)), 'invalid_grant');
    }
    expectTokens(await refreshWith(newestToken(tokens)), READ_WRITE_RESPONSE);
  });

  it('is summarized at its next refresh if it is long, and then needs few reads after a restart', async () => {
    const tokens = await appendUntaggedFamily(running, client, { rotations: 3_000, secondsBetween: 1 });
    await running.restart();
    const eventCount = (await running.events()).length;
    const nextTokens = expectTokens(await refreshWith(newestToken(tokens)), READ_WRITE_RESPONSE);
    expect(await eventTypesSince(eventCount)).to.deep.equal([
      'RefreshTokenRotated',
      'AccessTokenIssued',
      'GrantSummarized',
    ]);
    await running.restart();
    const refreshAgain = async (): Promise<unknown> =>
      expectTokens(await refreshWith(nextTokens.refresh), READ_WRITE_RESPONSE);
    expect(await countEventsRead(refreshAgain)).to.be.below(FEW_EVENTS);
  });
});
