/**
 * Converts the data of an event from one version of its schema to the next. The steps named `allow…` change nothing:
 * the new version only keeps earlier releases from reading records that they would reject or misinterpret.
 */
type Upcaster = (data: unknown) => unknown;

/** In version 1, the list of restricted scopes can be absent, which means that the client has none. */
const addRestrictedScopes: Upcaster = (data) => ({ restrictedScopes: [], ...(data as object) });

/** Before version 3, all access tokens were opaque. */
const addAccessTokenFormat: Upcaster = (data) => ({ accessTokenFormat: 'opaque', ...(data as object) });

/** Version 4 can contain a PBKDF2 hash, which earlier releases cannot verify. */
const allowPbkdf2Secret: Upcaster = (data) => data;

/** The next version can contain an encrypted hash, which earlier releases cannot decrypt. */
const allowSealedSecret: Upcaster = (data) => data;

/** Before this version, all JWT access tokens were signed with EdDSA, and there was no OpenID Connect. */
const addOpenId: Upcaster = (data) => ({
  accessTokenAlgorithm: 'EdDSA',
  openid: {
    idTokenAlgorithm: 'RS256',
    userinfoAlgorithm: null,
    subjectType: 'public',
    sectorIdentifierUri: null,
    postLogoutRedirectUris: [],
    backchannelLogoutUri: null,
    backchannelLogoutSessionRequired: false,
    initiateLoginUri: null,
    defaultMaxAgeSeconds: null,
    requireAuthTime: false,
  },
  ...(data as object),
});

/** Before this version, clients had only a name, were open to all users, and accepted every login. */
const addPresentation: Upcaster = (data) => ({
  presentation: { description: null, homepageUri: null, policyUri: null, tosUri: null },
  mode: 'live',
  secondFactorRequired: false,
  ...(data as object),
});

/** Before this version, confidential clients authenticated with a secret in the header or the body. */
const addAuthentication: Upcaster = (data) => ({
  authentication: {
    methods:
      (data as { readonly clientType?: unknown } | null)?.clientType === 'public'
        ? ['none']
        : ['client_secret_basic', 'client_secret_post'],
    keys: [],
  },
  ...(data as object),
});

/**
 * Before this version, all tokens were bearer tokens, authorization requests and responses were not signed, and clients
 * could not publish their keys.
 */
const addSecurity: Upcaster = (data) => ({
  security: {
    profile: null,
    dpopBoundAccessTokens: false,
    tlsBoundAccessTokens: false,
    requirePushedAuthorizationRequests: false,
    requireSignedRequestObject: false,
    requestObjectAlgorithm: null,
    requestUris: [],
    authorizationResponseAlgorithm: 'RS256',
    introspectionAlgorithm: 'RS256',
  },
  ...(data as object),
  authentication: {
    keysUri: null,
    tls: null,
    ...(data as { readonly authentication?: object } | null)?.authentication,
  },
});

/** Before version 2, the previous secret expired as soon as the secret was rotated. */
const addPreviousUntil: Upcaster = (data) => ({ previousUntil: null, ...(data as object) });

/** Version 2 can contain resource servers. Earlier releases would ignore the restriction. */
const allowResource: Upcaster = (data) => data;

/**
 * The next version can contain the key that signed the token. Earlier releases would still accept the token after the
 * key was retired.
 */
const allowKid: Upcaster = (data) => data;

/**
 * The next version can record that a token or a code is bound to a key or certificate. Earlier releases would accept
 * the token from any sender.
 */
const allowConfirmation: Upcaster = (data) => data;

/** Version 3 can record that the token has a tag, which proves that this server issued the token. */
const allowTag: Upcaster = (data) => data;

/** Version 2 can record that an access token was retired. Earlier releases would still accept that token. */
const allowRetired: Upcaster = (data) => data;

/**
 * Version 2 can record how the user authenticated. Earlier releases would let the session outlive a change to the
 * account.
 */
const allowAuthentication: Upcaster = (data) => data;

/**
 * The next version can contain the login behind an authorization. Earlier releases would let a grant outlive its
 * session.
 */
const allowLogin: Upcaster = (data) => data;

/**
 * Version 2 can contain the reason why the session ended, and identify the session that continues it. Earlier releases
 * would end the grants of a session that is continued.
 */
const allowReason: Upcaster = (data) => data;

/** Version 3 can contain `ended-by-administrator` as the reason. */
const allowAdministratorReason: Upcaster = (data) => data;

/**
 * An event of the next version can belong to a grant from a device code. Earlier releases do not support such grants. A
 * consent can also contain the hash of the signed request.
 */
const allowDevice: Upcaster = (data) => data;

/** Version 4 can contain the text that the user saw. */
const allowShownText: Upcaster = (data) => data;

/**
 * An event of the next version can belong to a managed grant. Earlier releases would redeem a code for an update
 * without ending the grant that is updated.
 */
const allowManagement: Upcaster = (data) => data;

/** Version 3 can contain the encrypted name of the browser. */
const allowBrowser: Upcaster = (data) => data;

/** Version 4 can contain a second factor. Earlier releases would not notice the removal of the factor. */
const allowSecondFactor: Upcaster = (data) => data;

/** Version 4 can contain `account-unlinked` as the reason. */
const allowUnlinkedReason: Upcaster = (data) => data;

/** Version 5 can contain the provider that the user logged in through. Earlier releases do not support such logins. */
const allowUpstream: Upcaster = (data) => data;

/**
 * For each event type whose schema has changed, the steps starting at version 1, oldest first. The current version is
 * the number of steps plus one. A step is pure and never throws: valid data stays valid, and the schema rejects invalid
 * data later. A released step is never edited or removed, because existing logs need it; mistakes are corrected in a
 * later step.
 */
export const UPCASTERS: Readonly<Record<string, readonly Upcaster[]>> = {
  ConsentGiven: [allowLogin, allowDevice, allowShownText, allowManagement],
  AuthorizationCodeIssued: [allowResource, allowLogin, allowConfirmation],
  AccessTokenIssued: [allowResource, allowLogin, allowKid, allowConfirmation],
  RefreshTokenIssued: [allowResource, allowTag, allowLogin, allowConfirmation],
  RefreshTokenRotated: [allowRetired],
  GrantSummarized: [allowLogin, allowKid, allowConfirmation],
  GrantRevoked: [allowDevice, allowManagement],
  ClientRegistered: [
    addRestrictedScopes,
    addAccessTokenFormat,
    allowPbkdf2Secret,
    allowSealedSecret,
    addOpenId,
    addPresentation,
    addAuthentication,
    addSecurity,
  ],
  ClientUpdated: [
    addRestrictedScopes,
    addAccessTokenFormat,
    addOpenId,
    addPresentation,
    addAuthentication,
    addSecurity,
  ],
  ClientSecretRotated: [addPreviousUntil],
  ClientSecretRehashed: [allowSealedSecret],
  SessionStarted: [allowAuthentication, allowBrowser, allowSecondFactor, allowUpstream],
  SessionEnded: [allowReason, allowAdministratorReason, allowUnlinkedReason],
};
