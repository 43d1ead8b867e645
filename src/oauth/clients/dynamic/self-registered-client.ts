import type { ClientCommand, ClientRegistration, ClientSettings } from '../../../domain/client.ts';
import type { SelfRegistered } from '../../../domain/events.ts';
import type { ClientId, CredentialHash } from '../../../domain/values.ts';
import type { Position, Revision } from '../../../event-store/event-log.ts';
import type { Client } from '../../../projections/clients.ts';

/** A client that registered itself, and that the log does not contain yet. */
export interface UnrecordedClient extends Client {
  /** Records the client, with the first consent. */
  readonly unrecorded: ClientCommand & { readonly type: 'RegisterClient' };
}

/** @param secretHash of the secret that the client would have */
export function unrecordedClient(
  clientId: ClientId,
  settings: ClientSettings,
  selfRegistered: SelfRegistered,
  secretHash: CredentialHash,
): UnrecordedClient {
  const hasSecret = settings.authentication.methods.some((method) => method.startsWith('client_secret_'));
  const secret = hasSecret ? ({ algorithm: 'sha256', hash: secretHash } as const) : null;
  const registration: ClientRegistration = { clientId, ownerId: null, secret, ...settings, selfRegistered };
  return {
    ...settings,
    clientId,
    selfRegistered,
    revision: NO_REVISION,
    members: [],
    logo: null,
    secret,
    previousSecret: null,
    lastUse: { anySecret: null, previousSecret: null, keys: {} },
    registeredAt: selfRegistered.registeredAt,
    registeredPosition: 0 as Position,
    unrecorded: { type: 'RegisterClient', registration },
  };
}

/** The client has no stream. Nothing is decided on this revision, because the client is recorded first. */
const NO_REVISION = -1 as Revision;
