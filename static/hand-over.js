// Hands values to the next page in this tab: the code verifier and state of an authorization request, and a client
// secret that the server showed once. The next page removes them from the storage of the tab.

/** Longer than it takes to log in and consent. */
const LIFETIME_MS = 600_000;

const keyOf = (clientId) => `grantlog-try-it:${clientId}`;

/**
 * Stores `values` for the next page of the same application, for at most ten minutes. Without storage, that page asks
 * for them.
 */
export function handOver(clientId, values) {
  try {
    sessionStorage.setItem(keyOf(clientId), JSON.stringify({ values, until: Date.now() + LIFETIME_MS }));
  } catch {
    // storage is disabled
  }
}

/** Returns and removes the values that the previous page stored. */
export function takeOver(clientId) {
  try {
    const stored = JSON.parse(sessionStorage.getItem(keyOf(clientId)) ?? '{}');
    sessionStorage.removeItem(keyOf(clientId));
    return stored.until > Date.now() ? stored.values : {};
  } catch {
    return {};
  }
}
