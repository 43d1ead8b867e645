import type { SettingName } from '../../config/settings.ts';

/**
 * How much of the effect of a setting change the log shows:
 * simulated exactly which recorded requests it would have affected
 * indifferent it does not affect responses to applications
 * unknown it may affect them, but the events do not record enough to tell which
 */
export interface SettingClass {
  readonly kind: 'simulated' | 'indifferent' | 'unknown';
  /** The simulated requests, or the reason why none are. */
  readonly reason: string;
}

const simulated = (reason: string) => ({ kind: 'simulated', reason }) as const;
const indifferent = (reason: string) => ({ kind: 'indifferent', reason }) as const;
const unknown = (reason: string) => ({ kind: 'unknown', reason }) as const;

const REDIRECT_URIS = 'registrations, updates that add such a redirect URI, and authorizations and codes that use one';

const ONLY_SHOWN = 'it is only shown to users';

export const SETTING_CLASSES = {
  host: indifferent('it only sets where the server listens'),
  port: indifferent('it only sets where the server listens; the public address is the issuer'),
  dataDir: indifferent('it only sets where the log is stored'),
  log: indifferent('it only sets where the log is stored'),
  keys: indifferent('it only sets where the keys are stored'),
  archive: indifferent('it only sets where old events are stored'),
  keysSecret: indifferent('it only encrypts stored keys'),
  keysBackupDays: indifferent(ONLY_SHOWN),
  issuer: unknown(
    'every authorization response and signed token contains it; which applications check it is not recorded',
  ),
  adminUsername: indifferent('it is only used to create the first administrator'),
  adminPassword: indifferent('it is only used to create the first administrator'),
  clientDocuments: simulated('authorizations of applications whose domain is not allowed, and their tokens'),
  scopes: unknown(
    'events record the granted scope, not the requested one; grantlog log as-of --scope NAME lists who has a scope',
  ),
  defaultScopes: unknown('events record the granted scope, not whether it was requested'),
  scopeDisplay: indifferent(ONLY_SHOWN),
  scopeClaims: unknown(
    'which claims an application reads is not recorded; grantlog log as-of --scope NAME lists who has a scope',
  ),
  readScope: unknown('API requests are not recorded'),
  writeScope: unknown('API requests are not recorded'),
  resources: simulated('requests that specify a resource server'),
  resourceRegistration: indifferent('it only affects the page where resource servers are registered'),
  accessTokenLifetimeSeconds: simulated('the lifetime of each access token, and the consent remembered during it'),
  signingKeyPeriodDays: indifferent('it only sets when the next key signs; its tokens verify like any others'),
  authorizationCodeLifetimeSeconds: simulated('codes redeemed after they would have expired'),
  refreshTokenLifetimeSeconds: simulated(
    'refresh tokens used after they would have expired, and the consent remembered until then',
  ),
  refreshReuseWindowSeconds: unknown(
    'reuse of a refresh token within the window is not recorded, nor is use of the previous access token',
  ),
  loginUrl: unknown('whether users can log in there is not recorded'),
  jsonTokenRequests: unknown('how a request was encoded is not recorded'),
  approvalPrompt: unknown('whether a request set approval_prompt itself is not recorded'),
  requirePkce: simulated('authorizations without a code challenge, and the redemption of their codes'),
  requirePar: simulated('authorizations whose request was not pushed, and the redemption of their codes'),
  pkceMethods: simulated('authorizations with a different code challenge method, and the redemption of their codes'),
  plainHttpRedirectUris: simulated(REDIRECT_URIS),
  redirectUriSchemes: simulated(REDIRECT_URIS),
  requireSecondFactor: unknown(
    'whether users could have set up a second factor is not recorded; log what-if --acr mfa finds authorizations ' +
      'without one',
  ),
  languages: indifferent('it only affects the text on pages'),
  brandName: indifferent(ONLY_SHOWN),
  brandColor: indifferent(ONLY_SHOWN),
  brandColorDark: indifferent(ONLY_SHOWN),
  brandLogo: indifferent(ONLY_SHOWN),
  brandLogoDark: indifferent(ONLY_SHOWN),
  brandTexts: indifferent(ONLY_SHOWN),
  brandLinks: indifferent('it is only shown to users, and in the server metadata'),
  signup: unknown('the later activity of users who could not have signed up cannot be predicted'),
  sampleApi: unknown('API requests are not recorded'),
  bodyLimitBytes: unknown('the size of requests is not recorded'),
  minFreeDiskBytes: unknown('free disk space is not recorded'),
  tokensPerMinutePerClient: unknown('rate-limited requests are not recorded, nor are their retries'),
  trustedProxies: unknown('the address of a request is not recorded'),
  sessionLifetimeSeconds: unknown(
    'visits to pages are not recorded; log what-if --max-age finds authorizations long after their login',
  ),
  dynamicRegistration: unknown('self-registered clients are recorded only if a user authorizes them'),
  registrationLifetimeSeconds: unknown('registrations that no user authorized are not recorded'),
  softwareStatementIssuers: unknown('software statements are not recorded, only their issuers'),
  requireDpop: simulated('token requests without a proof, except those whose tokens are bound to a certificate'),
  introspectionOwnTokensOnly: unknown('introspection is not recorded'),
  snapshotEvents: indifferent('it only affects how long startup takes'),
  maxStalenessSeconds: indifferent('it only affects nodes that have lost the event log'),
  tlsCertificateFile: indifferent('it only sets how the server is reached; the public address is the issuer'),
  tlsKeyFile: indifferent('it only sets how the server is reached; the public address is the issuer'),
  tlsClientCaFile: unknown('client certificates are not recorded'),
  mtlsPort: unknown('client certificates are not recorded'),
  mtlsUrl: unknown('client certificates are not recorded'),
  clientCertificateProxies: unknown('the address of a request is not recorded'),
  outgoingHttp: unknown('the responses of other servers are not recorded'),
  outgoingNetworks: unknown('the addresses of other servers are not recorded'),
  mail: unknown('which users verified an address or chose a new password by e-mail cannot be predicted'),
  mailFrom: indifferent('it is only shown in e-mails'),
  logLevel: indifferent('it only affects what is logged'),
} as const satisfies { readonly [Name in SettingName]: SettingClass };

/** Settings whose change can be simulated. */
export type SimulatedSetting = {
  [Name in SettingName]: (typeof SETTING_CLASSES)[Name]['kind'] extends 'simulated' ? Name : never;
}[SettingName];
