import type { PageContext, PageUser } from '../page-context.ts';

export interface LogoutLocals extends PageContext {
  readonly user: PageUser;
  /** The sealed request, which the form posts back unchanged. */
  readonly request: string;
  /** The name of the application that sent the request; null if the request does not identify it. */
  readonly application: string | null;
  /** The host or the app's scheme that the user returns to, or null. */
  readonly destination: string | null;
}

export interface LoggedOutLocals extends PageContext {
  /** The URL where the user can continue, with its host or the app's scheme; null if the request has none. */
  readonly returnTo: { readonly address: string; readonly host: string } | null;
}
