import type { EpochSeconds } from '../../../domain/values.ts';
import type { PageContext, PageUser } from '../page-context.ts';

export interface ScopeDescription {
  readonly name: string;
  /** Written by the operator. */
  readonly description: string;
  /** What the server's own routes allow for this scope, regardless of the description. */
  readonly effects: readonly string[];
}

export interface AuthorizeLocals extends PageContext {
  readonly user: PageUser;
  /** The sealed authorization request, which the form posts back unchanged. */
  readonly request: string;
  readonly application: {
    readonly name: string;
    readonly owner: string;
    /** When it was registered. The page warns about new applications. */
    readonly registeredAt: EpochSeconds;
    readonly isNew: boolean;
  };
  /** Since when the user has authorized it, or null. */
  readonly authorizedSince: EpochSeconds | null;
  /** The address of this request, to continue as a different user. */
  readonly switchUserUrl: string;
  /** The target of the code: a web host, a loopback host, or an app's scheme. The page warns about the last two. */
  readonly destination: { readonly kind: 'web' | 'loopback' | 'app'; readonly name: string };
  /** The resource servers that the request named. Empty means no limit. */
  readonly resources: readonly string[];
  readonly scopes: readonly ScopeDescription[];
}
