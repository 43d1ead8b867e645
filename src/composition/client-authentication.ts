import { createConstantWorkVerifier } from '../accounts/constant-work-verifier.ts';
import type { Config } from '../config/config.ts';
import { mtlsBase, receivesCertificates } from '../config/tls-settings.ts';
import type { Freshness } from '../event-store/freshness.ts';
import { createAcceptAssertion } from '../oauth/clients/accepted-assertions.ts';
import { createCertificateAuthentication } from '../oauth/clients/certificate-authentication.ts';
import { createClientAuthentication } from '../oauth/clients/client-authentication.ts';
import type { ClientDirectory } from '../oauth/clients/client-directory.ts';
import { createPushAuthentication } from '../oauth/clients/push-authentication.ts';
import { createSecretAuthentication, type ClientLookup } from '../oauth/clients/secret-authentication.ts';
import type { SecretVault } from '../oauth/clients/secret-vault.ts';
import { createUserChosenSecrets } from '../oauth/clients/user-chosen-secrets.ts';
import type { CertificateSupport } from '../oauth/endpoints/certificate-metadata.ts';
import { createAssertionAuthenticator } from '../oauth/issuers/assertion-authentication.ts';
import type { Certificate } from '../platform/certificates/certificate.ts';
import type { PasswordHashing } from '../platform/hashing/password-hashing.ts';
import type { Keys } from '../platform/keys/keys.ts';
import type { RateLimits } from '../platform/limits/rate-limits.ts';
import type { Entropy, PasswordHasher } from '../platform/ports.ts';
import type { Projections } from '../projections/projections.ts';
import type { CommandHandlers } from './command-handlers.ts';
import type { ForeignTokenParts } from './foreign-tokens.ts';

/** Creates the parts that authenticate clients by secret, assertion or certificate. */
export function createClientAuthenticationParts(
  deps: Pick<ForeignTokenParts, 'findClientKeys' | 'readForeignToken'> & {
    readonly projections: Pick<Projections, 'clients' | 'trustedIssuers'>;
    readonly commands: Pick<CommandHandlers, 'clients' | 'clientAssertions'>;
    readonly directory: ClientDirectory;
    /** The authorities that issue certificates to clients. */
    readonly clientAuthorities: readonly Certificate[];
    readonly secretVault: SecretVault;
    readonly hashing: PasswordHashing;
    readonly hasher: PasswordHasher;
    readonly limits: RateLimits;
    readonly keys: Pick<Keys, 'names'>;
    readonly entropy: Entropy;
    readonly issuer: () => string;
    readonly freshness: Freshness | undefined;
    readonly settings: Config;
  },
) {
  const { projections, commands, directory, clientAuthorities, limits, findClientKeys, issuer, settings } = deps;
  const { readForeignToken, hasher, entropy } = deps;
  const { clients, trustedIssuers } = projections;
  const catchUp = deps.freshness?.catchUpThrottled;
  const chosenSecrets = createUserChosenSecrets({
    verifier: createConstantWorkVerifier({ hasher, entropy, maxIterations: clients.maxIterations }),
    hashing: deps.hashing,
    commands: commands.clients,
    clients,
    vault: deps.secretVault,
    entropy,
  });
  const certificateSupport: CertificateSupport = {
    receivesCertificates: receivesCertificates(settings),
    hasAuthorities: clientAuthorities.length > 0,
    mtlsBase: () => mtlsBase(settings, issuer()),
  };
  const createAuthentication = (clientLookup: ClientLookup) =>
    createClientAuthentication({
      authenticateBySecret: createSecretAuthentication(clientLookup, chosenSecrets, limits.clientSecrets, catchUp),
      acceptAssertion: createAcceptAssertion(commands.clientAssertions, deps.keys.names),
      clients: { find: clients.find, findClientKeys },
      authenticateByIssuer: createAssertionAuthenticator({ trustedIssuers, clients, readForeignToken }),
      authenticateByCertificate: createCertificateAuthentication({
        authorities: clientAuthorities,
        findClientKeys,
        mtlsBase: certificateSupport.mtlsBase,
      }),
      catchUp,
      limits,
      issuer,
    });
  // Pushing a request records no event, so a client that is not in the log may push one. Accepting an assertion records
  // an event, so the assertions of such clients are refused.
  const pushLookup = { ...clients, find: directory.find };
  return {
    certificateSupport,
    clientAuthentication: createAuthentication(clients),
    pushAuthentication: createPushAuthentication(createAuthentication(pushLookup), directory, limits),
  };
}
