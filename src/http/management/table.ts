import type { ManagementRow } from './row.ts';
import { ACCESS_ROWS } from './tables/access.ts';
import { BRAND_TEXT_ROWS } from './tables/brand-texts.ts';
import { CLIENT_ROWS } from './tables/clients.ts';
import { GROUP_ROWS } from './tables/groups.ts';
import { INVITATION_ROWS } from './tables/invitations.ts';
import { LOG_ROWS } from './tables/log.ts';
import { PROVIDER_ROWS } from './tables/providers.ts';
import { REMOVAL_ROWS } from './tables/removals.ts';
import { RESOURCE_ROWS } from './tables/resources.ts';
import { RULE_ROWS } from './tables/rules.ts';
import { SCOPE_ROWS, SETTING_ROWS } from './tables/settings.ts';
import { USER_ROWS } from './tables/users.ts';
import { withParentVersion } from './version.ts';

const ROWS: readonly ManagementRow[] = [
  ...USER_ROWS,
  ...INVITATION_ROWS,
  ...ACCESS_ROWS,
  ...GROUP_ROWS,
  ...CLIENT_ROWS,
  ...RESOURCE_ROWS,
  ...RULE_ROWS,
  ...PROVIDER_ROWS,
  ...REMOVAL_ROWS,
  ...SETTING_ROWS,
  ...SCOPE_ROWS,
  ...BRAND_TEXT_ROWS,
  ...LOG_ROWS,
];

/** Every operation of the management API. */
export const MANAGEMENT_TABLE: readonly ManagementRow[] = ROWS.map((row) => withParentVersion(row, ROWS));
