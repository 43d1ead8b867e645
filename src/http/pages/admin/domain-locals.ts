import type { ListPageLocals } from '../lists/list-locals.ts';
import type { FieldErrors } from '../page-context.ts';

export interface AdminDomainsLocals extends ListPageLocals {
  /** The value of the `clientDocuments` setting. */
  readonly setting: 'off' | 'list' | 'any';
  readonly values: { readonly domain: string; readonly rule: string };
  readonly errors: FieldErrors;
}
