import type { ClientId } from '../../domain/values.ts';
import { keyringKind, type Keyring } from './keyring.ts';

/** The key of each client whose secret this server did not make; the log has the hash of that secret under it. */
export type ClientKeys = Keyring<ClientId>;

export const CLIENT_KEYS = keyringKind<ClientId>('clients.keys');
