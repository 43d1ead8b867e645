import type { EventOf } from './events.ts';

type ClientSettings = EventOf<'ClientUpdated'>['data'];

/**
 * Returns the new settings of an existing client whose metadata document has changed. The new document replaces the
 * client's description, but not the settings that the operator controls. The document can require DPoP, unless tokens
 * are bound to certificates, but cannot remove that requirement, because the operator may have added it.
 * @param documentSettings the settings in the new document, and defaults for settings that a document cannot contain
 */
export function mergeDocumentSettings(
  documentSettings: ClientSettings,
  currentSettings: ClientSettings,
): ClientSettings {
  const { skipAuthorization, restrictedScopes, accessTokenFormat, accessTokenAlgorithm } = currentSettings;
  const { openid, mode, secondFactorRequired, security } = currentSettings;
  const dpopBoundAccessTokens =
    security.dpopBoundAccessTokens ||
    (documentSettings.security.dpopBoundAccessTokens && !security.tlsBoundAccessTokens);
  return {
    ...documentSettings,
    skipAuthorization,
    restrictedScopes,
    accessTokenFormat,
    accessTokenAlgorithm,
    openid,
    mode,
    secondFactorRequired,
    security: { ...security, dpopBoundAccessTokens },
  };
}
