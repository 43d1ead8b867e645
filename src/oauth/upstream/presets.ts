import type { ProviderAuthentication, ProviderPreset } from '../../domain/provider-settings.ts';

/** The usual settings for a kind of provider. */
export interface Preset {
  /** Null for custom providers. */
  readonly title: string | null;
  /** The usual issuer; null if each customer of the provider has a different one. */
  readonly issuer: string | null;
  /** An example issuer. */
  readonly example: string;
  readonly authentication: ProviderAuthentication;
  readonly scopes: readonly string[];
  /** The claim that contains groups if the provider is configured to send them; null if there is no usual claim. */
  readonly groupsClaim: string | null;
  /** The value of `prompt` that makes the provider authenticate users again, or let them choose an account again. */
  readonly freshPrompt: 'login' | 'select_account';
  /**
   * The audience of this server's assertions (private_key_jwt). The issuer is safer, but not every provider accepts it.
   */
  readonly assertionAudience: 'issuer' | 'token-endpoint';
}

const DEFAULTS = {
  issuer: null,
  authentication: 'client_secret_basic',
  scopes: ['openid', 'email', 'profile'],
  groupsClaim: 'groups',
  freshPrompt: 'login',
  assertionAudience: 'issuer',
} as const;

export const PRESETS: Readonly<Record<ProviderPreset, Preset>> = {
  google: {
    ...DEFAULTS,
    title: 'Google',
    issuer: 'https://accounts.google.com',
    example: 'https://accounts.google.com',
    groupsClaim: null,
    freshPrompt: 'select_account', // Google refuses `login`
  },
  entra: {
    ...DEFAULTS,
    title: 'Microsoft Entra',
    example: 'https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0',
    authentication: 'client_secret_post',
    assertionAudience: 'token-endpoint',
  },
  okta: { ...DEFAULTS, title: 'Okta', example: 'https://example.okta.com', assertionAudience: 'token-endpoint' },
  auth0: {
    ...DEFAULTS,
    title: 'Auth0',
    example: 'https://example.eu.auth0.com/',
    authentication: 'client_secret_post',
  },
  gitlab: { ...DEFAULTS, title: 'GitLab', issuer: 'https://gitlab.com', example: 'https://gitlab.com' },
  keycloak: { ...DEFAULTS, title: 'Keycloak', example: 'https://login.example/realms/example' },
  custom: { ...DEFAULTS, title: null, example: 'https://login.example', groupsClaim: null },
};

/** An Entra issuer for several tenants. A single-tenant issuer contains the tenant's id instead. */
const MULTI_TENANT_ISSUER = /^(https?:\/\/[^?#]+)\/(?:common|organizations|consumers)\/v2\.0$/;
export const TENANT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface IssuerSettings {
  readonly preset: ProviderPreset;
  readonly issuer: string;
}

/** Reports whether the issuer is for several tenants. */
export function isMultiTenant({ preset, issuer }: IssuerSettings): boolean {
  return preset === 'entra' && MULTI_TENANT_ISSUER.test(issuer);
}

/** Returns the issuer that the provider's metadata must contain: a template if the issuer is for several tenants. */
export function issuerInMetadata(settings: IssuerSettings): string {
  return tenantIssuer(settings, '{tenantid}');
}

/**
 * Returns the issuer of a tenant's ID tokens: the configured issuer, unless that issuer is for several tenants.
 */
export function tenantIssuer(settings: IssuerSettings, tenant: string): string {
  if (!isMultiTenant(settings)) return settings.issuer;
  const [, base = ''] = MULTI_TENANT_ISSUER.exec(settings.issuer) ?? [];
  return `${base}/${tenant}/v2.0`;
}
