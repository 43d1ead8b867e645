import { openSession, parseRedirect } from '../../test/support/authorize-requests.ts';
import { REDIRECT_URI, type RunningService, type TestUser } from '../../test/support/running-service.ts';
import { pushForUri, pushedPath } from '../../test/support/signed-requests.ts';
import { expectTokens } from './expect-tokens.ts';

/** Redeems a code for a request that the client pushed (RFC 9126). */
export async function recordPushedRequest(running: RunningService, user: TestUser): Promise<void> {
  const client = await running.addClient({ name: 'Pushed' });
  const browser = await openSession(running, user);
  const page = await browser.get(pushedPath(client, await pushForUri(running, client)));
  const { code = '' } = parseRedirect(await browser.submit(page, { allow: 'Authorize' })).parameters;
  await expectTokens(running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI }));
}
