import type { Confirmation } from '../../domain/confirmation.ts';
import type { TokenBudget } from '../../platform/limits/token-budget.ts';
import type { ServerSecurity } from '../../domain/security-profile.ts';
import { observedClient } from '../../domain/streams.ts';
import type { EpochSeconds, KeyId, UserId } from '../../domain/values.ts';
import type { CommandContext, RequestMetadata } from '../../event-store/command-handler.ts';
import type { Once } from '../../event-store/once.ts';
import type { Client } from '../../projections/clients.ts';
import type { RequireAcceptedDomain } from '../clients/document-policy.ts';
import { knownKeywords } from '../refusals/sanitize.ts';
import { oauthError } from './errors.ts';
import type { GrantType, TokenResponse } from '../grant-types/grant-type.ts';
import { requireDpopProof } from './required-dpop-proof.ts';
import { requireParameter, type Parameters } from './parameters.ts';

/** A token request from an authenticated client. */
export interface AuthenticatedTokenRequest {
  readonly grantType: GrantType;
  readonly parameters: Parameters;
  readonly client: Client;
  /** Whether the client authenticated with its previous secret. */
  readonly previousSecretUsed: boolean;
  /**
   * The id of the client's key in its certificate (`self_signed_tls_client_auth`); undefined if the client
   * authenticated in a different way.
   */
  readonly clientKeyId?: KeyId | undefined;
  /** The key or certificate whose possession the request proved; undefined if it proved none. */
  readonly confirmation: Confirmation | undefined;
  /** The client's IP address, or its /64 network for IPv6: the key for rate limits. */
  readonly address: string;
  readonly now: EpochSeconds;
  readonly requestMetadata: RequestMetadata;
  /** Runs an effect only once, even if the request is processed several times. */
  readonly once: Once;
}

/** The token endpoint (RFC 6749 §3.2), without HTTP and client authentication. */
export interface TokenEndpoint {
  /** The supported values of `grant_type`. */
  readonly grantTypes: readonly string[];
  /**
   * Returns the requested grant type.
   * @throws OAuthError `invalid_request` if `grant_type` is missing, `unsupported_grant_type` if it is unknown
   */
  selectGrantType(parameters: Parameters): GrantType;
  /**
   * Issues the tokens.
   * @throws OAuthError if the request is refused
   * @throws TooManyAttemptsError if the client, or this user of a public client, has exhausted its token budget
   * @throws DecisionOutdated if the client or the user has changed since the client authenticated
   */
  issue(request: AuthenticatedTokenRequest): Promise<TokenResponse>;
}

export function createTokenEndpoint(
  grantTypes: readonly GrantType[],
  budget: TokenBudget,
  requireAcceptedDomain: RequireAcceptedDomain,
  settings: ServerSecurity,
): TokenEndpoint {
  const grantTypesByName = new Map(grantTypes.map((grantType) => [grantType.name, grantType]));
  const names = [...grantTypesByName.keys()];

  return {
    grantTypes: names,

    selectGrantType(parameters) {
      const name = requireParameter(parameters, 'grant_type');
      const grantType = grantTypesByName.get(name);
      if (grantType !== undefined) return grantType;
      throw oauthError({
        rule: 'parameter-value',
        parameter: 'grant_type',
        allowed: names,
        seen: knownKeywords(name),
        length: name.length,
      });
    },

    async issue({
      grantType,
      parameters,
      client,
      previousSecretUsed,
      clientKeyId,
      confirmation,
      address,
      now,
      requestMetadata,
      once,
    }) {
      requireAcceptedDomain(client);
      requireDpopProof(client, confirmation, settings);
      const { requestId, traceparent } = requestMetadata;
      const actor = { kind: 'client', id: client.clientId } as const;
      const context: CommandContext = { actor, requestId, traceparent, basedOn: [observedClient(client)] };
      return grantType.exchange({
        parameters,
        client,
        previousSecretUsed,
        clientKeyId,
        confirmation,
        address,
        now,
        context,
        once,
        withinBudget: (userId, issue) => budget.spend(budgetKey(client, userId), issue),
      });
    },
  };
}

/**
 * Requires the client to be registered for the grant type.
 * @throws OAuthError `unauthorized_client` if it is not
 */
export function requireRegisteredGrantType(
  client: Client,
  { name, registeredAs }: Pick<GrantType, 'name' | 'registeredAs'>,
): void {
  if (registeredAs.some((grant) => client.grantTypes.includes(grant))) return;
  throw oauthError({
    rule: 'client-not-registered-for',
    grantType: name,
    registered: client.grantTypes,
  });
}

/**
 * Returns the key of the budget that issued tokens count against. A confidential client authenticates, so nobody else
 * can use up its budget. Anyone can use a public client, so each of its users has a separate budget.
 */
function budgetKey({ clientId, clientType }: Client, userId: UserId | null): string {
  return clientType === 'public' ? `${clientId}\0${userId}` : clientId; // client ids contain no NUL
}
