import { allowedClients, isRestricted } from '../../../domain/scope.ts';
import { OPERATION_TEXTS } from '../../../config/input-limits.ts';
import { arrayOf, STRING } from '../../openapi/shared-responses.ts';
import type { ManagementRow } from '../row.ts';
import { contentTag } from '../version.ts';
import { ANY_OBJECT, BOOLEAN, COUNT, fields, namedObject, STRING_OR_NULL, TIME, TIME_OR_NULL } from '../schemas.ts';

/** Any JSON value: its schema depends on the setting. */
const VALUE = {};

const SETTING = namedObject('ManagedSetting', {
  ...fields(['name', 'origin', 'description'], STRING),
  ...fields(['value', 'default'], VALUE),
  ...fields(['unit', 'fixed_by'], STRING_OR_NULL),
  can_change: BOOLEAN,
  changed_at: TIME_OR_NULL,
  ignored: { ...ANY_OBJECT, type: ['object', 'null'] },
});
/** A change to a setting. A reset has the current default instead of a value. */
const CHANGE = namedObject(
  'ManagedSettingChange',
  { time: TIME, name: STRING, value: VALUE, default: VALUE, by: STRING, position: COUNT },
  ['value', 'default'],
);

const SCOPE = namedObject('ManagedScope', {
  ...fields(['scope', 'description', 'sensitivity', 'origin'], STRING),
  icon: STRING_OR_NULL,
  built_in: BOOLEAN,
  restricted: BOOLEAN,
  allowed_clients: arrayOf(STRING),
});
const APPLICATION_TOKENS = namedObject('ManagedScopeApplication', {
  application: STRING,
  client_id: STRING,
  tokens: COUNT,
});
const FINDING = namedObject('ManagedForecastFinding', {
  ...fields(['client', 'application', 'rule', 'outcome', 'difference'], STRING),
  count: COUNT,
});

const FORECAST = namedObject('ManagedForecast', {
  ...fields(['name', 'kind'], STRING),
  value: VALUE,
  because: STRING_OR_NULL,
  since: TIME,
  ...fields(['requests', 'refused', 'answered', 'refused_requests'], COUNT),
  findings: arrayOf(FINDING),
});

/** The size limit of a body: enough for the longest value with every character escaped. */
const SETTING_BYTES = 6 * OPERATION_TEXTS.setting + 1_024;

const BY_NAME = {
  path: '/settings/{name}',
  fromPath: { name: 'name' },
  version: ({ name }, { settingChanges }) => {
    const setting = settingChanges.find(String(name));
    if (setting === undefined) return undefined;
    const { value, fixedBy, changed } = setting;
    return { tag: contentTag([value, fixedBy, changed?.position ?? null]) };
  },
} as const satisfies Partial<ManagementRow>;

export const SETTING_ROWS: readonly ManagementRow[] = [
  {
    operation: 'setting list',
    method: 'GET',
    path: '/settings',
    id: 'listSettings',
    summary: 'List the settings, each with its value and the origin of the value',
    fromQuery: { changed: { member: 'changed', kind: 'boolean' } },
    response: { kind: 'list', item: SETTING, key: ['name'] },
  },
  {
    ...BY_NAME,
    operation: 'setting show',
    method: 'GET',
    id: 'showSetting',
    summary: 'Read a setting',
    response: { kind: 'one', schema: SETTING },
  },
  {
    ...BY_NAME,
    operation: 'setting set',
    method: 'PUT',
    id: 'setSetting',
    summary: 'Change a setting while the server runs',
    description: 'The value is text, as in an environment variable: lists and maps are JSON.',
    body: { limitBytes: SETTING_BYTES },
    response: {
      kind: 'one',
      schema: namedObject('ManagedChangedSetting', { name: STRING, value: VALUE, was: VALUE }),
    },
    example: { value: '600' },
  },
  {
    ...BY_NAME,
    operation: 'setting reset',
    method: 'DELETE',
    id: 'resetSetting',
    summary: 'Reset a setting to its value in the file or the environment, or to its default',
    response: { kind: 'none' },
  },
  {
    operation: 'setting forecast',
    method: 'POST',
    path: '/settings/{name}/forecast',
    id: 'forecastSetting',
    summary: 'Simulate the requests of the last month under another value of a setting',
    description: 'Changes nothing. `since` is later than a month ago if the log has many newer events.',
    fromPath: { name: 'name' },
    body: { limitBytes: SETTING_BYTES },
    response: { kind: 'one', schema: FORECAST },
    isSlow: true,
    example: { value: '600' },
  },
  {
    operation: 'setting history',
    method: 'GET',
    path: '/setting-changes',
    id: 'listSettingChanges',
    summary: 'List the changes to settings, newest first',
    response: { kind: 'list', item: CHANGE, key: ['position'] },
  },
];

const BY_SCOPE = {
  path: '/scopes/{name}',
  fromPath: { name: 'name' },
  version: ({ name }, { scopeChanges, projections }) => {
    const scope = scopeChanges.find(String(name));
    if (scope === undefined) return undefined;
    const clients = isRestricted(scope.name) ? allowedClients(scope.name, projections.clients.all()) : [];
    return { tag: contentTag([scope, clients.map(({ clientId }) => clientId)]) };
  },
} as const satisfies Partial<ManagementRow>;

/** Operations on scopes. These are entries of the `scopes` and `scopeDisplay` settings. */
export const SCOPE_ROWS: readonly ManagementRow[] = [
  {
    operation: 'scope list',
    method: 'GET',
    path: '/scopes',
    id: 'listScopes',
    summary: 'List the scopes, as the consent page describes them',
    response: { kind: 'list', item: SCOPE, key: ['scope'] },
  },
  {
    operation: 'scope add',
    method: 'POST',
    path: '/scopes',
    id: 'createScope',
    summary: 'Add a scope',
    body: {},
    response: { kind: 'one', schema: SCOPE, status: 201 },
    example: { name: 'invoices:read', description: 'Read your invoices' },
  },
  {
    ...BY_SCOPE,
    operation: 'scope show',
    method: 'GET',
    id: 'showScope',
    summary: 'Read a scope',
    response: { kind: 'one', schema: SCOPE },
  },
  {
    ...BY_SCOPE,
    operation: 'scope update',
    method: 'PATCH',
    id: 'updateScope',
    summary: 'Change the description, icon or sensitivity of a scope. The icon `none` removes the icon',
    body: {},
    response: { kind: 'one', schema: SCOPE },
    example: { sensitivity: 'sensitive' },
  },
  {
    ...BY_SCOPE,
    operation: 'scope remove',
    method: 'DELETE',
    id: 'removeScope',
    summary: 'Remove a scope. Existing tokens lose it until it is added again',
    response: { kind: 'none' },
  },
  {
    operation: 'scope forecast',
    method: 'GET',
    path: '/scopes/{name}/forecast',
    id: 'forecastScope',
    summary: 'List the applications that removing a scope would affect: they got tokens with it in the last month',
    description: 'Changes nothing. `since` is later than a month ago if the log has many newer events.',
    fromPath: { name: 'name' },
    response: {
      kind: 'one',
      schema: namedObject('ManagedScopeForecast', {
        scope: STRING,
        since: TIME,
        applications: arrayOf(APPLICATION_TOKENS),
      }),
    },
    isSlow: true,
  },
];
