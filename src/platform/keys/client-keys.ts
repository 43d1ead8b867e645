import type { ClientId } from '../../domain/values.ts';
import { keyringKind, type Keyring } from './keyring.ts';

/** The keys of clients with user-chosen secrets. The log contains the hashes of those secrets encrypted. */
export type ClientKeys = Keyring<ClientId>;

export const CLIENT_KEYS = keyringKind<ClientId>('clients');
