import type { UserId } from '../../domain/values.ts';
import { keyringKind, type Keyring } from './keyring.ts';

/** The keys of users. The log contains their personal data encrypted. */
export type PersonalKeys = Keyring<UserId>;

export const PERSONAL_KEYS = keyringKind<UserId>('users');
