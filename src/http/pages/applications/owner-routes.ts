import type { Client } from '../../../projections/clients.ts';
import type { Handler, RequestContext } from '../../pipeline/state.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';

type ApplicationHandler = (ctx: RequestContext, client: Client, user: LoggedInUser) => void | Promise<void>;

/** Restricts a handler to the application's owners. Other users get a 404 response. */
export type RequireOwner = (handler: ApplicationHandler) => Handler;

/** The part of the site that contains an application's pages: the pages for owners, or the administration. */
export interface ApplicationArea {
  readonly isAdministration: boolean;
  /** The route of an application, relative to the router's prefix. */
  readonly route: '/:id' | '/applications/:id';
  /** Returns the path of the application's page. */
  pathOf(client: Pick<Client, 'clientId'>): string;
  /** Restricts a handler to users who may change the application. Other users get a 404 or 403 response. */
  readonly forUser: (handler: ApplicationHandler) => Handler;
}
