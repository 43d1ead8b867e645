import type { UserId } from '../../domain/values.ts';
import { keyringKind, type Keyring } from './keyring.ts';

/** Each user's own key, under which the log has their personal data. */
export type PersonalKeys = Keyring<UserId>;

export const PERSONAL_KEYS = keyringKind<UserId>('users.keys');
