import { expect } from 'chai';
import fc from 'fast-check';
import { computeBlastRadius, type BlastSource } from '../../../src/audit/queries/blast-radius.ts';
import type { GrantId } from '../../../src/domain/values.ts';
import { seconds } from '../../support/domain-values.ts';
import {
  forestStepWithPauses,
  growForest,
  projectionsAt,
  type Forest,
  type ForestStep,
} from '../../support/exchange-forest.ts';
import type { Projections } from '../../../src/projections/projections.ts';
import { repetitions } from '../../support/repetitions.ts';

const BEGINNING: readonly ForestStep[] = [
  { kind: 'log-in', user: 0, passkey: false, continuesSession: false },
  { kind: 'log-in', user: 1, passkey: true, continuesSession: false },
  { kind: 'grant', client: 0, user: 0, openid: true },
  { kind: 'grant', client: 1, user: 1, openid: false },
  { kind: 'grant', client: 2, user: 2, openid: false },
];
const steps = fc
  .array(forestStepWithPauses, { minLength: 20, maxLength: 80, size: 'max' })
  .map((randomSteps) => [...BEGINNING, ...randomSteps]);

/**
 * Returns, for each grant, the hashes of its login session and of that session's newest continuation. Reads only the
 * log.
 */
async function readSessions({ log }: Forest): Promise<ReadonlyMap<string, readonly string[]>> {
  const logins = new Map<string, string>();
  const continuations = new Map<string, string>();
  /** Grants that end with their session or with a session that continues it. */
  const endingWithSession = new Set<string>();
  for await (const events of log.readAll(0 as never)) {
    for (const { type, stream, data } of events) {
      const { login, continuedBy, scope } = data as {
        login?: { sessionHash: string };
        continuedBy?: string;
        scope?: readonly string[];
      };
      if (type === 'ConsentGiven' && login !== undefined) {
        logins.set(stream.slice('grant-'.length), login.sessionHash);
        if (scope?.includes('openid') === true) endingWithSession.add(stream.slice('grant-'.length));
      }
      if (type === 'SessionEnded' && continuedBy !== undefined)
        continuations.set(stream.slice('session-'.length), continuedBy);
    }
  }
  return new Map(
    [...logins].map(([grant, sessionHash]) => [
      grant,
      endingWithSession.has(grant) ? [sessionHash, newestContinuation(sessionHash)] : [sessionHash],
    ]),
  );

  function newestContinuation(hash: string): string {
    const continuation = continuations.get(hash);
    return continuation === undefined ? hash : newestContinuation(continuation);
  }
}

/** Returns the result of the model: a grant comes from the source if the grant itself, its parent or its actor does. */
function expectedGrants(
  source: BlastSource,
  { grants }: Forest,
  sessions: ReadonlyMap<string, readonly string[]>,
  isLive: (id: GrantId) => boolean,
): readonly string[] {
  const comesFromSource = (id: GrantId): boolean => {
    const grant = grants.find((candidate) => candidate.id === id);
    if (grant === undefined) return false;
    const { clientId, exchange } = grant;
    if (source.kind === 'client' && clientId === source.clientId) return true;
    if (source.kind === 'grant' && id === source.grantId) return true;
    if (source.kind === 'key' && source.grantIds.has(id)) return true;
    if (source.kind === 'session' && sessions.get(id)?.includes(source.sessionHash) === true) return true;
    if (exchange === undefined) return false;
    return [exchange.parent, exchange.actor ?? []]
      .flat()
      .some((token) => 'grantId' in token && comesFromSource(token.grantId));
  };
  return grants
    .map(({ id }) => id)
    .filter((id) => isLive(id) && comesFromSource(id))
    .toSorted();
}

/** Returns a predicate for the grants with tokens that are valid, or will be once an application is enabled again. */
function liveOrPausedIn({ accessTokens }: Projections, now: number): (id: GrantId) => boolean {
  const ids = new Set([...accessTokens.liveOrPaused(now)].map(({ grantId }) => grantId));
  return (id) => ids.has(id);
}

describe('the blast radius of a source in a random log', function () {
  this.timeout(120_000);

  const idsAt = (source: BlastSource, now: number, projections: Projections): readonly string[] =>
    computeBlastRadius(source, seconds(now), projections)
      .map(({ grantId }) => grantId)
      .toSorted();

  async function listSources(forest: Forest): Promise<readonly BlastSource[]> {
    const sessions = [...(await readSessions(forest)).values()].flat();
    const ids = forest.grants.map(({ id }) => id);
    return [
      ...ids.map((grantId) => ({ kind: 'grant', grantId }) as const),
      ...forest.grants.map(({ clientId }) => ({ kind: 'client', clientId }) as const),
      ...[...new Set(sessions)].map((sessionHash) => ({ kind: 'session', sessionHash }) as const),
      { kind: 'key', grantIds: new Set(ids.filter((_id, index) => index % 3 === 0)) },
    ];
  }

  it('contains exactly the grants that are valid in the model', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const forest = await growForest(sequence);
        const { projections, now } = forest;
        const sessions = await readSessions(forest);
        const isLive = liveOrPausedIn(projections, now);
        for (const source of await listSources(forest))
          expect(idsAt(source, now, projections), JSON.stringify(source)).to.deep.equal(
            expectedGrants(source, forest, sessions, isLive),
          );
      }),
      { numRuns: repetitions(40), endOnFailure: true },
    );
  });

  it('matches the model at an earlier position, given the projections at that position', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(), async (sequence, random) => {
        const forest = await growForest(sequence);
        const { last, ...earlierProjections } = await projectionsAt(1 + (random % forest.log.head()), forest.log);
        const now = Math.floor(last.recordedAt / 1000);
        const sessions = await readSessions(forest);
        const isLive = liveOrPausedIn(earlierProjections, now);
        for (const source of await listSources(forest)) {
          if (source.kind === 'session') continue; // a later continuation of a session is not in these projections
          expect(idsAt(source, now, earlierProjections)).to.deep.equal(
            expectedGrants(source, forest, sessions, isLive),
          );
        }
      }),
      { numRuns: repetitions(20), endOnFailure: true },
    );
  });

  it('lists each grant once, after the grant that it came from, with its tokens', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const forest = await growForest(sequence);
        for (const source of await listSources(forest)) {
          const affectedGrants = computeBlastRadius(source, seconds(forest.now), forest.projections);
          const ids = affectedGrants.map(({ grantId }) => grantId);
          expect(new Set(ids).size).to.equal(ids.length);
          for (const [index, { via, tokens, scope, kind }] of affectedGrants.entries()) {
            expect({ tokens, hasRead: scope.includes('read') }).to.deep.equal({ tokens: 1, hasRead: true });
            if (via.kind === 'source') continue;
            expect(kind).to.equal('exchange');
            expect(ids.indexOf(via.grantId)).to.be.within(0, index - 1);
          }
        }
      }),
      { numRuns: repetitions(20), endOnFailure: true },
    );
  });
});
