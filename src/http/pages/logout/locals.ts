import type { PageContext, PageUser } from '../page-context.ts';

export interface LogoutLocals extends PageContext {
  readonly user: PageUser;
  /** The sealed request, which the form posts back unchanged. */
  readonly request: string;
  /** The name of the application that asks; null if the request does not say. */
  readonly application: string | null;
  /** The host to which the user returns; null if nowhere. */
  readonly destination: string | null;
}

export interface LoggedOutLocals extends PageContext {
  /** Where the user can continue; null if the request does not say. */
  readonly returnTo: { readonly address: string; readonly host: string } | null;
}
