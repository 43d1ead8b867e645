/** How long the cached metadata is used. */
const MAX_AGE_MILLISECONDS = 300_000;
const TIMEOUT_MILLISECONDS = 3_000;
const MAX_CHARACTERS = 65_536;

/**
 * Creates a function that reads an authorization server's metadata, for clients that request it from the API, as
 * revision 2025-03-26 of the MCP authorization specification requires. Such clients do not send `resource`, so the URL
 * of the authorization endpoint contains it; clients keep such a query (RFC 6749 §3.1). The function resolves with
 * undefined if the metadata cannot be read.
 * @param ticks returns the time of a monotonic clock, in milliseconds
 */
export function createLegacyMetadataReader(
  { issuer, resource }: { readonly issuer: string; readonly resource: string },
  ticks: () => number,
): () => Promise<object | undefined> {
  const { origin, pathname } = new URL(issuer);
  const url = `${origin}/.well-known/oauth-authorization-server${pathname.replace(/\/$/, '')}`;
  let cacheEntry: { readonly readAt: number; readonly metadata: Promise<object | undefined> } | undefined;
  return () => {
    const now = ticks();
    if (cacheEntry === undefined || now >= cacheEntry.readAt + MAX_AGE_MILLISECONDS) {
      const metadata = readMetadata(url, resource).catch(() => {
        cacheEntry = undefined; // the next call retries
        return undefined;
      });
      cacheEntry = { readAt: now, metadata };
    }
    return cacheEntry.metadata;
  };
}

async function readMetadata(url: string, resource: string): Promise<object> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
  const text = await response.text();
  if (!response.ok) throw new Error(`the metadata response has status ${response.status}`);
  if (text.length > MAX_CHARACTERS) throw new Error('the metadata response is too long');
  const metadata = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const authorizationUrl = new URL(String(metadata['authorization_endpoint']));
  authorizationUrl.searchParams.set('resource', resource);
  return { ...metadata, authorization_endpoint: authorizationUrl.href };
}
