import type { Config } from '../config/config.ts';
import { createDerivedCredentials } from '../oauth/clients/dynamic/derived-credentials.ts';
import { createDynamicRegistration, type DynamicRegistration } from '../oauth/clients/dynamic/dynamic-registration.ts';
import { createSealedRegistrations } from '../oauth/clients/dynamic/sealed-registrations.ts';
import { createSoftwareStatements } from '../oauth/clients/dynamic/software-statements.ts';
import type { PublishedKeys } from '../oauth/clients/published-keys.ts';
import type { Keys } from '../platform/keys/keys.ts';
import type { Entropy } from '../platform/ports.ts';

type Deps = Parameters<typeof createDynamicRegistration>[0];

/** Creates dynamic client registration (RFC 7591) and its dependencies. */
export function composeDynamicRegistration(
  deps: Pick<Deps, 'clients' | 'commands' | 'registration' | 'issuer'> & {
    readonly published: PublishedKeys;
    readonly key: Keys['registrations'];
    readonly entropy: Entropy;
    readonly settings: Config;
  },
): DynamicRegistration {
  const { published, key, settings } = deps;
  return createDynamicRegistration({
    ...deps,
    sealedRegistrations: createSealedRegistrations(deps),
    derivedCredentials: createDerivedCredentials(key),
    softwareStatements: createSoftwareStatements(published, settings),
  });
}
