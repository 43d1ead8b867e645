import type { EventOf } from './events.ts';

type ClientSettings = EventOf<'ClientUpdated'>['data'];

/**
 * The settings of a known client whose document has changed. A document describes the program, and replaces what
 * earlier ones said about it. It changes nothing that the operator of this server has decided about the client. It can
 * demand DPoP, but cannot take the demand back, because the operator may have made it, too.
 * @param stated what the new document says, with the defaults of everything that a document cannot say
 */
export function describedSettings(stated: ClientSettings, before: ClientSettings): ClientSettings {
  const { skipAuthorization, restrictedScopes, accessTokenFormat, accessTokenAlgorithm } = before;
  const { openid, mode, secondFactorRequired, security } = before;
  const dpopBoundAccessTokens =
    security.dpopBoundAccessTokens || (stated.security.dpopBoundAccessTokens && !security.tlsBoundAccessTokens);
  return {
    ...stated,
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
