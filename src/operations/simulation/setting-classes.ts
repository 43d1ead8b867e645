import type { SettingName } from '../../config/settings.ts';

/**
 * How much of the effect of a setting change the log shows:
 * - `simulated`: exactly which recorded requests the change would have affected
 * - `no-effect`: that the change does not affect responses to applications
 * - `unknown`: neither; the change may affect responses, but the events do not record enough to tell which ones
 */
export interface SettingClass {
  readonly kind: 'simulated' | 'no-effect' | 'unknown';
  /** The requests that are simulated, or why none are. */
  readonly reason: string;
}

const simulated = (reason: string) => ({ kind: 'simulated', reason }) as const;
const noEffect = (reason: string) => ({ kind: 'no-effect', reason }) as const;
const unknown = (reason: string) => ({ kind: 'unknown', reason }) as const;

const REDIRECT_URIS = 'registrations, updates that add such a redirect URI, and authorizations and codes that use one';

const ONLY_SHOWN = 'it is only shown to users';

export const SETTING_CLASSES = {
  host: noEffect('it only sets where the server listens'),
  port: noEffect('it only sets where the server listens; the public address is the issuer'),
  dataDir: noEffect('it only sets where the log is stored'),
  log: noEffect('it only sets where the log is stored'),
  keys: noEffect('it only sets where the keys are stored'),
  archive: noEffect('it only sets where old events are stored'),
  keysSecret: noEffect('it only encrypts stored keys'),
  keysBackupDays: noEffect(ONLY_SHOWN),
  issuer: unknown(
    'every authorization response and signed token contains it; the log does not record which applications check it',
  ),
  adminUsername: noEffect('it is only used to create the first administrator'),
  adminPassword: noEffect('it is only used to create the first administrator'),
  clientDocuments: simulated('authorizations of applications whose domain is not allowed, and their tokens'),
  scopes: unknown(
    'events record the granted scope, not the requested one; grantlog log as-of --scope NAME lists who has a scope',
  ),
  defaultScopes: unknown('events record the granted scope, not whether it was requested'),
  scopeDisplay: noEffect(ONLY_SHOWN),
  scopeClaims: unknown(
    'the log does not record which claims an application reads; grantlog log as-of --scope NAME lists who has a scope',
  ),
  readScope: unknown('API requests are not recorded'),
  writeScope: unknown('API requests are not recorded'),
  resources: simulated('requests that specify a resource server'),
  resourceRegistration: noEffect('it only affects the page where resource servers are registered'),
  accessTokenLifetimeSeconds: simulated('the lifetime of each access token, and consent remembered until it expires'),
  signingKeyPeriodDays: noEffect(
    'it only sets when the server starts to sign with the next key, whose tokens verify like any others',
  ),
  authorizationCodeLifetimeSeconds: simulated('codes redeemed after they would have expired'),
  refreshTokenLifetimeSeconds: simulated(
    'refresh tokens used after they would have expired, and the consent remembered until then',
  ),
  refreshReuseWindowSeconds: unknown(
    'reuse of a refresh token within the window is not recorded, nor is use of the previous access token',
  ),
  loginUrl: unknown('the log does not record whether users can log in there'),
  jsonTokenRequests: unknown('the encoding of requests is not recorded'),
  approvalPrompt: unknown('the log does not record whether approval_prompt was set in the request'),
  requirePkce: simulated('authorizations without a code challenge, and the redemption of their codes'),
  requirePar: simulated('authorizations whose request was not pushed, and the redemption of their codes'),
  pkceMethods: simulated('authorizations with a different code challenge method, and the redemption of their codes'),
  plainHttpRedirectUris: simulated(REDIRECT_URIS),
  redirectUriSchemes: simulated(REDIRECT_URIS),
  requireSecondFactor: unknown(
    'the log does not record whether users could have set up a second factor; grantlog log what-if --acr mfa finds ' +
      'authorizations without one',
  ),
  languages: noEffect('it only affects the text on pages'),
  brandName: noEffect(ONLY_SHOWN),
  brandColor: noEffect(ONLY_SHOWN),
  brandColorDark: noEffect(ONLY_SHOWN),
  brandLogo: noEffect(ONLY_SHOWN),
  brandLogoDark: noEffect(ONLY_SHOWN),
  brandTexts: noEffect(ONLY_SHOWN),
  brandLinks: noEffect('it is only shown to users and published in the server metadata'),
  signup: unknown('the later activity of users who would not have been able to sign up cannot be excluded'),
  sampleApi: unknown('API requests are not recorded'),
  bodyLimitBytes: unknown('the size of requests is not recorded'),
  minFreeDiskBytes: unknown('free disk space is not recorded'),
  tokensPerMinutePerClient: unknown('rate-limited requests are not recorded, nor are their retries'),
  trustedProxies: unknown('the IP addresses of requests are not recorded'),
  sessionLifetimeSeconds: unknown(
    'visits to pages are not recorded; grantlog log what-if --max-age finds authorizations long after the login',
  ),
  dynamicRegistration: unknown('self-registered clients are recorded only if a user authorizes them'),
  registrationLifetimeSeconds: unknown('registrations that no user authorized are not recorded'),
  softwareStatementIssuers: unknown('software statements are not recorded, only their issuers'),
  requireDpop: simulated('token requests without a proof, except those whose tokens are bound to a certificate'),
  introspectionOwnTokensOnly: unknown('introspection is not recorded'),
  snapshotEvents: noEffect('it only affects how long startup takes'),
  maxStalenessSeconds: noEffect('it only affects nodes that have lost contact with the event log'),
  tlsCertificateFile: noEffect('it only sets how the server is reached; the public address is the issuer'),
  tlsKeyFile: noEffect('it only sets how the server is reached; the public address is the issuer'),
  tlsClientCaFile: unknown('client certificates are not recorded'),
  mtlsPort: unknown('client certificates are not recorded'),
  mtlsUrl: unknown('client certificates are not recorded'),
  clientCertificateProxies: unknown('the IP addresses of requests are not recorded'),
  outgoingHttp: unknown('the responses of other servers are not recorded'),
  outgoingNetworks: unknown('the addresses of other servers are not recorded'),
  mail: unknown(
    'the log does not show what users who verified an address or reset a password by e-mail would have done without it',
  ),
  mailFrom: noEffect('it is only shown in e-mails'),
  logLevel: noEffect('it only affects what is logged'),
} as const satisfies { readonly [Name in SettingName]: SettingClass };

/** Settings whose change can be simulated. */
export type SimulatedSetting = {
  [Name in SettingName]: (typeof SETTING_CLASSES)[Name]['kind'] extends 'simulated' ? Name : never;
}[SettingName];
