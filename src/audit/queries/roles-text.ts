import type { Role } from '../../domain/events.ts';
import { message, type Text } from '../../language/message.ts';

/** Returns the roles of a user, such as "administrator, auditor". */
export function rolesText(roles: readonly Role[]): Text {
  const titles = roles.map((role): Text => message(ROLE_TEXTS[role]));
  return titles.length === 0
    ? message('activity.no-roles')
    : titles.reduce((one, other) => message('activity.roles', { one, other }));
}

const ROLE_TEXTS = { administrator: 'value.administrator', auditor: 'value.auditor' } as const;
