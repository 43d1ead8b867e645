import { expect } from 'chai';
import fc from 'fast-check';
import type { DomainEvent } from '../../src/domain/events.ts';
import type { Projection } from '../../src/event-store/projector.ts';
import { createAccessTokens, type AccessTokens } from '../../src/projections/access-tokens.ts';
import { createClients } from '../../src/projections/clients.ts';
import { createGrants } from '../../src/projections/grants.ts';
import { CLIENT_SETTINGS } from '../support/client-settings.ts';
import { clientId, grantId, hashOf, seconds, userId } from '../support/domain-values.ts';
import { createRecording } from '../support/recording.ts';

const HOUR = 3_600;

function setUp() {
  const clients = createClients(() => undefined);
  const grants = createGrants({ findStarted: () => undefined }, { listByIssuer: () => [] });
  const create = () =>
    createAccessTokens({
      isGrantLive: grants.isLive,
      isExchangeLive: () => false,
      isExchangeLiveOrPaused: () => false,
      isClientEnabled: (id) => clients.find(id) !== undefined,
      isClientRegistered: (id) => clients.find(id) !== undefined,
      grantsOfIssuer: () => [],
      wasEndedByClock: () => false,
      restrictedScopesOf: (id) => clients.find(id)?.restrictedScopes ?? [],
    });
  const accessTokens = create();
  const restoredProjections: AccessTokens[] = [];
  const follower: Projection = {
    name: 'restored access tokens',
    apply: (event) => restoredProjections.forEach((projection) => projection.apply(event)),
    contents: () => [],
    freeze: () => [],
    restore: () => {},
  };
  return {
    accessTokens,
    ...createRecording(clients, grants, accessTokens, follower),
    /** Restores a new projection from these pieces. It follows every later event. */
    restore(pieces: Iterable<Uint8Array>): AccessTokens {
      const projection = create();
      for (const piece of pieces) projection.restore(piece);
      restoredProjections.push(projection);
      return projection;
    },
  };
}

type Step = { readonly stream: string; readonly event: DomainEvent };

const register = (client: string): Step => ({
  stream: `client-${clientId(client)}`,
  event: {
    type: 'ClientRegistered',
    data: {
      clientId: clientId(client),
      ownerId: null,
      secret: null,
      ...CLIENT_SETTINGS,
      name: client,
      clientType: 'public',
      grantTypes: [],
    },
  },
});
const remove = (client: string): Step => ({
  stream: `client-${clientId(client)}`,
  event: { type: 'ClientRemoved', data: {} },
});
const consent = (grant: string, client: string, user: string): Step => ({
  stream: `grant-${grantId(grant)}`,
  event: {
    type: 'ConsentGiven',
    data: {
      grantId: grantId(grant),
      clientId: clientId(client),
      userId: userId(user),
      scope: ['read'],
      basis: 'asked',
    },
  },
});
const issue = (token: string, grant: string, client: string, user: string | null, expiresAt: number): Step => ({
  stream: `grant-${grantId(grant)}`,
  event: {
    type: 'AccessTokenIssued',
    data: {
      tokenHash: hashOf(token),
      grantId: grantId(grant),
      clientId: clientId(client),
      userId: user === null ? null : userId(user),
      scope: ['read'],
      expiresAt: seconds(expiresAt),
    },
  },
});
const revoke = (grant: string): Step => ({
  stream: `grant-${grantId(grant)}`,
  event: { type: 'GrantRevoked', data: { reason: 'revoked-by-client' } },
});
const disable = (user: string): Step => ({
  stream: `user-${user}`,
  event: { type: 'UserDisabled', data: { userId: userId(user) } },
});
const enable = (user: string): Step => ({
  stream: `user-${user}`,
  event: { type: 'UserEnabled', data: { userId: userId(user) } },
});

describe('an access token', () => {
  it('is found with its data until it expires', () => {
    const { accessTokens, record } = setUp();
    for (const { stream, event } of [register('A'), consent('g', 'A', 'ada'), issue('t', 'g', 'A', 'ada', 100)])
      record(stream, event, 7);
    expect(accessTokens.find(hashOf('t'), 99)).to.deep.equal({
      grantId: grantId('g'),
      clientId: clientId('A'),
      userId: userId('ada'),
      scope: ['read'],
      resource: [],
      expiresAt: 100,
      issuedAt: 7,
      issuedPosition: 3,
    });
    expect(accessTokens.find(hashOf('t'), 100)).to.equal(undefined);
    expect(accessTokens.find(hashOf('other'), 1)).to.equal(undefined);
  });

  it('uses no memory an hour after its expiry', () => {
    const { accessTokens, record } = setUp();
    for (const { stream, event } of [
      register('A'),
      consent('g', 'A', 'ada'),
      issue('t', 'g', 'A', 'ada', 100),
      issue('u', 'g', 'A', 'ada', 9 * HOUR),
    ])
      record(stream, event);
    expect(accessTokens.size()).to.equal(2);
    const { stream, event } = register('B');
    record(stream, event, 100 + HOUR);
    expect(accessTokens.size()).to.equal(1);
  });

  it("that a client got for itself ends with its own grant, and leaves the client's other tokens valid", () => {
    const { accessTokens, record } = setUp();
    for (const { stream, event } of [
      register('A'),
      issue('t', 'g', 'A', null, 100),
      issue('u', 'h', 'A', null, 100),
      revoke('g'),
    ])
      record(stream, event);
    expect([accessTokens.find(hashOf('t'), 1), accessTokens.find(hashOf('u'), 1)?.userId]).to.deep.equal([
      undefined,
      null,
    ]);
  });

  it('that a client got for itself ends with its grant, even if the grant has a consent', () => {
    const { accessTokens, record } = setUp();
    for (const { stream, event } of [
      register('A'),
      consent('g', 'A', 'ada'),
      issue('t', 'g', 'A', null, 100),
      revoke('g'),
    ])
      record(stream, event);
    expect(accessTokens.find(hashOf('t'), 1)).to.equal(undefined);
  });

  it('is found if and only if it is valid according to a scan of the whole log', () => {
    const client = fc.constantFrom('A', 'B');
    const user = fc.constantFrom('ada', 'bob');
    const grant = fc.constantFrom('g1', 'g2', 'g3', 'g4');
    const token = fc.constantFrom('t1', 't2', 't3', 't4', 't5');
    const aStep = fc.oneof(
      { weight: 4, arbitrary: fc.tuple(grant, client, user).map((args) => consent(...args)) },
      {
        weight: 8,
        arbitrary: fc
          .tuple(token, grant, fc.integer({ min: 0, max: 5 * HOUR }))
          .map(([name, label, end]) => ({ token: name, grant: label, end })),
      },
      { weight: 1, arbitrary: client.map(remove) },
      { weight: 2, arbitrary: grant.map(revoke) },
      { weight: 1, arbitrary: user.map(disable) },
      { weight: 1, arbitrary: user.map(enable) },
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(aStep, fc.integer({ min: 0, max: HOUR })), { maxLength: 40 }), (generatedSteps) => {
        const { accessTokens, record } = setUp();
        const log = [register('A'), register('B')].map((step) => ({ ...step, at: 0 }));
        const issuedTokens = new Set<string>();
        let now = 0;
        for (const [step, elapsed] of generatedSteps) {
          now += elapsed;
          const consistentStep = 'token' in step ? issueFor(step, log, issuedTokens, now) : step;
          if (consistentStep !== undefined && isPossible(consistentStep, log)) log.push({ ...consistentStep, at: now });
        }
        for (const { stream, event, at } of log) record(stream, event, at);
        for (const name of ['t1', 't2', 't3', 't4', 't5']) {
          for (const moment of [0, now, now + HOUR]) {
            if (moment >= now)
              expect(accessTokens.find(hashOf(name), moment) !== undefined, `${name} at ${moment}`).to.equal(
                isUsable(name, log, moment),
              );
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('a snapshot of the access tokens', () => {
  const grant = fc.constantFrom('g0', 'g1', 'g2', 'g3');
  const clientFor = (label: string): string => (label < 'g2' ? 'A' : 'B');
  const aStep = fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .tuple(fc.uuid(), grant, fc.integer({ min: 0, max: 5 * HOUR }))
        .map(([token, label, end]) => issue(token, label, clientFor(label), 'ada', end)),
    },
    {
      weight: 6,
      arbitrary: fc
        .tuple(fc.uuid(), grant, fc.integer({ min: 0, max: 5 * HOUR }))
        .map(([token, label, end]) => issue(token, `own ${token}`, clientFor(label), null, end)),
    },
    { weight: 1, arbitrary: grant.map(revoke) },
    { weight: 3, arbitrary: fc.nat().map((choice) => ({ revokeOneOf: choice })) },
    { weight: 1, arbitrary: fc.constantFrom('A', 'B').map(remove) },
  );

  it('restores the same tokens no matter when it is written, and they change in the same way afterward', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(aStep, fc.integer({ min: 0, max: HOUR / 2 })), { maxLength: 40 }),
        fc.nat({ max: 40 }),
        (generatedSteps, frozenAfter) => {
          const { accessTokens, record, restore } = setUp();
          for (const { stream, event } of [
            register('A'),
            register('B'),
            ...['g0', 'g1', 'g2', 'g3'].map((label) => consent(label, clientFor(label), 'ada')),
          ])
            record(stream, event);
          let now = 0;
          const streams: string[] = [];
          function applySteps(steps: typeof generatedSteps): void {
            for (const [step, elapsed] of steps) {
              now += elapsed;
              if ('event' in step && step.stream.startsWith('grant-')) streams.push(step.stream);
              if ('event' in step) record(step.stream, step.event, now);
              else if (streams.length > 0)
                record(streams[step.revokeOneOf % streams.length] ?? '', revoke('').event, now);
            }
          }

          applySteps(generatedSteps.slice(0, frozenAfter));
          const unwrittenSnapshot = accessTokens.freeze();
          const stateAtFreeze = [accessTokens.size(), ...accessTokens.contents()];
          const restoredTokens = restore(accessTokens.freeze());
          applySteps(generatedSteps.slice(frozenAfter));
          expect([restoredTokens.size(), ...restoredTokens.contents()]).to.deep.equal([
            accessTokens.size(),
            ...accessTokens.contents(),
          ]);
          expect([...restoredTokens.live(now)]).to.deep.equal([...accessTokens.live(now)]);
          const restoredLater = restore(unwrittenSnapshot);
          expect([restoredLater.size(), ...restoredLater.contents()]).to.deep.equal(stateAtFreeze);
        },
      ),
      { numRuns: 500 },
    );
  });
});

type Log = readonly (Step & { readonly at: number })[];

/** Issues each token once, to the client and user in the consent, or to the client itself if there is no consent. */
function issueFor(
  { token, grant, end }: { token: string; grant: string; end: number },
  log: Log,
  issuedTokens: Set<string>,
  now: number,
): Step | undefined {
  if (issuedTokens.has(token)) return undefined;
  const consentData = findConsent(grantId(grant), log);
  const hasToken = log.some(({ event }) => event.type === 'AccessTokenIssued' && event.data.grantId === grantId(grant));
  if (consentData === undefined && hasToken) return undefined; // a client's grant for itself has one token
  if (consentData !== undefined && isExpired(grantId(grant), log, now)) return undefined;
  issuedTokens.add(token);
  const step = issue(token, grant, 'A', null, now + end);
  if (consentData === undefined || step.event.type !== 'AccessTokenIssued') return step;
  return {
    ...step,
    event: { ...step.event, data: { ...step.event.data, clientId: consentData.clientId, userId: consentData.userId } },
  };
}

/** Reports whether all credentials of the grant have expired, so that it cannot issue a token. */
function isExpired(id: string, log: Log, now: number): boolean {
  const ends = log.flatMap(({ event }) =>
    event.type === 'AccessTokenIssued' && event.data.grantId === id ? [event.data.expiresAt] : [],
  );
  return ends.length > 0 && ends.every((end) => end <= now);
}

function findConsent(id: string, log: Log) {
  const entry = log.find(({ event }) => event.type === 'ConsentGiven' && event.data.grantId === id);
  return entry?.event.type === 'ConsentGiven' ? entry.event.data : undefined;
}

/** Reports whether deciders permit the event: a grant begins once, and records no event after its end. */
function isPossible({ stream, event }: Step, log: Log): boolean {
  const earlierEntries = log.filter((entry) => entry.stream === stream);
  if (event.type === 'ConsentGiven') return earlierEntries.length === 0;
  if (event.type === 'GrantRevoked')
    return earlierEntries.length > 0 && earlierEntries.every((entry) => entry.event.type !== 'GrantRevoked');
  return earlierEntries.every((entry) => entry.event.type !== 'GrantRevoked' && entry.event.type !== 'ClientRemoved');
}

/** Reports whether a token is usable. This oracle scans the log without an index or a cache. */
function isUsable(token: string, log: Log, now: number): boolean {
  const index = log.findIndex(
    ({ event }) => event.type === 'AccessTokenIssued' && event.data.tokenHash === hashOf(token),
  );
  const issuance = log[index]?.event;
  if (issuance?.type !== 'AccessTokenIssued' || now >= issuance.data.expiresAt) return false;
  const { grantId: grant, clientId: client, userId: owner } = issuance.data;
  const isClientRemoved = log.some(
    ({ stream, event }) => event.type === 'ClientRemoved' && stream === `client-${client}`,
  );
  const isGrantRevoked = log.some(({ stream, event }) => event.type === 'GrantRevoked' && stream === `grant-${grant}`);
  if (isClientRemoved || isGrantRevoked) return false;
  if (owner === null) return true;
  const consentAt = log.findIndex(({ event }) => event.type === 'ConsentGiven' && event.data.grantId === grant);
  const lastChangeBeforeConsent = log
    .slice(0, consentAt)
    .findLast(
      ({ event }) => (event.type === 'UserDisabled' || event.type === 'UserEnabled') && event.data.userId === owner,
    );
  const wasDisabledSince = log
    .slice(consentAt)
    .some(({ event }) => event.type === 'UserDisabled' && event.data.userId === owner);
  return lastChangeBeforeConsent?.event.type !== 'UserDisabled' && !wasDisabledSince;
}
