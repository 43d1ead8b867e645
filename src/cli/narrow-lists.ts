import type { ListOperation } from './empty-lists.ts';
import type { Narrowing } from './print.ts';

/** The ways to make lists fit a narrow terminal. `--json` always prints every member and the full times. */
export const NARROW_LISTS: Readonly<Partial<Record<ListOperation, Narrowing>>> = {
  'user list': { dates: ['last_login_at'], omit: ['name', 'id'] },
  'user sessions': { dates: ['started_at', 'last_used_at'], omit: ['ending', 'login', 'started_at'] },
  'session list': { dates: ['started_at', 'last_used_at'] },
  'grant list': { dates: ['granted_at', 'expires_at'], omit: ['expires_at', 'granted_at'] },
  'invitation list': { dates: ['sent_at', 'expires_at'], omit: ['sent_at', 'invited_by'] },
  'client list': { dates: ['last_used_at'], omit: ['client_type', 'owner'] },
  'key list': {
    dates: ['from', 'until'],
    omit: ['private_half', 'until', 'from'],
    important: ['missing', 'damaged'],
  },
  'provider list': { omit: ['linking', 'creates_users', 'linked_accounts'] },
  'trusted-issuer list': { omit: ['resources', 'mapping'] },
  'setting list': { omit: ['default', 'can_change'] },
};
