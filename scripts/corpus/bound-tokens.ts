import { hash } from 'node:crypto';
import { REFRESHES_PER_SUMMARY } from '../../src/domain/authorization-grant.ts';
import { keyPairFor } from '../../test/support/assertions.ts';
import { openSession, parseRedirect } from '../../test/support/authorize-requests.ts';
import {
  signProof,
  NONCE_PERIOD_SECONDS,
  updateSecuritySettings,
  thumbprintOf,
  tokenWithProof,
} from '../../test/support/dpop.ts';
import {
  REDIRECT_URI,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../../test/support/running-service.ts';
import { signRequestObject, secureRequests } from '../../test/support/signed-requests.ts';
import { expectTokens } from './expect-tokens.ts';

/**
 * Issues tokens that are bound to a key (RFC 9449). A public client refreshes with its key, and its refresh token
 * rotates. A confidential client signs its request, binds its code, and keeps its refresh token until the grant is
 * summarized.
 */
export async function recordBoundTokens(running: RunningService, user: TestUser): Promise<void> {
  running.clock.advance(NONCE_PERIOD_SECONDS);
  const publicClient = await running.addClient({
    name: 'Bound and public',
    clientType: 'public',
    grantTypes: ['authorization-code'],
  });
  const first = await redeemWithKey(running, publicClient, user);
  await requestWithKey(running, publicClient, {
    grant_type: 'refresh_token',
    refresh_token: first['refresh_token'] ?? '',
  });

  const confidentialClient = await running.addClient({ name: 'Bound and confidential' });
  await secureRequests(running, confidentialClient, [KEY]);
  await updateSecuritySettings(running, confidentialClient, { dpopBoundAccessTokens: true });
  const { refresh_token: token = '' } = await redeemWithKey(running, confidentialClient, user, true);
  for (let refreshes = 0; refreshes <= REFRESHES_PER_SUMMARY; refreshes += 1)
    await requestWithKey(running, confidentialClient, { grant_type: 'refresh_token', refresh_token: token });
}

const VERIFIER = 'a-verifier-of-the-corpus-with-enough-characters';
const KEY = keyPairFor('ES256', 'of the corpus');

async function requestWithKey(
  running: RunningService,
  client: TestClient,
  parameters: Readonly<Record<string, string>>,
) {
  running.clock.advance(60);
  return expectTokens(tokenWithProof(running, client, parameters, await signProof(running, KEY)));
}

/** Redeems a code that is bound to the key, and returns the tokens. */
async function redeemWithKey(running: RunningService, client: TestClient, user: TestUser, isSigned = false) {
  const claims = {
    dpop_jkt: await thumbprintOf(KEY),
    scope: 'read',
    code_challenge: hash('sha256', VERIFIER, 'base64url'),
    code_challenge_method: 'S256',
  };
  const query: Readonly<Record<string, string>> = isSigned
    ? { client_id: client.id, request: await signRequestObject(running, client, KEY, { claims }) }
    : { client_id: client.id, response_type: 'code', redirect_uri: REDIRECT_URI, ...claims };
  const browser = await openSession(running, user);
  const page = await browser.get(`/o/authorize/?${new URLSearchParams(query).toString()}`);
  const { code = '' } = parseRedirect(await browser.submit(page, { allow: 'Authorize' })).parameters;
  const parameters = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: VERIFIER };
  return expectTokens(tokenWithProof(running, client, parameters, await signProof(running, KEY)));
}
