import {
  defaultAuthentication,
  type AuthenticationSettings,
  type ClientAuthenticationMethod,
} from '../../../domain/client-authentication.ts';
import { DEFAULT_SECURITY, type SecuritySettings } from '../../../domain/security-settings.ts';
import type { Client } from '../../../projections/clients.ts';

/** An application's authentication and security settings, as its pages show them. */
export interface ProtectionLocals extends SecuritySettings {
  readonly methods: readonly ClientAuthenticationMethod[];
  /** The name of each public key of the application: its `kid`, or its thumbprint if it has no `kid`. */
  readonly keys: readonly string[];
  readonly keysUri: string | null;
  /** The subject of the application's certificates; null if none is registered. */
  readonly tlsSubject: string | null;
  /** Whether any setting differs from its default. */
  readonly differsFromDefault: boolean;
}

export function protectionLocals({
  authentication,
  security,
  clientType,
}: Pick<Client, 'authentication' | 'security' | 'clientType'>): ProtectionLocals {
  const { methods, keys, keysUri, tls } = authentication;
  return {
    ...security,
    methods,
    keys: keys.map(({ kid, keyId }) => kid ?? keyId),
    keysUri,
    tlsSubject: tls?.value ?? null,
    differsFromDefault:
      JSON.stringify({ ...DEFAULT_SECURITY, ...security }) !== JSON.stringify(DEFAULT_SECURITY) ||
      authenticationDiffers(authentication, defaultAuthentication(clientType)),
  };
}

function authenticationDiffers(
  { methods, keys, keysUri, tls }: AuthenticationSettings,
  defaults: AuthenticationSettings,
): boolean {
  const methodsDiffer = methods.toSorted().join() !== defaults.methods.toSorted().join();
  return methodsDiffer || keys.length > 0 || keysUri !== null || tls !== null;
}

/**
 * Reports whether the application presents a TLS client certificate, to authenticate or because its tokens are bound to
 * the certificate.
 */
export function usesCertificate({ authentication, security }: Pick<Client, 'authentication' | 'security'>): boolean {
  const { methods } = authentication;
  const certificateMethods = ['tls_client_auth', 'self_signed_tls_client_auth'] as const;
  return security.tlsBoundAccessTokens || certificateMethods.some((method) => methods.includes(method));
}
