import type { EventType } from './events.ts';

/** From what a record of one version says to what it would say in the next. */
type Upcaster = (data: unknown) => unknown;

/**
 * Before version 2 nobody could be allowed a restricted scope. What a record says of them itself is
 * kept: for a while, records that are still called version 1 could carry it.
 */
const addRestrictedScopes: Upcaster = (data) => ({ restrictedScopes: [], ...(data as object) });

/** Before version 3 there were only opaque ones. */
const addAccessTokenFormat: Upcaster = (data) => ({ accessTokenFormat: 'opaque', ...(data as object) });

/** Version 4 may bring a PBKDF2 hash of the secret. What brought none says the same as before, but a release that cannot verify one must not read it. */
const allowPbkdf2Secret: Upcaster = (data) => data;

/**
 * The next version may have the hash of a secret under a seal. A record without a seal means the same as before, but a
 * release that cannot open seals must not read the others.
 */
const allowSealedSecret: Upcaster = (data) => data;

/** Before version 2 a rotation ended the secret before it at once. */
const addPreviousUntil: Upcaster = (data) => ({ previousUntil: null, ...(data as object) });

/** Version 2 may name resource servers. What named none says the same as before, but a release that would overlook the names must not read it. */
const allowResource: Upcaster = (data) => data;

/** Version 3 may say that the token is tagged. A record that does not says the same as before. */
const allowTag: Upcaster = (data) => data;

/** Version 2 may end an access token, and a release that would let that one live on must not read it. */
const allowRetired: Upcaster = (data) => data;

/**
 * Version 2 may say how the user was authenticated. What does not say it means the same as before, but a release that
 * would let the session outlive a change of the account must not read it.
 */
const allowAuthentication: Upcaster = (data) => data;

/**
 * For each type whose schema ever changed, the steps from version 1 on, oldest first; its current
 * version is one more than their number. A step is pure and total: it makes of everything that was
 * valid something that is valid, and never throws on the rest, which the schema refuses afterwards.
 * A step that was released is never edited or taken out, for logs that need it are out there; what
 * it got wrong, the next one corrects.
 */
export const UPCASTERS: { readonly [Type in EventType]?: readonly Upcaster[] } = {
  AuthorizationCodeIssued: [allowResource],
  AccessTokenIssued: [allowResource],
  RefreshTokenIssued: [allowResource, allowTag],
  RefreshTokenRotated: [allowRetired],
  ClientRegistered: [addRestrictedScopes, addAccessTokenFormat, allowPbkdf2Secret, allowSealedSecret],
  ClientUpdated: [addRestrictedScopes, addAccessTokenFormat],
  ClientSecretRotated: [addPreviousUntil],
  ClientSecretRehashed: [allowSealedSecret],
  SessionStarted: [allowAuthentication],
};
