import type { SettingName } from '../../config/settings.ts';

/**
 * What the log can tell of a change to each setting:
 *   judged        exactly which recorded requests it would have changed
 *   indifferent   it changes no answer to an application
 *   unknown       it may, and the events do not say enough to tell for whom
 */
export interface SettingClass {
  readonly as: 'judged' | 'indifferent' | 'unknown';
  /** What is judged, or why nothing is. */
  readonly says: string;
}

const simulated = (says: string) => ({ as: 'judged', says }) as const;
const indifferent = (says: string) => ({ as: 'indifferent', says }) as const;
const unknown = (says: string) => ({ as: 'unknown', says }) as const;

const REDIRECT_URIS = 'registrations, updates that add such a redirect URI, authorizations and codes that go to one';

export const SETTING_CLASSES = {
  host: indifferent('it is where the server listens'),
  port: indifferent('it is where the server listens; the public address is the issuer'),
  dataDir: indifferent('it is where the log is'),
  issuer: unknown(
    'it is in every answer of the authorize endpoint and in signed tokens; which applications look at it is not recorded',
  ),
  adminUsername: indifferent('it makes the first administrator and nothing else'),
  adminPassword: indifferent('it makes the first administrator and nothing else'),
  scopes: unknown(
    'an event has the scope that was granted, not what the request named, what came of defaultScopes, and what the person left out; who holds a scope: grantlog log as-of --scope NAME',
  ),
  defaultScopes: unknown('an event has the scope that was granted, not whether the request named it'),
  readScope: unknown('requests to APIs are not recorded'),
  writeScope: unknown('requests to APIs are not recorded'),
  resources: simulated('requests that name a resource server'),
  accessTokenLifetimeSeconds: simulated(
    'how long each access token would have lived, and the consent that is remembered while it lives',
  ),
  authorizationCodeLifetimeSeconds: simulated('codes that were redeemed later'),
  refreshTokenLifetimeSeconds: simulated(
    'refresh tokens that were used later, and the consent that is remembered while they live',
  ),
  refreshReuseWindowSeconds: unknown(
    'when a refresh token was presented again is not recorded, nor when the access token before a refresh was used',
  ),
  loginUrl: unknown('whether people can log in there is not recorded'),
  jsonTokenRequests: unknown('how a request was encoded is not recorded'),
  approvalPrompt: unknown('a request may say approval_prompt itself, and whether it did is not recorded'),
  requirePkce: simulated('authorizations without a challenge, and codes of theirs redeemed later'),
  pkceMethods: simulated('authorizations with a challenge by another method, and codes of theirs redeemed later'),
  plainHttpRedirectUris: simulated(REDIRECT_URIS),
  redirectUriSchemes: simulated(REDIRECT_URIS),
  signup: unknown('what people who could not have signed up would have done instead, nobody knows'),
  sampleApi: unknown('requests to APIs are not recorded'),
  bodyLimitBytes: unknown('how long a request was is not recorded'),
  minFreeDiskBytes: unknown('how full the disk was is not recorded'),
  tokensPerMinutePerClient: unknown('requests that a limit refused are not recorded, nor how soon they were repeated'),
  trustedProxies: unknown('from which address a request came is not recorded'),
  sessionLifetimeSeconds: unknown('in which log-in a person authorized an application is not recorded'),
  introspectionOwnTokensOnly: unknown('introspection is not recorded'),
  snapshotEvents: indifferent('it is how soon a start is over'),
  logLevel: indifferent('it is what is written to standard output'),
} as const satisfies { readonly [Name in SettingName]: SettingClass };

/** Settings whose change can be foretold. */
export type SimulatedSetting = {
  [Name in SettingName]: (typeof SETTING_CLASSES)[Name]['as'] extends 'judged' ? Name : never;
}[SettingName];
