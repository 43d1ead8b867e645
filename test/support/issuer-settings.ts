import type { TrustedIssuerSettings } from '../../src/domain/issuer-settings.ts';
import { clientId } from './domain-values.ts';

/** Returns the settings of a trusted issuer whose JWTs these clients may present. */
export const issuerSettings = (...clients: readonly string[]): TrustedIssuerSettings => ({
  keys: [],
  keysUri: 'https://issuer.example/keys',
  audience: null,
  uses: ['assertion'],
  requiredClaims: [],
  subject: { by: 'client' },
  clients: clients.map((label) => ({ clientId: clientId(label), requiredClaims: [] })),
  scope: ['read'],
  resources: null,
  maxTokenLifetimeSeconds: 3_600,
  maxAssertionAgeSeconds: 600,
});
