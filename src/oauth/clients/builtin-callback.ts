/**
 * Returns the redirect URI of this server's page where developers try their application's authorization code flow. It
 * works only if it is registered for the application.
 */
export function builtinCallbackUri(issuer: string, clientId: string): string {
  return `${issuer}/o/applications/${encodeURIComponent(clientId)}/callback/`;
}
