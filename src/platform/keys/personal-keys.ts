import type { UserId } from '../../domain/values.ts';
import { keyringKind } from './keyring-kind.ts';
import type { Keyring } from './keyring.ts';

/** The keys of users. The log contains their personal data encrypted. */
export type PersonalKeys = Keyring<UserId>;

export const PERSONAL_KEYS = keyringKind<UserId>('users.keys');
