import type { EpochSeconds } from '../../../domain/values.ts';
import type { PageContext, PageUser } from '../page-context.ts';
import type { SharedData } from './claim-names.ts';

export interface ScopeDescription {
  readonly name: string;
  /** Written by the operator. */
  readonly description: string;
  /** What the server's own routes allow for this scope, regardless of the description. */
  readonly effects: readonly string[];
  /** What the scope shares of the user's account, in words. Empty if nothing, or if the description says it. */
  readonly shares: string;
}

/** A scope that an application requests. */
export interface RequestedScopeLocals extends Omit<ScopeDescription, 'shares'> {
  readonly shared: SharedData;
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
  readonly scopes: readonly RequestedScopeLocals[];
  /** What the application requests beyond these scopes; it cannot be left out. */
  readonly sharedBesides: SharedData;
}
