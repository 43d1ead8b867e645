import type { UserId } from '../../domain/values.ts';
import { keyringKind, type Keyring } from './keyring.ts';

/** The keys that encrypt the personal data of users and of invitations in the log. */
export type PersonalKeys = Keyring<UserId>;

export const PERSONAL_KEYS = keyringKind<UserId>('users');
