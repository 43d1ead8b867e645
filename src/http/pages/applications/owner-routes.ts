import type { Client } from '../../../projections/clients.ts';
import type { Handler, RequestContext } from '../../pipeline/state.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';

/** Wraps a handler for the application's owner. Anyone else gets 404. */
export type RequireOwner = (
  show: (ctx: RequestContext, client: Client, user: LoggedInUser) => void | Promise<void>,
) => Handler;
