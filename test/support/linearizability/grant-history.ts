import { findViolation, type SequentialModel, type Timed } from './search.ts';

/** The tokens of one response. */
export interface TokenPair {
  readonly access: string;
  readonly refresh: string;
}

/**
 * An operation on one grant, with times in milliseconds and the outcome that its client saw. The outcome is unknown if
 * the client got no response, or one that does not show whether the operation took effect.
 */
export type GrantOperation = Timed &
  (
    | { readonly kind: 'redeem'; readonly outcome: TokenPair | 'refused' | 'unknown' }
    | { readonly kind: 'refresh'; readonly token: string; readonly outcome: TokenPair | 'refused' | 'unknown' }
    /** A revocation by any token of the grant. */
    | { readonly kind: 'revoke'; readonly outcome: 'done' | 'unknown' }
    /** An introspection of an access token. */
    | { readonly kind: 'introspect'; readonly token: string; readonly outcome: 'active' | 'inactive' | 'unknown' }
  );

/** An observation that the grant has ended. */
interface EndObserved extends Timed {
  readonly kind: 'observe end';
  readonly outcome: 'done';
}

type Step = GrantOperation | EndObserved;

export interface GrantRules {
  readonly reuseWindowMilliseconds: number;
  /** The maximum error in the server's measure of the time between two requests, because it counts in seconds. */
  readonly clockErrorMilliseconds: number;
  /** How long after its end a token may still be reported as active. */
  readonly stalenessMilliseconds: number;
}

/** The state of a grant. The code and the newest tokens do not expire during the history. */
interface GrantState {
  readonly isRevoked: boolean;
  /** The redemption and each rotation, in order. */
  readonly issuedBy: readonly Step[];
}

interface Effect {
  readonly outcome: Step['outcome'];
  readonly next: GrantState;
}

/**
 * Checks that a grant behaved as if its operations had been executed one at a time: its code is redeemed once,
 * each refresh token is rotated once and gets the same response again within the window, any other use of a used
 * credential ends the grant, and then nothing is accepted or active.
 * @param history all operations on the grant
 * @returns undefined if the history is consistent; otherwise, an explanation
 */
export function findGrantViolation(history: readonly GrantOperation[], rules: GrantRules): string | undefined {
  const steps = history.flatMap((operation): Step | readonly Step[] => {
    const { kind, outcome, start, end } = operation;
    if (outcome === 'unknown') return { ...operation, end: Infinity };
    if (isEndingRefusal(operation, history)) {
      const attempt = { ...operation, outcome: 'unknown', end: Infinity } as const;
      return [attempt, { kind: 'observe end', outcome: 'done', start, end }];
    }
    return kind === 'introspect' && outcome === 'active'
      ? { ...operation, start: start - rules.stalenessMilliseconds }
      : operation;
  });
  return findViolation(steps, grantModel(steps, rules));
}

/**
 * Reports whether the grant must have ended before the response, perhaps because of this request. If a different
 * request ended it after this one took effect, the response withholds the tokens.
 */
function isEndingRefusal(
  operation: GrantOperation,
  history: readonly GrantOperation[],
): operation is Extract<GrantOperation, { readonly kind: 'redeem' | 'refresh' }> {
  const { kind, outcome } = operation;
  if (outcome !== 'refused') return false;
  return kind === 'redeem' || isIssuedIn(history, operation.token);
}

function isIssuedIn(history: readonly Step[], refreshToken: string): boolean {
  return history.some(({ outcome }) => typeof outcome === 'object' && outcome.refresh === refreshToken);
}

function grantModel(
  history: readonly Step[],
  { reuseWindowMilliseconds, clockErrorMilliseconds }: GrantRules,
): SequentialModel<GrantState, Step> {
  /**
   * The tokens in each response, keyed by the presented credential, which determines them. A repeated response contains
   * the same ones.
   */
  const issuedPairs = new Map(history.flatMap((operation) => pairIn(operation)));

  const isGenuine = (refreshToken: string): boolean => isIssuedIn(history, refreshToken);

  function pairOf(operation: Step): TokenPair {
    const presentedToken = presentedCredential(operation);
    return (
      issuedPairs.get(presentedToken) ?? {
        access: `unknown, for ${presentedToken}`,
        refresh: `unknown, for ${presentedToken}`,
      }
    );
  }

  function redeem(state: GrantState, operation: Step): readonly Effect[] {
    if (state.isRevoked) return [{ outcome: 'refused', next: state }];
    return state.issuedBy.length === 0 ? [issue(state, operation)] : [refuseAndRevoke(state)];
  }

  function refresh(state: GrantState, token: string, operation: Step): readonly Effect[] {
    const { isRevoked, issuedBy } = state;
    const index = issuedBy.findIndex((step) => pairOf(step).refresh === token);
    if (isRevoked || !isGenuine(token)) return [{ outcome: 'refused', next: state }];
    if (index === -1) return []; // it has not been issued yet
    const rotation = issuedBy[index + 1];
    if (rotation === undefined) return [issue(state, operation)];
    const isPrevious = index === issuedBy.length - 2;
    return [
      ...(isPrevious && mayBeWithinReuseWindow(rotation, operation)
        ? [{ outcome: pairOf(operation), next: state }]
        : []),
      ...(!isPrevious || mayBeAfterReuseWindow(rotation, operation) ? [refuseAndRevoke(state)] : []),
    ];
  }

  function introspect(state: GrantState, token: string, operation: Step): readonly Effect[] {
    const { isRevoked, issuedBy } = state;
    const index = issuedBy.findIndex((step) => pairOf(step).access === token);
    const nextRotation = issuedBy[index + 1];
    const isIssued = index !== -1 && !isRevoked;
    return [
      ...(isIssued && (nextRotation === undefined || mayBeWithinReuseWindow(nextRotation, operation))
        ? ['active' as const]
        : []),
      ...(!isIssued || (nextRotation !== undefined && mayBeAfterReuseWindow(nextRotation, operation))
        ? ['inactive' as const]
        : []),
    ].map((outcome) => ({ outcome, next: state }));
  }

  function issue(state: GrantState, operation: Step): Effect {
    return { outcome: pairOf(operation), next: { ...state, issuedBy: [...state.issuedBy, operation] } };
  }

  function mayBeWithinReuseWindow(rotation: Timed, { start }: Timed): boolean {
    return start - rotation.end < reuseWindowMilliseconds + clockErrorMilliseconds;
  }

  function mayBeAfterReuseWindow(rotation: Timed, { end }: Timed): boolean {
    return end - rotation.start >= reuseWindowMilliseconds - clockErrorMilliseconds;
  }

  function effects(state: GrantState, operation: Step): readonly Effect[] {
    switch (operation.kind) {
      case 'redeem':
        return redeem(state, operation);
      case 'refresh':
        return refresh(state, operation.token, operation);
      case 'revoke':
        return [{ outcome: 'done', next: { ...state, isRevoked: true } }];
      case 'introspect':
        return introspect(state, operation.token, operation);
      case 'observe end':
        return state.isRevoked ? [{ outcome: 'done', next: state }] : [];
    }
  }

  return {
    initial: { isRevoked: false, issuedBy: [] },
    step: (state, operation) =>
      effects(state, operation)
        .filter(({ outcome }) => operation.outcome === 'unknown' || isSameOutcome(operation.outcome, outcome))
        .map(({ next }) => next),
    keyOf: ({ isRevoked, issuedBy }) =>
      `${isRevoked} ${issuedBy.map((step) => `${presentedCredential(step)} ${step.start} ${step.end}`).join()}`,
  };
}

function refuseAndRevoke(state: GrantState): Effect {
  return { outcome: 'refused', next: { ...state, isRevoked: true } };
}

function presentedCredential(operation: Step): string {
  return operation.kind === 'refresh' ? `refresh token ${operation.token}` : 'the code';
}

function pairIn(operation: Step): readonly (readonly [string, TokenPair])[] {
  return typeof operation.outcome === 'string' ? [] : [[presentedCredential(operation), operation.outcome]];
}

function isSameOutcome(first: Step['outcome'], second: Step['outcome']): boolean {
  return typeof first === 'string' || typeof second === 'string'
    ? first === second
    : first.access === second.access && first.refresh === second.refresh;
}
