// Hands values to the next page in this tab: the code verifier and state of an authorization request, and a client
// secret that the server showed once. They leave the storage of the tab as soon as the next page has them.

/** Longer than a login and a consent take. */
const LIFETIME_MS = 600_000;

const keyOf = (clientId) => `grantlog-try-it:${clientId}`;

/** Stores `values` until a page of the same application takes them. Without storage, that page asks for them. */
export function handOver(clientId, values) {
  try {
    sessionStorage.setItem(keyOf(clientId), JSON.stringify({ values, until: Date.now() + LIFETIME_MS }));
  } catch {
    // storage is disabled
  }
}

/** The values that the page before this one stored, which are then removed. */
export function takeOver(clientId) {
  try {
    const stored = JSON.parse(sessionStorage.getItem(keyOf(clientId)) ?? '{}');
    sessionStorage.removeItem(keyOf(clientId));
    return stored.until > Date.now() ? stored.values : {};
  } catch {
    return {};
  }
}
