import { OPERATION_TEXTS } from '../../../config/input-limits.ts';
import { STRING } from '../../openapi/shared-responses.ts';
import type { ManagementRow } from '../row.ts';
import { ANY_OBJECT, BOOLEAN, COUNT, each, named, TEXT_OR_NULL, TIME, TIME_OR_NULL } from '../schemas.ts';

/** Any JSON value: its schema depends on the setting. */
const VALUE = {};

const SETTING = named('ManagedSetting', {
  ...each(['name', 'origin', 'description'], STRING),
  ...each(['value', 'default'], VALUE),
  ...each(['unit', 'fixed_by'], TEXT_OR_NULL),
  can_change: BOOLEAN,
  changed_at: TIME_OR_NULL,
  ignored: { ...ANY_OBJECT, type: ['object', 'null'] },
});
const CHANGE = named('ManagedSettingChange', { time: TIME, name: STRING, value: VALUE, by: STRING, position: COUNT }, [
  'value',
]);

/** The longest text, with every character escaped. */
const SETTING_BYTES = 6 * OPERATION_TEXTS.setting + 1_024;

const BY_NAME = { path: '/settings/{name}', fromPath: { name: 'name' } } as const;

export const SETTING_ROWS: readonly ManagementRow[] = [
  {
    operation: 'setting list',
    method: 'GET',
    path: '/settings',
    id: 'listSettings',
    summary: 'List the settings, each with its value and where that comes from',
    fromQuery: { changed: { member: 'changed', is: 'boolean' } },
    answer: { is: 'list', item: SETTING, key: ['name'] },
  },
  {
    ...BY_NAME,
    operation: 'setting show',
    method: 'GET',
    id: 'showSetting',
    summary: 'Read a setting',
    answer: { is: 'one', schema: SETTING },
  },
  {
    ...BY_NAME,
    operation: 'setting set',
    method: 'PUT',
    id: 'setSetting',
    summary: 'Change a setting while the server runs',
    description: 'The value is text, as in an environment variable: lists and maps are JSON. The last change counts.',
    body: { limitBytes: SETTING_BYTES },
    answer: {
      is: 'one',
      schema: named('ManagedChangedSetting', { name: STRING, value: VALUE, was: VALUE }),
    },
    example: { value: '600' },
  },
  {
    ...BY_NAME,
    operation: 'setting reset',
    method: 'DELETE',
    id: 'resetSetting',
    summary: 'Return a setting to the value of the file, the environment or the default',
    answer: { is: 'none' },
  },
  {
    operation: 'setting history',
    method: 'GET',
    path: '/setting-changes',
    id: 'listSettingChanges',
    summary: 'List the changes of settings, newest first',
    answer: { is: 'list', item: CHANGE, key: ['position'] },
  },
];
