import type { ClientCommand, ClientRegistration, ClientSettings } from '../../../domain/client.ts';
import { usesSecret } from '../../../domain/client-authentication.ts';
import type { SelfRegistered } from '../../../domain/events.ts';
import { NOT_IN_LOG, unusedClient } from '../../../domain/unused-client.ts';
import type { ClientId, CredentialHash } from '../../../domain/values.ts';
import type { Client } from '../../../projections/clients.ts';

/** A self-registered client that the log does not contain yet. */
export interface UnrecordedClient extends Client {
  /** Records the client: on the first consent, or immediately if it registered with an initial access token. */
  readonly recordingCommand: ClientCommand & { readonly type: 'RegisterClient' };
}

/**
 * Returns the client, with the command that records it.
 * @param secretHash the hash of the derived secret; ignored if the client does not authenticate with a secret
 */
export function unrecordedClient(
  clientId: ClientId,
  settings: ClientSettings,
  selfRegistered: SelfRegistered,
  secretHash: CredentialHash,
): UnrecordedClient {
  const secret = usesSecret(settings.authentication) ? ({ algorithm: 'sha256', hash: secretHash } as const) : null;
  const registration: ClientRegistration = { clientId, ownerId: null, secret, ...settings, selfRegistered };
  return {
    ...unusedClient(clientId),
    ...settings,
    revision: NOT_IN_LOG,
    selfRegistered,
    secret,
    registeredAt: selfRegistered.registeredAt,
    recordingCommand: { type: 'RegisterClient', registration },
  };
}
