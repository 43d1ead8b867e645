import { OPERATION_TEXTS } from '../../../config/input-limits.ts';
import { STRING } from '../../openapi/shared-responses.ts';
import type { ManagementRow } from '../row.ts';
import { fields, namedObject, STRING_OR_NULL, STRINGS } from '../schemas.ts';

const BRAND_TEXT = namedObject('ManagedBrandText', {
  ...fields(['key', 'language'], STRING),
  ...fields(['standard', 'own', 'ignored'], STRING_OR_NULL),
  placeholders: STRINGS,
});

const BY_KEY = { path: '/brand-texts/{text}/{language}', fromPath: { text: 'key', language: 'language' } } as const;

/** Operations on the operator's own texts, which are entries of the `brandTexts` setting. */
export const BRAND_TEXT_ROWS: readonly ManagementRow[] = [
  {
    operation: 'brand-text list',
    method: 'GET',
    path: '/brand-texts',
    id: 'listBrandTexts',
    summary: 'List the texts that replace standard texts on pages and in e-mails',
    description: 'With `own=false`, the list also contains standard texts that have not been replaced.',
    fromQuery: { own: { member: 'own', kind: 'boolean' } },
    response: { kind: 'list', item: BRAND_TEXT, key: ['key', 'language'] },
  },
  {
    ...BY_KEY,
    operation: 'brand-text set',
    method: 'PUT',
    id: 'setBrandText',
    summary: 'Replace a text on pages or in e-mails',
    description: 'The new text must have the same placeholders as the standard text. It can also contain `{brand}`.',
    body: { limitBytes: 6 * OPERATION_TEXTS.ownText + 1_024 },
    response: { kind: 'one', schema: BRAND_TEXT },
    example: { text: 'Log in to {brand}' },
  },
  {
    ...BY_KEY,
    operation: 'brand-text reset',
    method: 'DELETE',
    id: 'resetBrandText',
    summary: 'Restore the standard text',
    response: { kind: 'none' },
  },
];
