/**
 * Returns the redirect URI of the page of this server on which developers try the authorization code flow of their
 * application. It works only if the application registered it.
 */
export function builtinCallbackUri(issuer: string, clientId: string): string {
  return `${issuer}/o/applications/${encodeURIComponent(clientId)}/callback/`;
}
