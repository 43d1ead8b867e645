import { OPERATION_TEXTS } from '../../../config/input-limits.ts';
import { STRING } from '../../openapi/shared-responses.ts';
import type { ManagementRow } from '../row.ts';
import { each, namedObject, TEXT_OR_NULL, TEXTS } from '../schemas.ts';

const TEXT = namedObject('ManagedBrandText', {
  ...each(['key', 'language'], STRING),
  ...each(['standard', 'own', 'ignored'], TEXT_OR_NULL),
  placeholders: TEXTS,
});

const BY_KEY = { path: '/brand-texts/{text}/{language}', fromPath: { text: 'key', language: 'language' } } as const;

/** Operations on the operator's own texts, which are entries of the setting `brandTexts`. */
export const BRAND_TEXT_ROWS: readonly ManagementRow[] = [
  {
    operation: 'brand-text list',
    method: 'GET',
    path: '/brand-texts',
    id: 'listBrandTexts',
    summary: 'List the texts that replace standard texts of pages and mails',
    description: 'With `own=false`, also standard texts that have not been replaced.',
    fromQuery: { own: { member: 'own', is: 'boolean' } },
    response: { is: 'list', item: TEXT, key: ['key', 'language'] },
  },
  {
    ...BY_KEY,
    operation: 'brand-text set',
    method: 'PUT',
    id: 'setBrandText',
    summary: 'Replace a text of pages or mails. The new text must have the placeholders of the standard text',
    body: { limitBytes: 6 * OPERATION_TEXTS.ownText + 1_024 },
    response: { is: 'one', schema: TEXT },
    example: { text: 'Log in to {brand}' },
  },
  {
    ...BY_KEY,
    operation: 'brand-text reset',
    method: 'DELETE',
    id: 'resetBrandText',
    summary: 'Return to the standard text',
    response: { is: 'none' },
  },
];
