import { SIGNING_ALGORITHMS } from '../../domain/values.ts';
import { EgressError } from '../../platform/egress/egress-failed.ts';
import type { Egress } from '../../platform/egress/egress.ts';
import { outgoingUrlProblem, type OutgoingUrlSettings } from '../../platform/egress/outgoing-url.ts';
import type { UpstreamProvider } from '../../projections/upstream-providers.ts';
import { message, type Message, type Text } from '../../language/message.ts';
import { issuerInMetadata } from './presets.ts';
import { UpstreamError } from './upstream-error.ts';

/** The part of a provider's metadata (OpenID Connect Discovery §3) that a login needs. */
export interface ProviderMetadata {
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly keysUri: string;
  /** Null if the provider has none. */
  readonly userinfoEndpoint: string | null;
  /** Whether the provider's authorization responses contain the issuer (RFC 9207 §3). */
  readonly sendsIssuer: boolean;
}

/**
 * Reads a provider's metadata.
 * @throws UpstreamError if the metadata cannot be read, is not usable, or belongs to a different issuer
 */
export type ReadProviderMetadata = (
  provider: Pick<UpstreamProvider, 'providerId' | 'preset' | 'issuer'>,
) => Promise<ProviderMetadata>;

/** Creates a function that reads metadata. The metadata is cached for as long as the provider allows, up to an hour. */
export function createProviderMetadataReader(
  egress: Pick<Egress, 'getJson'>,
  settings: OutgoingUrlSettings,
): ReadProviderMetadata {
  return async (provider) => {
    const refuse = (problem: Text): UpstreamError =>
      new UpstreamError({ rule: 'upstream-unavailable', provider: provider.providerId, what: 'metadata', problem });
    const document = await egress.getJson('provider-metadata', metadataUrl(provider)).catch((error: unknown) => {
      throw error instanceof EgressError ? refuse(error.problem) : error;
    });
    const result = readMetadata(document, issuerInMetadata(provider), settings);
    if ('problem' in result) throw refuse(result.problem);
    return result;
  };
}

/** Returns the URL of the metadata (OpenID Connect Discovery §4). */
export function metadataUrl({ issuer }: Pick<UpstreamProvider, 'issuer'>): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

function readMetadata(
  document: unknown,
  issuer: string,
  settings: OutgoingUrlSettings,
): ProviderMetadata | { readonly problem: Message } {
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    return { problem: message('provider-metadata.not-object') };
  const metadata = document as Readonly<Record<string, unknown>>;
  if (metadata['issuer'] !== issuer) return { problem: message('provider-metadata.other-issuer') };
  const algorithms = metadata['id_token_signing_alg_values_supported'];
  if (Array.isArray(algorithms) && !SIGNING_ALGORITHMS.some((name) => algorithms.includes(name)))
    return { problem: message('provider-metadata.algorithms', { choices: SIGNING_ALGORITHMS.join(', ') }) };
  const readUrl = (member: string): string => {
    const value = metadata[member];
    return typeof value === 'string' && outgoingUrlProblem(value, settings) === undefined ? value : '';
  };
  const endpoints = {
    authorizationEndpoint: readUrl('authorization_endpoint'),
    tokenEndpoint: readUrl('token_endpoint'),
    keysUri: readUrl('jwks_uri'),
  };
  const isIncomplete = Object.values(endpoints).includes('');
  if (isIncomplete) return { problem: message('provider-metadata.addresses') };
  return {
    ...endpoints,
    userinfoEndpoint: readUrl('userinfo_endpoint') || null,
    sendsIssuer: metadata['authorization_response_iss_parameter_supported'] === true,
  };
}
