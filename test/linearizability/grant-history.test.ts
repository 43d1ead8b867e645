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
const EXACT: GrantRules = { ...RULES, clockErrorMilliseconds: 0, stalenessMilliseconds: 0 };
const RUNS = { numRuns: 300 };

const FIRST = FIRST_PAIR.refresh;
const SECOND = successorsOf(FIRST).refresh;

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

function accepts(...history: readonly GrantOperation[]): void {
  expect(findGrantViolation(history, RULES)).to.equal(undefined);
}

function rejects(...history: readonly GrantOperation[]): void {
  expect(findGrantViolation(history, RULES)).to.match(/^no order explains the results/);
}

describe('The history checker rejects', () => {
  it('a code that was redeemed twice', () => {
    const otherPair = { access: 'other access', refresh: 'other refresh' };
    rejects(redeem([0, 9]), redeem([1, 8], otherPair));
    rejects(redeem([0, 9]), redeem([1, 8]));
    rejects(redeem([0, 1]), redeem([2, 3], otherPair));
  });

  it('a code that was refused at its first use', () => {
    rejects(redeem([0, 1], 'refused'), redeem([2, 3]));
    rejects(redeem([0, 1], 'refused'));
    rejects(redeem([0, 1], 'refused'), redeem([2, 3], 'refused'));
  });

  it('tokens that stayed valid after the code was presented again', () => {
    rejects(redeem([0, 1]), redeem([2, 3], 'refused'), introspect('access', [100, 101], 'active'));
    rejects(redeem([0, 1]), redeem([2, 3], 'refused'), refresh(FIRST, [100, 101]));
  });

  it('a token that was active for too long after an acknowledged revocation', () => {
    rejects(redeem([0, 1]), revoke([2, 3]), introspect('access', [54, 55], 'active'));
    accepts(redeem([0, 1]), revoke([2, 3]), introspect('access', [53, 55], 'active'));
  });

  it('a token that became active again', () => {
    const lostRevocation = revoke([2, 3], 'unknown');
    const [inactiveResponse, activeResponse] = (['inactive', 'active'] as const).map((outcome, index) =>
      introspect('access', [100 + 100 * index, 110 + 100 * index], outcome),
    ) as [GrantOperation, GrantOperation];
    accepts(redeem([0, 1]), lostRevocation, inactiveResponse);
    rejects(redeem([0, 1]), lostRevocation, inactiveResponse, activeResponse);
  });

  it('a refresh that was accepted after an acknowledged revocation', () => {
    rejects(redeem([0, 1]), revoke([2, 3]), refresh(FIRST, [4, 5]));
    accepts(redeem([0, 1]), revoke([2, 5]), refresh(FIRST, [4, 6]));
  });

  it('a rotated refresh token that was accepted after the reuse window', () => {
    const rotation = [redeem([0, 1]), refresh(FIRST, [2, 3])];
    rejects(...rotation, refresh(FIRST, [31_003, 31_004]));
    accepts(...rotation, refresh(FIRST, [31_002, 31_004])); // the window may end during the request
    accepts(...rotation, refresh(FIRST, [31_002, 31_004], 'refused'));
  });

  it('a rotated refresh token that was accepted after its successor was used', () => {
    rejects(redeem([0, 1]), refresh(FIRST, [2, 3]), refresh(SECOND, [4, 5]), refresh(FIRST, [6, 7]));
  });

  it('a repeated response with different tokens', () => {
    const otherPair = { access: 'other access', refresh: 'other refresh' };
    rejects(redeem([0, 1]), refresh(FIRST, [2, 9]), refresh(FIRST, [3, 8], otherPair));
  });

  it('a lost refresh', () => {
    const rotation = [redeem([0, 1]), refresh(FIRST, [2, 3])];
    rejects(...rotation, refresh(SECOND, [4, 5], 'refused'));
    rejects(...rotation, introspect(successorsOf(FIRST).access, [4, 5], 'inactive'));
    rejects(...rotation, introspect('access', [40_000, 40_001], 'active'));
  });

  it('a grant that ended without a reason', () => {
    rejects(redeem([0, 1]), introspect('access', [2, 3], 'inactive'));
    rejects(redeem([0, 1]), refresh(FIRST, [2, 3], 'refused'));
    accepts(redeem([0, 1]), refresh(FIRST, [2, 3], 'refused'), revoke([1, 3]));
  });
});

describe('The history checker accepts', () => {
  it('an operation with an unknown outcome that took effect at any later time, or never', () => {
    const lostRefresh = refresh(FIRST, [2, 3], 'unknown');
    accepts(redeem([0, 1]), lostRefresh, refresh(FIRST, [4, 5]), refresh(SECOND, [6, 7]));
    accepts(redeem([0, 1]), lostRefresh, introspect('access', [40_000, 40_001], 'active'));
    accepts(redeem([0, 1]), lostRefresh, introspect('access', [40_000, 40_001], 'inactive'));
    accepts(redeem([0, 1], 'unknown'), redeem([2, 3], 'refused'));
    accepts(redeem([0, 1], 'unknown'), redeem([2, 3]));
  });

  it('a refusal if another request ended the grant before the response was sent', () => {
    accepts(redeem([0, 9], 'refused'), redeem([1, 8], 'refused'), redeem([10, 11], 'refused'));
    rejects(redeem([0, 9], 'refused'), redeem([1, 8], 'refused'), redeem([10, 11]));
    const rotation = [redeem([0, 1]), refresh(FIRST, [2, 3])];
    accepts(...rotation, refresh(SECOND, [4, 9], 'refused'), refresh(FIRST, [5, 8], 'refused'));
    rejects(...rotation, refresh(SECOND, [4, 5], 'refused'), refresh(FIRST, [6, 7], 'refused'));
    rejects(...rotation, refresh(SECOND, [4, 9], 'refused'), refresh(SECOND, [5, 8], 'refused'));
  });

  it('the same response to two concurrent uses of a refresh token', () => {
    accepts(redeem([0, 1]), refresh(FIRST, [2, 9]), refresh(FIRST, [3, 8]), refresh(SECOND, [10, 11]));
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

/** Returns the history that a correct server produces. */
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

/** Tries every order of the operations with the real rules. Reports whether one of them explains the outcomes. */
function isExplained(
  remaining: readonly GrantOperation[],
  grant: SimulatedGrant = NEW_GRANT,
  withheldUntil = Infinity,
): boolean {
  const mustEnd = withheldUntil < Infinity && grant.grant.status !== 'revoked';
  return (
    (!mustEnd && remaining.every(({ outcome }) => outcome === 'unknown')) ||
    remaining.some((operation) => {
      const otherOperations = remaining.filter((candidate) => candidate !== operation);
      if (otherOperations.some(({ outcome, end }) => outcome !== 'unknown' && end < operation.start)) return false;
      if (mustEnd && operation.start > withheldUntil) return false;
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
        expect(findGrantViolation(history, EXACT)).to.equal(undefined);
        const candidates = history.filter(({ kind }) => kind !== 'revoke');
        fc.pre(candidates.length > 0);
        const operation = candidates[choice % candidates.length] as GrantOperation;
        const corrupted = history.map((candidate) =>
          candidate === operation ? withOppositeOutcome(candidate) : candidate,
        );
        expect(findGrantViolation(corrupted, EXACT)).not.to.equal(undefined);
      }),
      RUNS,
    );
  });

  it('agrees with a search through all orders', () => {
    const tokenPairs = [FIRST, SECOND].map((token) => ({ kind: 'refresh' as const, token, pair: successorsOf(token) }));
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
        expect(findGrantViolation(history, EXACT) === undefined).to.equal(hasExplanation);
      }),
      { numRuns: 2000 },
    );
    expect(verdicts.explained).to.be.above(100);
    expect(verdicts.unexplained).to.be.above(100);
  });
});
