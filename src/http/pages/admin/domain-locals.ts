import type { ListedDomain } from '../../../projections/client-domains.ts';
import type { FieldErrors, PageContext } from '../page-context.ts';

export interface AdminDomainsLocals extends PageContext {
  readonly setting: 'off' | 'list' | 'any';
  readonly domains: readonly Pick<ListedDomain, 'domain' | 'rule' | 'since'>[];
  readonly values: { readonly domain: string; readonly rule: string };
  readonly errors: FieldErrors;
}
