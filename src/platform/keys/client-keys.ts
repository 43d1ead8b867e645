import type { ClientId } from '../../domain/values.ts';
import { keyringKind, type Keyring } from './keyring.ts';

/** The keys that encrypt the hashes of imported client secrets, and clients' authorization details, in the log. */
export type ClientKeys = Keyring<ClientId>;

export const CLIENT_KEYS = keyringKind<ClientId>('clients');
