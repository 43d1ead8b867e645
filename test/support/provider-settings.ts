import type { ProviderSettings } from '../../src/domain/provider-settings.ts';

/** The settings of an OpenID provider, without a secret. */
export const PROVIDER_SETTINGS = {
  preset: 'custom',
  name: 'Corp',
  issuer: 'https://login.example',
  tenants: [],
  clientId: 'grantlog',
  authentication: 'none',
  sealedSecret: null,
  scopes: ['openid'],
  linking: 'explicit',
  createsUsers: false,
  domains: [],
  groupsClaim: null,
  roles: [],
  groups: [],
  secondFactorValues: [],
  required: false,
} as const satisfies ProviderSettings;
