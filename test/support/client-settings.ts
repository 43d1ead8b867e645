import type { ClientSettings } from '../../src/domain/client.ts';
import { defaultAuthentication } from '../../src/domain/client-authentication.ts';
import { DEFAULT_SECURITY } from '../../src/domain/security-settings.ts';
import { DEFAULT_OPENID } from '../../src/domain/openid-settings.ts';
import { NO_PRESENTATION } from '../../src/domain/presentation.ts';

/** The settings of a confidential client with many defaults. Tests override the settings that matter to them. */
export const CLIENT_SETTINGS = {
  name: 'App',
  clientType: 'confidential',
  grantTypes: ['password'],
  redirectUris: [],
  allowedOrigins: [],
  skipAuthorization: false,
  restrictedScopes: [],
  accessTokenFormat: 'opaque',
  accessTokenAlgorithm: 'RS256',
  openid: DEFAULT_OPENID,
  presentation: NO_PRESENTATION,
  mode: 'live',
  secondFactorRequired: false,
  authentication: defaultAuthentication('confidential'),
  security: DEFAULT_SECURITY,
} as const satisfies ClientSettings;
