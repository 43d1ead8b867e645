/**
 * Returns the redirect URI that leads to this server's page for trying out an application's authorization code flow.
 * The URI works only if it is registered for the application.
 */
export function builtinCallbackUri(issuer: string, clientId: string): string {
  return `${issuer}/o/applications/${encodeURIComponent(clientId)}/callback/`;
}
