import type { PageContext, PageUser } from '../page-context.ts';

export interface LogoutLocals extends PageContext {
  readonly user: PageUser;
  /** The sealed request, which the form posts back unchanged. */
  readonly request: string;
  /** The name of the application that sent the request; null if the request does not identify it. */
  readonly application: string | null;
  /** The host of the URL to which the user returns or, for an app's URL, its scheme; null if the request has none. */
  readonly destination: string | null;
}

export interface LoggedOutLocals extends PageContext {
  /** The URL to which the user can return, and its host or, for an app's URL, scheme; null if the request has none. */
  readonly returnTo: { readonly address: string; readonly host: string } | null;
}
