/**
 * Calls `act` and returns its result, or returns the result of an earlier call with the same `step`. Ignores earlier
 * calls that threw or rejected.
 */
export type Once = <Result>(step: readonly string[], act: () => Result) => Result;

/**
 * Runs each effect of a request only once, even if the request is processed several times: consuming a rate limit or a
 * one-time value, or computing a slow hash. A step identifies the kind of effect and everything that it depends on.
 * Steps may contain secrets, so the returned function must not outlive the request.
 */
export function createOnce(): Once {
  let results: Map<string, unknown> | undefined; // most requests have no such effect

  return <Result>(step: readonly string[], act: () => Result): Result => {
    results ??= new Map();
    const key = JSON.stringify(step);
    if (results.has(key)) return results.get(key) as Result;
    const result = act();
    results.set(key, result);
    if (result instanceof Promise) result.catch(() => results?.delete(key));
    return result;
  };
}
