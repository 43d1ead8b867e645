import { message } from '../../../language/message.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
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
  /** The value of the hidden `form_id` field: see `ResubmissionGuard`. */
  readonly formId: string;
  /** The recent use of the scope; null on the form that adds a scope, and after a form was refused. */
  readonly use: { readonly since: EpochSeconds; readonly applications: readonly ScopeApplication[] } | null;
  /** Whether only explicitly allowed applications may request the scope. */
  readonly isRestricted: boolean;
  /** Whether the page asks the administrator to confirm the removal of the scope. */
  readonly isRemoval: boolean;
}

/** An application that may request a restricted scope or has been issued access tokens with the scope. */
export interface ScopeApplication {
  readonly name: string;
  /** The path of the application's page; null if the application has been removed. */
  readonly href: string | null;
  /** Whether the application may request the scope. */
  readonly mayRequest: boolean;
  /** The number of access tokens with the scope that were issued to the application during the examined period. */
  readonly tokens: number;
}

export interface ScopePages {
  adminScopeList(locals: AdminScopeListLocals): string;
  adminScope(locals: AdminScopeLocals): string;
}

export function scopePages(page: PageCompiler): ScopePages {
  return {
    adminScopeList: page('admin/scopes', () => message('admin.scopes')),
    adminScope: page('admin/scope', ({ scope, isRemoval }) => {
      if (scope === null) return message('scopes.add');
      return isRemoval
        ? message('scope.remove-title', { scope: scope.name })
        : message('scope.title', { scope: scope.name });
    }),
  };
}
