import { openSession } from '../../test/support/authorize-requests.ts';
import { obtainCode, redeem, registerSuccessfully } from '../../test/support/registrations.ts';
import type { RunningService, TestUser } from '../../test/support/running-service.ts';
import { expectTokens } from './expect-tokens.ts';

const EDITOR = {
  client_name: 'Self-registered editor',
  redirect_uris: ['http://localhost/callback'],
  token_endpoint_auth_method: 'none',
  application_type: 'native',
  software_id: 'editor',
  software_version: '1.0',
};

/** A user consents to two self-registered clients (RFC 7591). The second one removes itself. */
export async function recordSelfRegisteredClients(running: RunningService, user: TestUser): Promise<void> {
  const browser = await openSession(running, user);
  const editor = await registerSuccessfully(running, EDITOR);
  await expectTokens(redeem(running, editor, await obtainCode(browser, editor.client_id)));
  const removedClient = await registerSuccessfully(running, { ...EDITOR, client_name: 'Removed editor' });
  await obtainCode(browser, removedClient.client_id);
  const { status, text } = await running.send(new URL(removedClient.registration_client_uri).pathname, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${removedClient.registration_access_token}` },
  });
  if (status !== 204) throw new Error(`the server responded with ${status}: ${text}`);
}
