import { message } from '../../../language/message.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { ScopeUse } from '../../../oauth/settings/forecast.ts';
import type { ScopeChanges, ScopeFields, CurrentScope } from '../../../oauth/settings/scope-changes.ts';
import type { ListLocals } from '../lists/list-locals.ts';
import type { FieldErrors, PageContext } from '../page-context.ts';
import type { PageCompiler } from './provider-locals.ts';

type FixedBy = ReturnType<ScopeChanges['fixedBy']>;

interface AdminScopeListLocals extends PageContext {
  readonly list: ListLocals;
  readonly fixedBy: FixedBy;
}

export interface AdminScopeLocals extends PageContext {
  /** Null on the form that adds a scope. */
  readonly scope: CurrentScope | null;
  readonly values: ScopeFields;
  readonly errors: FieldErrors;
  readonly fixedBy: FixedBy;
  readonly icons: readonly string[];
  /** See `repeated-forms.ts`. */
  readonly formId: string;
  /** The clients that would lose the scope, on the page that removes it; null on the form. */
  readonly use: (Omit<ScopeUse, 'since'> & { readonly since: EpochSeconds }) | null;
}

export interface ScopePages {
  adminScopeList(locals: AdminScopeListLocals): string;
  adminScope(locals: AdminScopeLocals): string;
}

export function scopePages(page: PageCompiler): ScopePages {
  return {
    adminScopeList: page('admin/scopes', () => message('admin.scopes')),
    adminScope: page('admin/scope', ({ scope, use }) => {
      if (scope === null) return message('scopes.add');
      return use === null
        ? message('scope.title', { scope: scope.name })
        : message('scope.remove-title', { scope: scope.name });
    }),
  };
}
