import { usesSecret } from '../../../domain/client-authentication.ts';
import { validPreviousSecret } from '../../../domain/previous-secret.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { ServerSecurity } from '../../../domain/security-profile.ts';
import { builtinCallbackUri } from '../../../oauth/clients/builtin-callback.ts';
import type { Registration } from '../../../oauth/clients/registration.ts';
import type { Message } from '../../../language/message.ts';
import type { CertificateSupport } from '../../../oauth/endpoints/certificate-metadata.ts';
import type { Entropy } from '../../../platform/ports.ts';
import type { Client } from '../../../projections/clients.ts';
import { applicationHeading } from './application-heading.ts';
import { certificateProblem, CERTIFICATES_NOT_RECEIVED } from './certificate-problem.ts';
import type { ApplicationLocals, OldSecret, TryItLocals } from './locals.ts';
import { openIdDiffersFromDefault } from './openid-fields.ts';
import { protectionLocals } from './protection-locals.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import { chosenLanguage } from './try-it/language-choice.ts';
import { mintPkcePair } from './try-it/pkce.ts';
import { requirementsOf, type ExampleRequirements } from './try-it/requirements.ts';

export interface ApplicationPageDeps {
  readonly registration: Pick<Registration, 'forbiddenRedirectUris'>;
  readonly entropy: Entropy;
  readonly issuer: () => string;
  readonly now: () => EpochSeconds;
  readonly certificateSupport: CertificateSupport;
  readonly settings: ServerSecurity & {
    readonly sampleApi: boolean;
    readonly pkceMethods: readonly ('S256' | 'plain')[];
  };
}

/** Returns the locals for the pages that show example requests for an application. */
export function tryItLocals(
  ctx: RequestContext,
  { user }: LoggedInUser,
  client: Client,
  deps: ApplicationPageDeps,
): TryItLocals {
  const { registration, entropy, issuer, certificateSupport, now, settings } = deps;
  const uri = builtinCallbackUri(issuer(), client.clientId);
  const requirements = requirementsOf(client, settings);
  const forbiddenRedirectUris = registration.forbiddenRedirectUris(client);
  return {
    application: applicationLocals(client),
    username: user.username,
    language: chosenLanguage(ctx),
    forbiddenRedirectUris,
    builtinCallback: {
      uri,
      isUsable: client.redirectUris.includes(uri) && forbiddenRedirectUris.every((candidate) => candidate.uri !== uri),
    },
    tryIt: {
      issuer: issuer(),
      sampleApi: settings.sampleApi,
      requirements,
      mtlsBase: certificateSupport.mtlsBase(),
      now: now(),
      certificateProblem: exampleCertificateProblem(client, requirements, certificateSupport),
      rsaAlgorithm: client.authentication.keys.some(({ algorithm }) => algorithm === 'RS256') ? 'RS256' : 'PS256',
      state: entropy.bytes(STATE_BYTES).toString('base64url'),
      nonce: entropy.bytes(STATE_BYTES).toString('base64url'),
      pkce: mintPkcePair(entropy, settings.pkceMethods),
    },
  };
}

const STATE_BYTES = 16;

function exampleCertificateProblem(
  { authentication }: Client,
  requirements: ExampleRequirements,
  support: CertificateSupport,
): Message | null {
  if (requirements.authentication === 'certificate') return certificateProblem(authentication.methods, support);
  return requirements.boundToCertificate && !support.receivesCertificates ? CERTIFICATES_NOT_RECEIVED : null;
}

export function applicationLocals(client: Client): ApplicationLocals {
  const { clientId, clientType, grantTypes, redirectUris, allowedOrigins, openid } = client;
  const { accessTokenFormat, accessTokenAlgorithm, detailTypes = null } = client;
  return {
    ...applicationHeading(client),
    clientId,
    clientType,
    grants: grantTypes,
    redirectUris,
    allowedOrigins,
    accessTokenFormat,
    accessTokenAlgorithm,
    detailTypes,
    usesSecret: usesSecret(client.authentication),
    hasSecret: client.secret !== null,
    protection: protectionLocals(client),
    openid: { ...openid, differsFromDefault: openIdDiffersFromDefault(openid) },
  };
}

/** Returns the expiry and last use of the previous secret, or null if no previous secret is valid. */
export function oldSecretLocals(client: Client, now: EpochSeconds): OldSecret | null {
  const previous = validPreviousSecret(client, now);
  return previous === null ? null : { expiresAt: previous.until, lastUsed: client.lastUse.previousSecret?.at ?? null };
}

/** Returns the path of the application's page for its owners. */
export function applicationPath({ clientId }: Pick<Client, 'clientId'>): string {
  return `/o/applications/${encodeURIComponent(clientId)}/`;
}
