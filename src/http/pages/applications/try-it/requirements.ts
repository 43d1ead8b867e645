import type { ClientAuthenticationMethod } from '../../../../domain/client-authentication.ts';
import {
  effectiveSecurity,
  type ClientSecurityInput,
  type ServerSecurity,
} from '../../../../domain/security-profile.ts';

/** The authentication and the protection that the example requests of an application need. */
export interface ExampleRequirements {
  /** `secret` means that the secret can be sent in the header or in the body. Each example uses one of the two. */
  readonly authentication: 'none' | 'secret' | 'secret-in-header' | 'secret-in-body' | 'assertion' | 'certificate';
  /** Whether each request that gets or uses a token needs a proof (DPoP). */
  readonly proof: boolean;
  /** Whether each request that gets or uses a token needs a TLS client certificate. */
  readonly boundToCertificate: boolean;
  /** Whether authorization requests are pushed (PAR). */
  readonly pushed: boolean;
  /** Whether authorization requests are signed (JAR). */
  readonly signed: boolean;
}

/** Returns the requirements for an application's example requests. */
export function requirementsOf(client: ClientSecurityInput, server: ServerSecurity): ExampleRequirements {
  const { dpop, tls, pushedRequest, signedRequest } = effectiveSecurity(client, server);
  return {
    authentication: easiestAuthentication(client.authentication.methods),
    proof: dpop !== null,
    boundToCertificate: tls !== null,
    pushed: pushedRequest !== null,
    signed: signedRequest !== null,
  };
}

/** Returns the authentication method that is easiest to try. */
function easiestAuthentication(methods: readonly ClientAuthenticationMethod[]): ExampleRequirements['authentication'] {
  const [header, body] = [methods.includes('client_secret_basic'), methods.includes('client_secret_post')];
  if (header && body) return 'secret';
  if (header) return 'secret-in-header';
  if (body) return 'secret-in-body';
  if (methods.includes('private_key_jwt')) return 'assertion';
  return methods.includes('none') ? 'none' : 'certificate';
}

/** Reports whether the application must sign assertions or requests. This server does not have the private key. */
export function needsSignature({ authentication, signed }: ExampleRequirements): boolean {
  return authentication === 'assertion' || signed;
}

/** Reports whether any requests need a TLS client certificate. Only the examples for curl show how to present one. */
export function needsCertificate({ authentication, boundToCertificate }: ExampleRequirements): boolean {
  return authentication === 'certificate' || boundToCertificate;
}
