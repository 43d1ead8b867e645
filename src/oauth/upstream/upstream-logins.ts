import { message } from '../../language/message.ts';
import { hash, timingSafeEqual } from 'node:crypto';
import { identityOf, lacksClaims, type UpstreamIdentity } from '../../domain/upstream-identity.ts';
import type { EpochSeconds } from '../../domain/values.ts';
import type { Entropy } from '../../platform/ports.ts';
import type { UpstreamProvider, UpstreamProviders } from '../../projections/upstream-providers.ts';
import { sanitize } from '../refusals/sanitize.ts';
import type { VerifiedIdToken, VerifyUpstreamToken } from './id-tokens.ts';
import { issuerInMetadata, PRESETS } from './presets.ts';
import type { LoginObserver, LoginStep } from './last-tests.ts';
import { metadataUrl, type ProviderMetadata, type ReadProviderMetadata } from './provider-metadata.ts';
import type { StartedLogin, StartedLogins } from './started-logins.ts';
import { callbackUri, type TokenRequests, type UpstreamTokens } from './token-requests.ts';
import { UpstreamError } from './upstream-error.ts';

/** The parameters of a provider's response (OpenID Connect Core §3.1.2.5, RFC 9207 §2). */
export interface UpstreamResponse {
  readonly code: string | undefined;
  readonly state: string | undefined;
  readonly iss: string | undefined;
  readonly error: string | undefined;
}

export interface CompletedLogin {
  readonly provider: UpstreamProvider;
  readonly identity: UpstreamIdentity;
  readonly startedLogin: StartedLogin;
}

/** Logins through OpenID providers, with the authorization code flow, PKCE and a nonce. */
export interface UpstreamLogins {
  /**
   * Returns the URL where the browser continues, and the ticket that it must send back.
   * @throws UpstreamError if the provider's metadata cannot be read
   */
  begin(
    provider: UpstreamProvider,
    login: Pick<StartedLogin, 'next' | 'linksTo' | 'asksAgain'>,
    binding: string,
    now: EpochSeconds,
  ): Promise<{ readonly url: string; readonly ticket: string }>;
  /**
   * Returns the login that the response belongs to.
   * @param providerId the id of the provider whose redirect URI received the response
   * @throws UpstreamError if the response does not belong to a login that this browser began with this provider
   */
  recognize(
    providerId: string,
    response: UpstreamResponse,
    ticket: string | undefined,
    binding: string,
    now: EpochSeconds,
  ): StartedLogin;
  /**
   * Returns the account that the user authenticated with.
   * @throws UpstreamError if the login failed at the provider, if the provider has changed or cannot be reached, or if
   * its response is not accepted
   */
  complete(startedLogin: StartedLogin, response: UpstreamResponse, now: EpochSeconds): Promise<CompletedLogin>;
}

const SECRET_BYTES = 32;
const CLOCK_TOLERANCE_SECONDS = 60;

export function createUpstreamLogins(deps: {
  readonly providers: Pick<UpstreamProviders, 'find' | 'findEnabled'>;
  readonly startedLogins: StartedLogins;
  readonly readMetadata: ReadProviderMetadata;
  readonly tokenRequests: TokenRequests;
  readonly verifyToken: VerifyUpstreamToken;
  readonly loginObserver: LoginObserver;
  readonly entropy: Entropy;
  readonly issuer: () => string;
}): UpstreamLogins {
  const { providers, startedLogins, tokenRequests, verifyToken, loginObserver, entropy, issuer } = deps;
  const mint = (): string => entropy.bytes(SECRET_BYTES).toString('base64url');

  /** Waits for the request, and reports its success or failure to the observer. */
  async function observeRequest<Result>(
    request: Promise<Result>,
    { provider, step, url, now }: LoginRequest,
  ): Promise<Result> {
    try {
      const result = await request;
      loginObserver.succeeded(provider, step);
      return result;
    } catch (error) {
      if (error instanceof UpstreamError) loginObserver.failed(provider, step, url, error, now);
      throw error;
    }
  }

  const readMetadata = (provider: UpstreamProvider, now: EpochSeconds): Promise<ProviderMetadata> =>
    observeRequest(deps.readMetadata(provider), { provider, step: 'metadata', url: metadataUrl(provider), now });

  /**
   * Returns the provider that a login uses.
   * @throws UpstreamError if its settings have changed since the login began
   */
  function currentProvider({ providerId, settingsAt }: StartedLogin): UpstreamProvider {
    const provider = providers.findEnabled(providerId);
    if (provider !== undefined && provider.position === settingsAt) return provider;
    const isRemoved = providers.find(providerId) === undefined;
    throw new UpstreamError({ rule: 'upstream-provider-changed', provider: providerId, isRemoved });
  }

  /** Returns the claims in the ID token and, if it lacks needed claims, those in the userinfo response. */
  async function collectClaims(
    provider: UpstreamProvider,
    { userinfoEndpoint }: ProviderMetadata,
    { claims, subject }: VerifiedIdToken,
    { accessToken }: UpstreamTokens,
  ): Promise<Readonly<Record<string, unknown>>> {
    if (userinfoEndpoint === null || accessToken === null || !lacksClaims(claims, provider)) return claims;
    const userinfo = await tokenRequests.userinfo(provider, userinfoEndpoint, accessToken);
    if (userinfo['sub'] !== subject)
      throw new UpstreamError({
        rule: 'upstream-token-invalid',
        provider: provider.providerId,
        check: 'userinfo-subject',
        expected: message('upstream-check.subject-of-token'),
        seen: message('upstream-check.another-subject'),
      });
    // `email` and `email_verified` must come from the same document.
    const { email_verified: _emailVerified, ...otherClaims } = userinfo;
    return { ...(claims['email'] === undefined ? userinfo : otherClaims), ...claims };
  }

  return {
    async begin(provider, login, binding, now) {
      const { authorizationEndpoint } = await readMetadata(provider, now);
      const { providerId, clientId, scopes, preset } = provider;
      const [state, nonce, verifier] = [mint(), mint(), mint()];
      const url = new URL(authorizationEndpoint);
      const parameters = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: callbackUri(issuer(), provider),
        scope: scopes.join(' '),
        state,
        nonce,
        code_challenge: hash('sha256', verifier, 'base64url'),
        code_challenge_method: 'S256',
        ...(login.asksAgain && { prompt: PRESETS[preset].freshPrompt, max_age: '0' }),
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      const startedLogin = { ...login, providerId, settingsAt: provider.position, state, nonce, verifier, at: now };
      return { url: url.href, ticket: startedLogins.seal(startedLogin, binding) };
    },

    recognize(providerId, { state = '' }, ticket, binding, now) {
      const login = ticket === undefined ? undefined : startedLogins.open(ticket, binding, now);
      if (login === undefined) throw new UpstreamError({ rule: 'upstream-login-unknown', why: 'not-of-browser' });
      if (login === 'expired') throw new UpstreamError({ rule: 'upstream-login-unknown', why: 'expired' });
      if (login.providerId !== providerId || !equalsInConstantTime(login.state, state))
        throw new UpstreamError({ rule: 'upstream-login-unknown', why: 'other-state' });
      return login;
    },

    async complete(startedLogin, { code = '', iss, error }, now) {
      const provider = currentProvider(startedLogin);
      const { providerId } = provider;
      const metadata = await readMetadata(provider, now);
      checkIssuer(provider, metadata, iss);
      if (error !== undefined)
        throw new UpstreamError({ rule: 'upstream-denied', provider: providerId, error: sanitize(error) });
      const { nonce, verifier } = startedLogin;
      const { keysUri, tokenEndpoint } = metadata;
      const tokens = await observeRequest(tokenRequests.redeem(provider, metadata, { code, verifier }, now), {
        provider,
        step: 'client',
        url: tokenEndpoint,
        now,
      });
      const idToken = await observeRequest(verifyToken(tokens.idToken, provider, { keysUri, nonce, now }), {
        provider,
        step: 'keys',
        url: keysUri,
        now,
      });
      const claims = await collectClaims(provider, metadata, idToken, tokens);
      const { issuer: tokenIssuer, subject } = idToken;
      const identity = identityOf(claims, { providerId, issuer: tokenIssuer, subject }, provider);
      checkFreshness(identity, startedLogin);
      const { authenticatedAt } = identity;
      const cappedTime = authenticatedAt === null ? null : (Math.min(authenticatedAt, now) as EpochSeconds);
      return {
        provider: currentProvider(startedLogin),
        identity: { ...identity, authenticatedAt: cappedTime },
        startedLogin,
      };
    },
  };
}

interface LoginRequest {
  readonly provider: UpstreamProvider;
  readonly step: LoginStep;
  /** The URL that is requested. */
  readonly url: string;
  readonly now: EpochSeconds;
}

function equalsInConstantTime(left: string, right: string): boolean {
  const [leftBytes, rightBytes] = [Buffer.from(left), Buffer.from(right)];
  return leftBytes.length === rightBytes.length && timingSafeEqual(leftBytes, rightBytes);
}

/** Checks the `iss` parameter of a response (RFC 9207 §2.4). */
function checkIssuer(provider: UpstreamProvider, { sendsIssuer }: ProviderMetadata, actual: string | undefined): void {
  const expected = issuerInMetadata(provider);
  // If an Entra issuer is for several tenants, only the ID token contains the tenant's issuer.
  const isAccepted = actual === undefined ? !sendsIssuer : actual === expected;
  if (isAccepted) return;
  throw new UpstreamError({
    rule: 'upstream-issuer-differs',
    provider: provider.providerId,
    expected,
    seen: actual === undefined ? null : sanitize(actual),
  });
}

function checkFreshness({ providerId, authenticatedAt }: UpstreamIdentity, login: StartedLogin): void {
  const { asksAgain, at } = login;
  // Some providers do not report the time, even if they make the user authenticate or choose an account again.
  if (!asksAgain || authenticatedAt === null || authenticatedAt >= at - CLOCK_TOLERANCE_SECONDS) return;
  const secondsAgo = at - authenticatedAt;
  throw new UpstreamError({ rule: 'upstream-login-too-old', provider: providerId, secondsAgo });
}
