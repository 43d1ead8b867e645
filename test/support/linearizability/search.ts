/** An operation in a history of concurrent operations. Both times come from the same clock. */
export interface Timed {
  /** It takes effect no earlier than this. */
  readonly start: number;
  /**
   * It takes effect no later than this. Infinity if its outcome is unknown, because it may take effect later or never.
   */
  readonly end: number;
}

/** The behavior of operations that are executed one at a time. */
export interface SequentialModel<State, Operation> {
  readonly initial: State;
  /**
   * Returns the states that may follow if `operation` takes effect in `state`; none if its result is impossible there.
   * The times of the operation are narrowed to those at which it can take effect in the order that is being tried. An
   * operation whose outcome is known and leaves `state` as it is must leave all later states as they are as well.
   */
  step(state: State, operation: Operation): readonly State[];
  /** Returns a key that is the same for two states only if they are equal. */
  keyOf(state: State): string;
}

/**
 * Searches for an order of the operations that explains all results and in which no operation comes after one that
 * started after it had ended (Herlihy and Wing, 1990). The algorithm is by Wing and Gong (1993). It visits each
 * combination of a state and a set of remaining operations only once (Lowe, 2017).
 * @returns undefined if there is such an order; otherwise, a description of the longest order that was found
 */
export function findViolation<State, Operation extends Timed>(
  history: readonly Operation[],
  { initial, step, keyOf }: SequentialModel<State, Operation>,
): string | undefined {
  const visited = new Set<string>();
  let longest: readonly Operation[] = [];

  function search(
    state: State,
    earliest: number,
    order: readonly Operation[],
    remaining: readonly Operation[],
  ): boolean {
    const firstEnd = Math.min(...remaining.map(({ end }) => end));
    if (firstEnd === Infinity) return true; // the remaining operations need not take effect
    const key = `${remaining.map((operation) => history.indexOf(operation)).join()} ${earliest} ${keyOf(state)}`;
    if (visited.has(key)) return false;
    visited.add(key);
    if (order.length > longest.length) longest = order;
    const candidates = remaining
      .filter(({ start }) => start <= firstEnd)
      .map((operation) => {
        const narrowedOperation = {
          ...operation,
          start: Math.max(earliest, operation.start),
          end: Math.min(firstEnd, operation.end),
        };
        return { operation, start: narrowedOperation.start, states: step(state, narrowedOperation) };
      });
    // An idle operation changes nothing, now or later, so there is no need to try it at other positions.
    const idleCandidate = candidates.find(
      ({ operation, states }) => operation.end < Infinity && states.includes(state),
    );
    if (idleCandidate !== undefined)
      return search(
        state,
        earliest,
        [...order, idleCandidate.operation],
        withoutOperation(remaining, idleCandidate.operation),
      );
    return candidates.some(({ operation, start, states }) =>
      states.some((next) => search(next, start, [...order, operation], withoutOperation(remaining, operation))),
    );
  }

  const byStart = history.toSorted((a, b) => a.start - b.start);
  if (search(initial, -Infinity, [], byStart)) return undefined;
  const formatOperations = (operations: readonly Operation[]): string =>
    operations.map((operation) => `  ${JSON.stringify(operation)}`).join('\n');
  const unplaced = byStart.filter((operation) => !longest.includes(operation));
  return (
    `no order explains the results. After\n${formatOperations(longest)}\n` +
    `no order explains\n${formatOperations(unplaced)}`
  );
}

function withoutOperation<Operation>(operations: readonly Operation[], excluded: Operation): readonly Operation[] {
  return operations.filter((operation) => operation !== excluded);
}
