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

describe('The checker of histories rejects', () => {
  it('a code that was redeemed twice', () => {
    const other = { access: 'other access', refresh: 'other refresh' };
    rejects(redeem([0, 9]), redeem([1, 8], other));
    rejects(redeem([0, 9]), redeem([1, 8]));
    rejects(redeem([0, 1]), redeem([2, 3], other));
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

  it('a token that was active for longer after an acknowledged revocation than it may be', () => {
    rejects(redeem([0, 1]), revoke([2, 3]), introspect('access', [54, 55], 'active'));
    accepts(redeem([0, 1]), revoke([2, 3]), introspect('access', [53, 55], 'active'));
  });

  it('a token that became active again', () => {
    const unknown = revoke([2, 3], 'unknown');
    const [inactive, active] = (['inactive', 'active'] as const).map((outcome, index) =>
      introspect('access', [100 + 100 * index, 110 + 100 * index], outcome),
    ) as [GrantOperation, GrantOperation];
    accepts(redeem([0, 1]), unknown, inactive);
    rejects(redeem([0, 1]), unknown, inactive, active);
  });

  it('a refresh that was accepted after an acknowledged revocation', () => {
    rejects(redeem([0, 1]), revoke([2, 3]), refresh(FIRST, [4, 5]));
    accepts(redeem([0, 1]), revoke([2, 5]), refresh(FIRST, [4, 6]));
  });

  it('a spent refresh token that was accepted after the window', () => {
    const rotation = [redeem([0, 1]), refresh(FIRST, [2, 3])];
    rejects(...rotation, refresh(FIRST, [31_003, 31_004]));
    accepts(...rotation, refresh(FIRST, [31_002, 31_004])); // the window may end then
    accepts(...rotation, refresh(FIRST, [31_002, 31_004], 'refused'));
  });

  it('a spent refresh token that was accepted after its successor was used', () => {
    rejects(redeem([0, 1]), refresh(FIRST, [2, 3]), refresh(SECOND, [4, 5]), refresh(FIRST, [6, 7]));
  });

  it('a repeated response with other tokens', () => {
    const other = { access: 'other access', refresh: 'other refresh' };
    rejects(redeem([0, 1]), refresh(FIRST, [2, 9]), refresh(FIRST, [3, 8], other));
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

describe('The checker of histories accepts', () => {
  it('an operation with an unknown outcome that took effect at any later time, or never', () => {
    const lost = refresh(FIRST, [2, 3], 'unknown');
    accepts(redeem([0, 1]), lost, refresh(FIRST, [4, 5]), refresh(SECOND, [6, 7]));
    accepts(redeem([0, 1]), lost, introspect('access', [40_000, 40_001], 'active'));
    accepts(redeem([0, 1]), lost, introspect('access', [40_000, 40_001], 'inactive'));
    accepts(redeem([0, 1], 'unknown'), redeem([2, 3], 'refused'));
    accepts(redeem([0, 1], 'unknown'), redeem([2, 3]));
  });

  it('that tokens are withheld because another request ended the grant before the response', () => {
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
  /** The index of the presented token among the known ones, from the newest. */
  readonly age: number;
  /** Milliseconds since the step before took effect. */
  readonly pause: number;
  readonly before: number;
  readonly after: number;
  readonly fate: 'seen' | 'response lost' | 'request lost';
}

const overlapping = fc.record<Step>({
  kind: fc.constantFrom('redeem', 'refresh', 'refresh', 'refresh', 'introspect', 'introspect', 'revoke'),
  age: fc.constantFrom(0, 0, 0, 1, 2),
  pause: fc.nat(20_000),
  before: fc.nat(15_000),
  after: fc.nat(15_000),
  fate: fc.constantFrom('seen', 'seen', 'seen', 'response lost', 'request lost'),
});
/** One after the other, at whole seconds, with known outcomes: only one order and one course of events is possible. */
const separate = fc.record<Step>({
  kind: overlapping.map(({ kind }) => kind),
  age: fc.constantFrom(0, 0, 1, 2),
  pause: fc.integer({ min: 1, max: 20 }).map((seconds) => seconds * 1000),
  before: fc.constant(0),
  after: fc.constant(0),
  fate: fc.constant('seen'),
});
const scripts = (step: fc.Arbitrary<Step>) => fc.array(step, { minLength: 1, maxLength: 14 });

/** The answer of a correct server. */
function play(steps: readonly Step[]): readonly GrantOperation[] {
  let grant = NEW_GRANT;
  let at = 0;
  const history: GrantOperation[] = [];
  const tokens = { refresh: [] as string[], introspect: [] as string[] };
  for (const { kind, age, pause, before, after, fate } of steps) {
    at += pause;
    const request = requestFor(kind, age, tokens);
    if (request === undefined) continue;
    const { next, outcome } = execute(grant, request, Math.floor(at / 1000));
    if (fate !== 'request lost') grant = next;
    const seen = fate === 'seen' ? outcome : 'unknown';
    history.push({ ...request, start: at - before, end: at + after, outcome: seen } as GrantOperation);
    if (typeof seen === 'string') continue;
    tokens.refresh.unshift(seen.refresh);
    tokens.introspect.unshift(seen.access);
  }
  return history;
}

function requestFor(
  kind: Step['kind'],
  age: number,
  tokens: Readonly<Record<'refresh' | 'introspect', readonly string[]>>,
): GrantRequest | undefined {
  if (kind === 'redeem' || kind === 'revoke') return { kind };
  const token = tokens[kind][age];
  return token === undefined ? undefined : { kind, token };
}

function flipped(operation: GrantOperation): GrantOperation {
  const { kind, outcome } = operation;
  if (kind === 'introspect') return { ...operation, outcome: outcome === 'active' ? 'inactive' : 'active' };
  if (kind === 'revoke') return operation;
  const granted = kind === 'redeem' ? FIRST_PAIR : successorsOf(operation.token);
  return { ...operation, outcome: outcome === 'refused' ? granted : 'refused' };
}

/** Tries all orders, and executes the operations under the real rules. */
function isExplained(
  left: readonly GrantOperation[],
  grant: SimulatedGrant = NEW_GRANT,
  withheldUntil = Infinity,
): boolean {
  const mustEnd = withheldUntil < Infinity && grant.grant.status !== 'revoked';
  return (
    (!mustEnd && left.every(({ outcome }) => outcome === 'unknown')) ||
    left.some((operation) => {
      const others = left.filter((other) => other !== operation);
      if (others.some(({ outcome, end }) => outcome !== 'unknown' && end < operation.start)) return false;
      if (mustEnd && operation.start > withheldUntil) return false;
      if (operation.kind === 'refresh' && !grant.refreshTokens.includes(hashOf(operation.token))) return false;
      const { next, outcome } = execute(grant, operation, 0);
      if (operation.outcome === 'refused' && typeof outcome === 'object')
        return isExplained(others, next, Math.min(withheldUntil, operation.end));
      const isPossible =
        operation.outcome === 'unknown' || JSON.stringify(operation.outcome) === JSON.stringify(outcome);
      return isPossible && isExplained(others, next, withheldUntil);
    })
  );
}

/** Whether a response in the history has the token that the operation presents. */
function presentsKnownToken(operation: GrantOperation, _: number, history: readonly GrantOperation[]): boolean {
  if (!('token' in operation)) return true;
  return history.some(({ outcome }) => typeof outcome === 'object' && Object.values(outcome).includes(operation.token));
}

describe('The checker of histories, compared with the rules of grants,', () => {
  it('accepts what they can lead to, however requests overlap and responses get lost', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(scripts(overlapping), (steps) => {
        const history = play(steps);
        for (const { kind, outcome } of history)
          seen.add(`${kind} ${typeof outcome === 'string' ? outcome : 'granted'}`);
        expect(findGrantViolation(history, RULES)).to.equal(undefined);
      }),
      RUNS,
    );
    expect([...seen]).to.include.members([
      ...['redeem', 'refresh'].flatMap((kind) => ['granted', 'refused', 'unknown'].map((is) => `${kind} ${is}`)),
      'introspect active',
      'introspect inactive',
      'revoke done',
      'revoke unknown',
    ]);
  });

  it('rejects every history in which one result is the opposite of what follows from them', () => {
    fc.assert(
      fc.property(scripts(separate), fc.nat(), (steps, choice) => {
        const history = play(steps);
        expect(findGrantViolation(history, EXACT)).to.equal(undefined);
        const candidates = history.filter(({ kind }) => kind !== 'revoke');
        fc.pre(candidates.length > 0);
        const wrong = candidates[choice % candidates.length] as GrantOperation;
        const corrupted = history.map((operation) => (operation === wrong ? flipped(operation) : operation));
        expect(findGrantViolation(corrupted, EXACT)).not.to.equal(undefined);
      }),
      RUNS,
    );
  });

  it('decides as a search of all orders does', () => {
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
      fc.property(fc.array(operation, { minLength: 1, maxLength: 5 }), (others) => {
        const history = [redeem([0, 3]), ...others];
        fc.pre(history.every(presentsKnownToken));
        const explained = isExplained(history);
        verdicts[explained ? 'explained' : 'unexplained'] += 1;
        expect(findGrantViolation(history, EXACT) === undefined).to.equal(explained);
      }),
      { numRuns: 2000 },
    );
    expect(verdicts.explained).to.be.above(100);
    expect(verdicts.unexplained).to.be.above(100);
  });
});
