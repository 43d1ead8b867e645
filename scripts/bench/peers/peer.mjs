// The shared setup of the peers in Node, and their communication with the benchmark. They store tokens in memory, so
// that they are not slowed down by a database.
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

export const CLIENT_ID = process.env.BENCH_CLIENT_ID;
export const CLIENT_SECRET = process.env.BENCH_CLIENT_SECRET;
export const REDIRECT_URI = process.env.BENCH_REDIRECT_URI;
export const TOKEN_SECONDS = 36_000;
export const CODE_SECONDS = 3_600;
export const USER_ID = 'bench';
export const SCOPE = 'read write';

const sha256 = (text) => createHash('sha256').update(text).digest();
const SECRET_HASH = sha256(CLIENT_SECRET);

/** Compares hashes in constant time, like Grantlog. */
export const isClientSecret = (secret) => secret !== undefined && timingSafeEqual(sha256(secret), SECRET_HASH);

export const secondsFromNow = (seconds) => new Date(Date.now() + seconds * 1000);

/**
 * Serves `listener`, and replies to queries from the benchmark: to `{ codes: n }` with n unredeemed codes, which also
 * get an ID token if the query has an `algorithm`; to `{ tokens: true }` with the number of stored access tokens.
 */
export function serve(listener, { issueCode, tokens }) {
  const server = createServer(listener).listen(0, '127.0.0.1', () =>
    process.stdout.write(`serving on http://127.0.0.1:${server.address().port}\n`),
  );
  process.on('message', (query) => void replyTo(query).then((reply) => process.send(reply)));

  process.on('disconnect', () => process.exit(0));

  async function replyTo(query) {
    if (query.tokens) return tokens();
    const codes = [];
    while (codes.length < query.codes) codes.push(await issueCode(query.algorithm));
    return codes;
  }
}
