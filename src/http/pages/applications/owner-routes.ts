import type { Client } from '../../../projections/clients.ts';
import type { Handler, RequestContext } from '../../pipeline/state.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';

type ApplicationHandler = (ctx: RequestContext, client: Client, user: LoggedInUser) => void | Promise<void>;

/** Wraps a handler for the application's owners. Other users get 404. */
export type RequireOwner = (handler: ApplicationHandler) => Handler;

/** Where the pages of an application are: among those of its owners, or among those of administrators. */
export interface ApplicationArea {
  readonly isAdministration: boolean;
  /** The route of an application, below the prefix of the router. */
  readonly route: '/:id' | '/applications/:id';
  /** Returns the path of the page of an application. */
  pathOf(client: Pick<Client, 'clientId'>): string;
  /** Wraps a handler for users who may change the application. Other users get 404 or 403. */
  readonly forUser: (handler: ApplicationHandler) => Handler;
}
