import type { Client } from '../../../projections/clients.ts';
import type { Handler, RequestContext } from '../../pipeline/state.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';

type ApplicationHandler = (ctx: RequestContext, client: Client, user: LoggedInUser) => void | Promise<void>;

/** Wraps a handler for the application's owners. Other users get 404. */
export type RequireOwner = (handler: ApplicationHandler) => Handler;

/** Where an application's pages are: among the pages for its owners, or among those for administrators. */
export interface ApplicationArea {
  readonly isAdministration: boolean;
  /** The route of an application, relative to the router's prefix. */
  readonly route: '/:id' | '/applications/:id';
  /** Returns the path of the application's page. */
  pathOf(client: Pick<Client, 'clientId'>): string;
  /** Wraps a handler for users who may change the application. Other users get 404 or 403. */
  readonly forUser: (handler: ApplicationHandler) => Handler;
}
