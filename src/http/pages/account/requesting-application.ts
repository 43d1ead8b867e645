import type { Clients } from '../../../projections/clients.ts';
import { applicationMark, type ApplicationMark } from '../application-mark.ts';

/** The application that a user continues to after the login. */
export interface RequestingApplication {
  readonly name: string;
  readonly mark: ApplicationMark;
  /** False if an administrator or the operator has exempted the application from consent. */
  readonly needsConsent: boolean;
}

/**
 * Returns the application that sent the authorization request at `next`, or null if `next` is not an authorization
 * request or the application is unknown.
 * @param next the path to continue to after the login
 */
export function requestingApplication(next: string, clients: Pick<Clients, 'find'>): RequestingApplication | null {
  const { pathname, searchParams } = new URL(next, 'http://here.invalid');
  if (!/^\/o\/authorize\/?$/.test(pathname)) return null;
  const client = clients.find(searchParams.get('client_id') ?? '');
  if (client === undefined) return null;
  return { name: client.name, mark: applicationMark(client), needsConsent: !client.skipAuthorization };
}
