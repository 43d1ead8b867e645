import { expect } from 'chai';
import fc from 'fast-check';
import { hashOf } from '../support/domain-values.ts';
import {
  findGrantViolation,
  type GrantOperation,
  type GrantRules,
  type TokenPair,
} from '../support/linearizability/grant-history.ts';
import {
  execute,
  FIRST_PAIR,
  NEW_GRANT,
  REUSE_WINDOW_SECONDS,
  successorsOf,
  type GrantRequest,
  type SimulatedGrant,
} from '../support/linearizability/simulated-grant.ts';

const RULES: GrantRules = {
  reuseWindowMilliseconds: REUSE_WINDOW_SECONDS * 1000,
  clockErrorMilliseconds: 1000,
  stalenessMilliseconds: 50,
};
const EXACT_RULES: GrantRules = { ...RULES, clockErrorMilliseconds: 0, stalenessMilliseconds: 0 };
const RUNS = { numRuns: 300 };

const FIRST_TOKEN = FIRST_PAIR.refresh;
const SECOND_TOKEN = successorsOf(FIRST_TOKEN).refresh;

type Times = readonly [start: number, end: number];
const redeem = ([start, end]: Times, outcome: TokenPair | 'refused' | 'unknown' = FIRST_PAIR): GrantOperation => ({
  kind: 'redeem',
  start,
  end,
  outcome,
});
const refresh = (
  token: string,
  [start, end]: Times,
  outcome: TokenPair | 'refused' | 'unknown' = successorsOf(token),
): GrantOperation => ({ kind: 'refresh', token, start, end, outcome });
const revoke = ([start, end]: Times, outcome: 'done' | 'unknown' = 'done'): GrantOperation => ({
  kind: 'revoke',
  start,
  end,
  outcome,
});
const introspect = (token: string, [start, end]: Times, outcome: 'active' | 'inactive'): GrantOperation => ({
  kind: 'introspect',
  token,
  start,
  end,
  outcome,
});

function expectAccepted(...history: readonly GrantOperation[]): void {
  expect(findGrantViolation(history, RULES)).to.equal(undefined);
}

function expectRejected(...history: readonly GrantOperation[]): void {
  expect(findGrantViolation(history, RULES)).to.match(/^no order explains the results/);
}

describe('The history checker rejects', () => {
  it('a code that was redeemed twice', () => {
    const otherPair = { access: 'other access', refresh: 'other refresh' };
    expectRejected(redeem([0, 9]), redeem([1, 8], otherPair));
    expectRejected(redeem([0, 9]), redeem([1, 8]));
    expectRejected(redeem([0, 1]), redeem([2, 3], otherPair));
  });

  it('a code that was refused at its first use', () => {
    expectRejected(redeem([0, 1], 'refused'), redeem([2, 3]));
    expectRejected(redeem([0, 1], 'refused'));
    expectRejected(redeem([0, 1], 'refused'), redeem([2, 3], 'refused'));
  });

  it('tokens that stayed valid after the code was presented again', () => {
    expectRejected(redeem([0, 1]), redeem([2, 3], 'refused'), introspect('access', [100, 101], 'active'));
    expectRejected(redeem([0, 1]), redeem([2, 3], 'refused'), refresh(FIRST_TOKEN, [100, 101]));
  });

  it('a token that was active for too long after an acknowledged revocation', () => {
    expectRejected(redeem([0, 1]), revoke([2, 3]), introspect('access', [54, 55], 'active'));
    expectAccepted(redeem([0, 1]), revoke([2, 3]), introspect('access', [53, 55], 'active'));
  });

  it('a token that became active again', () => {
    const lostRevocation = revoke([2, 3], 'unknown');
    const [inactiveResponse, activeResponse] = (['inactive', 'active'] as const).map((outcome, index) =>
      introspect('access', [100 + 100 * index, 110 + 100 * index], outcome),
    ) as [GrantOperation, GrantOperation];
    expectAccepted(redeem([0, 1]), lostRevocation, inactiveResponse);
    expectRejected(redeem([0, 1]), lostRevocation, inactiveResponse, activeResponse);
  });

  it('a refresh that was accepted after an acknowledged revocation', () => {
    expectRejected(redeem([0, 1]), revoke([2, 3]), refresh(FIRST_TOKEN, [4, 5]));
    expectAccepted(redeem([0, 1]), revoke([2, 5]), refresh(FIRST_TOKEN, [4, 6]));
  });

  it('a rotated refresh token that was accepted after the reuse window', () => {
    const rotation = [redeem([0, 1]), refresh(FIRST_TOKEN, [2, 3])];
    expectRejected(...rotation, refresh(FIRST_TOKEN, [31_003, 31_004]));
    expectAccepted(...rotation, refresh(FIRST_TOKEN, [31_002, 31_004])); // the window may end during the request
    expectAccepted(...rotation, refresh(FIRST_TOKEN, [31_002, 31_004], 'refused'));
  });

  it('a rotated refresh token that was accepted after its successor was used', () => {
    expectRejected(
      redeem([0, 1]),
      refresh(FIRST_TOKEN, [2, 3]),
      refresh(SECOND_TOKEN, [4, 5]),
      refresh(FIRST_TOKEN, [6, 7]),
    );
  });

  it('a repeated response with different tokens', () => {
    const otherPair = { access: 'other access', refresh: 'other refresh' };
    expectRejected(redeem([0, 1]), refresh(FIRST_TOKEN, [2, 9]), refresh(FIRST_TOKEN, [3, 8], otherPair));
  });

  it('a lost refresh', () => {
    const rotation = [redeem([0, 1]), refresh(FIRST_TOKEN, [2, 3])];
    expectRejected(...rotation, refresh(SECOND_TOKEN, [4, 5], 'refused'));
    expectRejected(...rotation, introspect(successorsOf(FIRST_TOKEN).access, [4, 5], 'inactive'));
    expectRejected(...rotation, introspect('access', [40_000, 40_001], 'active'));
  });

  it('a grant that became invalid without a reason', () => {
    expectRejected(redeem([0, 1]), introspect('access', [2, 3], 'inactive'));
    expectRejected(redeem([0, 1]), refresh(FIRST_TOKEN, [2, 3], 'refused'));
    expectAccepted(redeem([0, 1]), refresh(FIRST_TOKEN, [2, 3], 'refused'), revoke([1, 3]));
  });
});

describe('The history checker accepts', () => {
  it('an operation with an unknown outcome that took effect at any later time, or never', () => {
    const lostRefresh = refresh(FIRST_TOKEN, [2, 3], 'unknown');
    expectAccepted(redeem([0, 1]), lostRefresh, refresh(FIRST_TOKEN, [4, 5]), refresh(SECOND_TOKEN, [6, 7]));
    expectAccepted(redeem([0, 1]), lostRefresh, introspect('access', [40_000, 40_001], 'active'));
    expectAccepted(redeem([0, 1]), lostRefresh, introspect('access', [40_000, 40_001], 'inactive'));
    expectAccepted(redeem([0, 1], 'unknown'), redeem([2, 3], 'refused'));
    expectAccepted(redeem([0, 1], 'unknown'), redeem([2, 3]));
  });

  it('a refusal if another request revoked the grant before the response was sent', () => {
    expectAccepted(redeem([0, 9], 'refused'), redeem([1, 8], 'refused'), redeem([10, 11], 'refused'));
    expectRejected(redeem([0, 9], 'refused'), redeem([1, 8], 'refused'), redeem([10, 11]));
    const rotation = [redeem([0, 1]), refresh(FIRST_TOKEN, [2, 3])];
    expectAccepted(...rotation, refresh(SECOND_TOKEN, [4, 9], 'refused'), refresh(FIRST_TOKEN, [5, 8], 'refused'));
    expectRejected(...rotation, refresh(SECOND_TOKEN, [4, 5], 'refused'), refresh(FIRST_TOKEN, [6, 7], 'refused'));
    expectRejected(...rotation, refresh(SECOND_TOKEN, [4, 9], 'refused'), refresh(SECOND_TOKEN, [5, 8], 'refused'));
  });

  it('the same response to two concurrent uses of a refresh token', () => {
    expectAccepted(
      redeem([0, 1]),
      refresh(FIRST_TOKEN, [2, 9]),
      refresh(FIRST_TOKEN, [3, 8]),
      refresh(SECOND_TOKEN, [10, 11]),
    );
  });
});

interface Step {
  readonly kind: GrantOperation['kind'];
  /** The index of the presented token among the tokens received so far, newest first. */
  readonly age: number;
  /** Milliseconds since the previous step took effect. */
  readonly pause: number;
  /** Milliseconds from the request until the step takes effect. */
  readonly requestDelay: number;
  /** Milliseconds from then until the response. */
  readonly responseDelay: number;
  readonly fate: 'answered' | 'response lost' | 'request lost';
}

const overlappingStep = fc.record<Step>({
  kind: fc.constantFrom('redeem', 'refresh', 'refresh', 'refresh', 'introspect', 'introspect', 'revoke'),
  age: fc.constantFrom(0, 0, 0, 1, 2),
  pause: fc.nat(20_000),
  requestDelay: fc.nat(15_000),
  responseDelay: fc.nat(15_000),
  fate: fc.constantFrom('answered', 'answered', 'answered', 'response lost', 'request lost'),
});
/** Consecutive steps at whole seconds, with known outcomes, so that only the order of the list is possible. */
const separateStep = fc.record<Step>({
  kind: overlappingStep.map(({ kind }) => kind),
  age: fc.constantFrom(0, 0, 1, 2),
  pause: fc.integer({ min: 1, max: 20 }).map((seconds) => seconds * 1000),
  requestDelay: fc.constant(0),
  responseDelay: fc.constant(0),
  fate: fc.constant('answered'),
});
const stepSequences = (step: fc.Arbitrary<Step>) => fc.array(step, { minLength: 1, maxLength: 14 });

/** Returns the history that a correct server produces for the steps. */
function simulateHistory(steps: readonly Step[]): readonly GrantOperation[] {
  let grant = NEW_GRANT;
  let time = 0;
  const history: GrantOperation[] = [];
  const tokens = { refresh: [] as string[], introspect: [] as string[] };
  for (const { kind, age, pause, requestDelay, responseDelay, fate } of steps) {
    time += pause;
    const request = chooseRequest(kind, age, tokens);
    if (request === undefined) continue;
    const { next, outcome } = execute(grant, request, Math.floor(time / 1000));
    if (fate !== 'request lost') grant = next;
    const observedOutcome = fate === 'answered' ? outcome : 'unknown';
    history.push({
      ...request,
      start: time - requestDelay,
      end: time + responseDelay,
      outcome: observedOutcome,
    } as GrantOperation);
    if (typeof observedOutcome === 'string') continue;
    tokens.refresh.unshift(observedOutcome.refresh);
    tokens.introspect.unshift(observedOutcome.access);
  }
  return history;
}

function chooseRequest(
  kind: Step['kind'],
  age: number,
  tokens: Readonly<Record<'refresh' | 'introspect', readonly string[]>>,
): GrantRequest | undefined {
  if (kind === 'redeem' || kind === 'revoke') return { kind };
  const token = tokens[kind][age];
  return token === undefined ? undefined : { kind, token };
}

function withOppositeOutcome(operation: GrantOperation): GrantOperation {
  const { kind, outcome } = operation;
  if (kind === 'introspect') return { ...operation, outcome: outcome === 'active' ? 'inactive' : 'active' };
  if (kind === 'revoke') return operation;
  const tokens = kind === 'redeem' ? FIRST_PAIR : successorsOf(operation.token);
  return { ...operation, outcome: outcome === 'refused' ? tokens : 'refused' };
}

/** Reports whether any order of the operations explains their outcomes under the actual rules. */
function isExplained(
  remaining: readonly GrantOperation[],
  grant: SimulatedGrant = NEW_GRANT,
  withheldUntil = Infinity,
): boolean {
  const mustBeRevoked = withheldUntil < Infinity && grant.grant.status !== 'revoked';
  return (
    (!mustBeRevoked && remaining.every(({ outcome }) => outcome === 'unknown')) ||
    remaining.some((operation) => {
      const otherOperations = remaining.filter((candidate) => candidate !== operation);
      if (otherOperations.some(({ outcome, end }) => outcome !== 'unknown' && end < operation.start)) return false;
      if (mustBeRevoked && operation.start > withheldUntil) return false;
      if (operation.kind === 'refresh' && !grant.refreshTokens.includes(hashOf(operation.token))) return false;
      const { next, outcome } = execute(grant, operation, 0);
      if (operation.outcome === 'refused' && typeof outcome === 'object')
        return isExplained(otherOperations, next, Math.min(withheldUntil, operation.end));
      const isPossible =
        operation.outcome === 'unknown' || JSON.stringify(operation.outcome) === JSON.stringify(outcome);
      return isPossible && isExplained(otherOperations, next, withheldUntil);
    })
  );
}

/** Reports whether a response in the history contains the operation's token. True for an operation without a token. */
function presentsKnownToken(operation: GrantOperation, _: number, history: readonly GrantOperation[]): boolean {
  if (!('token' in operation)) return true;
  return history.some(({ outcome }) => typeof outcome === 'object' && Object.values(outcome).includes(operation.token));
}

describe('The history checker, compared with the grant rules,', () => {
  it('accepts every history that the rules permit, even with overlapping requests and lost responses', () => {
    const outcomes = new Set<string>();
    fc.assert(
      fc.property(stepSequences(overlappingStep), (steps) => {
        const history = simulateHistory(steps);
        for (const { kind, outcome } of history)
          outcomes.add(`${kind} ${typeof outcome === 'string' ? outcome : 'granted'}`);
        expect(findGrantViolation(history, RULES)).to.equal(undefined);
      }),
      RUNS,
    );
    expect([...outcomes]).to.include.members([
      ...['redeem', 'refresh'].flatMap((kind) =>
        ['granted', 'refused', 'unknown'].map((outcome) => `${kind} ${outcome}`),
      ),
      'introspect active',
      'introspect inactive',
      'revoke done',
      'revoke unknown',
    ]);
  });

  it('rejects every history in which one result is the opposite of the correct result', () => {
    fc.assert(
      fc.property(stepSequences(separateStep), fc.nat(), (steps, choice) => {
        const history = simulateHistory(steps);
        expect(findGrantViolation(history, EXACT_RULES)).to.equal(undefined);
        const candidates = history.filter(({ kind }) => kind !== 'revoke');
        fc.pre(candidates.length > 0);
        const operation = candidates[choice % candidates.length] as GrantOperation;
        const corruptedHistory = history.map((candidate) =>
          candidate === operation ? withOppositeOutcome(candidate) : candidate,
        );
        expect(findGrantViolation(corruptedHistory, EXACT_RULES)).not.to.equal(undefined);
      }),
      RUNS,
    );
  });

  it('agrees with a search through all orders', () => {
    const tokenPairs = [FIRST_TOKEN, SECOND_TOKEN].map((token) => ({
      kind: 'refresh' as const,
      token,
      pair: successorsOf(token),
    }));
    const accesses = ['access', ...tokenPairs.map(({ pair }) => pair.access)];
    const results = [
      ...[FIRST_PAIR, 'refused', 'unknown'].map((outcome) => ({ kind: 'redeem', outcome })),
      ...['done', 'unknown'].map((outcome) => ({ kind: 'revoke', outcome })),
      ...tokenPairs.flatMap(({ kind, token, pair }) =>
        [pair, 'refused', 'unknown'].map((outcome) => ({ kind, token, outcome })),
      ),
      ...accesses.flatMap((token) => ['active', 'inactive'].map((outcome) => ({ kind: 'introspect', token, outcome }))),
    ];
    const operation = fc
      .record({ result: fc.constantFrom(...results), start: fc.nat(12), length: fc.nat(8) })
      .map(({ result, start, length }) => ({ ...result, start, end: start + length }) as GrantOperation);
    const verdicts = { explained: 0, unexplained: 0 };
    fc.assert(
      fc.property(fc.array(operation, { minLength: 1, maxLength: 5 }), (otherOperations) => {
        const history = [redeem([0, 3]), ...otherOperations];
        fc.pre(history.every(presentsKnownToken));
        const hasExplanation = isExplained(history);
        verdicts[hasExplanation ? 'explained' : 'unexplained'] += 1;
        expect(findGrantViolation(history, EXACT_RULES) === undefined).to.equal(hasExplanation);
      }),
      { numRuns: 2000 },
    );
    expect(verdicts.explained).to.be.above(100);
    expect(verdicts.unexplained).to.be.above(100);
  });
});
