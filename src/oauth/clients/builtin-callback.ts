/**
 * Returns the redirect URI of this server's page on which developers try their application's authorization code flow.
 * It works only if the application registered it.
 */
export function builtinCallbackUri(issuer: string, clientId: string): string {
  return `${issuer}/o/applications/${encodeURIComponent(clientId)}/callback/`;
}
