import type { TokenBudget } from '../../platform/limits/token-budget.ts';
import { clientAsRead } from '../../domain/streams.ts';
import type { EpochSeconds, UserId } from '../../domain/values.ts';
import type { CommandContext, RequestMetadata } from '../../event-store/command-handler.ts';
import type { Once } from '../../event-store/once.ts';
import type { Client } from '../../projections/clients.ts';
import { knownKeywords } from '../refusals/sanitize.ts';
import { oauthError } from './errors.ts';
import type { GrantType, TokenResponse } from '../grant-types/grant-type.ts';
import { requireParameter, type Parameters } from './parameters.ts';

/** A token request of an authenticated client. */
export interface TokenIssueRequest {
  readonly grantType: GrantType;
  readonly parameters: Parameters;
  readonly client: Client;
  /** Whether the client used the secret before its newest one. */
  readonly previousSecretUsed: boolean;
  /** Where the request comes from, as limits count it. */
  readonly address: string;
  readonly now: EpochSeconds;
  readonly requestMetadata: RequestMetadata;
  /** What the request does once, however often it is decided. */
  readonly once: Once;
}

/** What the token endpoint does (RFC 6749 §3.2), apart from HTTP and client authentication. */
export interface TokenEndpoint {
  /** The values that `grant_type` may have. */
  readonly grantTypes: readonly string[];
  /** @throws OAuthError `invalid_request` without `grant_type`, `unsupported_grant_type` for an unknown one */
  selectGrantType(parameters: Parameters): GrantType;
  /**
   * Issues nothing unless the client is still as it was when it authenticated.
   * @throws OAuthError the grant is refused
   * @throws TooManyAttempts the client, or this user of a public client, has all the tokens it may get within a minute
   * @throws DecisionOutdated the client or the user was changed meanwhile
   */
  issue(request: TokenIssueRequest): Promise<TokenResponse>;
}

export function createTokenEndpoint(grantTypes: readonly GrantType[], budget: TokenBudget): TokenEndpoint {
  const byName = new Map(grantTypes.map((grantType) => [grantType.name, grantType]));
  const names = [...byName.keys()];

  return {
    grantTypes: names,

    selectGrantType(parameters) {
      const name = requireParameter(parameters, 'grant_type');
      const grantType = byName.get(name);
      if (grantType !== undefined) return grantType;
      throw oauthError({
        rule: 'parameter-value',
        parameter: 'grant_type',
        allowed: names,
        seen: knownKeywords(name),
        length: name.length,
      });
    },

    issue({ grantType, parameters, client, previousSecretUsed, address, now, requestMetadata, once }) {
      const { requestId, traceparent } = requestMetadata;
      const actor = { kind: 'client', id: client.clientId } as const;
      const context: CommandContext = { actor, requestId, traceparent, basedOn: [clientAsRead(client)] };
      return grantType.exchange({
        parameters,
        client,
        previousSecretUsed,
        address,
        now,
        context,
        once,
        withinBudget: (userId, issue) => budget.spend(budgetKey(client, userId), issue),
      });
    },
  };
}

/** @throws OAuthError `unauthorized_client` the client is not registered for the grant type */
export function requireRegisteredGrantType(client: Client, { name, registeredAs }: GrantType): void {
  if (registeredAs.some((grant) => client.grantTypes.includes(grant))) return;
  throw oauthError({
    rule: 'client-not-registered-for',
    grantType: name,
    registered: client.grantTypes,
  });
}

/**
 * A confidential client has one budget: nobody else can spend it, because the client authenticates. Any user of a
 * public client can, so each has a budget of its own, and none uses up another's.
 */
function budgetKey({ clientId, clientType }: Client, userId: UserId | null): string {
  return clientType === 'public' ? `${clientId}\0${userId}` : clientId; // no client id has a NUL in it
}
