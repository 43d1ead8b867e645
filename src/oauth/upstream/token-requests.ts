import type { EpochSeconds } from '../../domain/values.ts';
import { EgressError } from '../../platform/egress/egress-failed.ts';
import type { Egress, JsonResponse, JsonRequest } from '../../platform/egress/egress.ts';
import type { EgressPurpose } from '../../platform/egress/purposes.ts';
import type { UpstreamProvider } from '../../projections/upstream-providers.ts';
import { message, type Message } from '../../language/message.ts';
import { ASSERTION_TYPE } from '../clients/client-assertions.ts';
import { sanitizeMember } from '../refusals/sanitize.ts';
import type { ProviderDocument } from '../refusals/upstream-refusal.ts';
import type { SigningKeys } from '../signing/signing-keys.ts';
import { PRESETS } from './presets.ts';
import type { ProviderMetadata } from './provider-metadata.ts';
import type { ProviderSecrets } from './provider-secrets.ts';
import { UpstreamError } from './upstream-error.ts';

/** The tokens from a provider, which are used for one login and then discarded. */
export interface UpstreamTokens {
  readonly idToken: string;
  /** Null if the provider did not return a usable access token. */
  readonly accessToken: string | null;
}

/** Requests to a provider's token endpoint and userinfo endpoint. */
export interface TokenRequests {
  /**
   * Redeems an authorization code.
   * @throws UpstreamError if the client secret cannot be decrypted, or if the provider cannot be reached or returns an
   * error or no ID token
   */
  redeem(
    provider: UpstreamProvider,
    metadata: ProviderMetadata,
    code: { readonly code: string; readonly verifier: string },
    now: EpochSeconds,
  ): Promise<UpstreamTokens>;
  /**
   * Returns the claims in the userinfo response without verifying them.
   * @throws UpstreamError if the provider cannot be reached, or does not return a JSON document
   */
  userinfo(
    provider: UpstreamProvider,
    endpoint: string,
    accessToken: string,
  ): Promise<Readonly<Record<string, unknown>>>;
}

/** Returns the redirect URI for a provider. Each provider has a different one, which prevents mix-up attacks. */
export function callbackUri(issuer: string, { providerId }: { readonly providerId: string }): string {
  return `${issuer}/accounts/login/provider/${providerId}/callback/`;
}

const ASSERTION_SECONDS = 60;
const MAX_TOKEN_LENGTH = 32_768;

export function createTokenRequests(deps: {
  readonly egress: Pick<Egress, 'requestJson'>;
  readonly secrets: Pick<ProviderSecrets, 'open'>;
  readonly signingKeys: Pick<SigningKeys, 'sign'>;
  readonly mintId: () => string;
  readonly issuer: () => string;
}): TokenRequests {
  const { egress, secrets, signingKeys, mintId, issuer } = deps;

  async function request(
    { providerId }: UpstreamProvider,
    purpose: EgressPurpose,
    what: ProviderDocument,
    url: string,
    options: JsonRequest,
  ): Promise<JsonResponse> {
    return egress.requestJson(purpose, url, options).catch((error: unknown) => {
      if (!(error instanceof EgressError)) throw error;
      throw new UpstreamError({ rule: 'upstream-unavailable', provider: providerId, what, problem: error.problem });
    });
  }

  function openSecret({ providerId, sealedSecret }: UpstreamProvider): string {
    const secret = sealedSecret === null ? undefined : secrets.open(providerId, sealedSecret);
    if (secret !== undefined) return secret;
    const problem = message('provider-tokens.secret');
    throw new UpstreamError({ rule: 'upstream-unavailable', provider: providerId, what: 'tokens', problem });
  }

  /** Returns this server's credentials in the form that the provider expects (OpenID Connect Core §9). */
  async function credentialsFor(
    provider: UpstreamProvider,
    { tokenEndpoint }: ProviderMetadata,
    now: EpochSeconds,
  ): Promise<{ readonly form: Readonly<Record<string, string>>; readonly authorization: string | null }> {
    const { clientId } = provider;
    switch (provider.authentication) {
      case 'none':
        return { form: { client_id: clientId }, authorization: null };
      case 'client_secret_post':
        return { form: { client_id: clientId, client_secret: openSecret(provider) }, authorization: null };
      case 'client_secret_basic': {
        const pair = [clientId, openSecret(provider)].map(formEncode).join(':');
        return { form: {}, authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
      }
      case 'private_key_jwt': {
        const times = { iat: now, exp: now + ASSERTION_SECONDS };
        const aud = PRESETS[provider.preset].assertionAudience === 'issuer' ? provider.issuer : tokenEndpoint;
        const claims = { iss: clientId, sub: clientId, aud, jti: mintId(), ...times };
        // Anyone can cause this signature by beginning a login. However, signing introduces a key only if there is no
        // usable one, as the key rotation would do anyway.
        const { jws } = await signingKeys.sign('RS256', 'JWT', claims, now);
        const assertion = { client_assertion_type: ASSERTION_TYPE, client_assertion: jws };
        return { form: { client_id: clientId, ...assertion }, authorization: null };
      }
    }
  }

  return {
    async redeem(provider, metadata, { code, verifier }, now) {
      const { form, authorization } = await credentialsFor(provider, metadata, now);
      const { status, document } = await request(provider, 'provider-tokens', 'tokens', metadata.tokenEndpoint, {
        authorization,
        form: {
          grant_type: 'authorization_code',
          code,
          redirect_uri: callbackUri(issuer(), provider),
          code_verifier: verifier,
          ...form,
        },
      });
      const { id_token: idToken, access_token: accessToken, error } = toObject(document);
      const refuse = (reason: Message): UpstreamError =>
        new UpstreamError({ rule: 'upstream-code-refused', provider: provider.providerId, error: reason });
      if (status >= 400) throw refuse(message('upstream-error.status', { status, error: sanitizeMember(error) }));
      if (typeof idToken !== 'string' || idToken.length > MAX_TOKEN_LENGTH)
        throw refuse(message('upstream-error.no-id-token'));
      const isUsable = typeof accessToken === 'string' && /^[\x21-\x7e]{1,32768}$/.test(accessToken);
      return { idToken, accessToken: isUsable ? accessToken : null };
    },

    async userinfo(provider, endpoint, accessToken) {
      const options = { form: null, authorization: `Bearer ${accessToken}` };
      const { status, document } = await request(provider, 'provider-userinfo', 'userinfo', endpoint, options);
      if (status < 400) return toObject(document);
      const problem = message('egress.status', { status });
      throw new UpstreamError({
        rule: 'upstream-unavailable',
        provider: provider.providerId,
        what: 'userinfo',
        problem,
      });
    },
  };
}

/** Form-encodes a client id or secret (RFC 6749 §2.3.1). */
function formEncode(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}

function toObject(document: unknown): Readonly<Record<string, unknown>> {
  return typeof document === 'object' && document !== null && !Array.isArray(document) ? { ...document } : {};
}
