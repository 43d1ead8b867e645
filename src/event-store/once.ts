/**
 * Runs `act` unless an earlier call for the same `step` has, and returns its first result. A call that threw, or whose
 * promise was rejected, does not count.
 */
export type Once = <Result>(step: readonly string[], act: () => Result) => Result;

/**
 * What a request does once, however often it is decided: spending a limit or a one-time value, computing a slow hash.
 * A step names the kind of act and all that the act depends on. It may name a secret, so nothing keeps this for longer
 * than the request.
 */
export function createOnce(): Once {
  const results = new Map<string, unknown>();

  return <Result>(step: readonly string[], act: () => Result): Result => {
    const key = JSON.stringify(step);
    if (results.has(key)) return results.get(key) as Result;
    const result = act();
    results.set(key, result);
    if (result instanceof Promise) result.catch(() => results.delete(key));
    return result;
  };
}
