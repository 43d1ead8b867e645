import type { TokenBudget } from '../../platform/limits/token-budget.ts';
import { clientAsRead } from '../../domain/streams.ts';
import type { EpochSeconds, UserId } from '../../domain/values.ts';
import type { CommandContext, RequestMetadata } from '../../event-store/command-handler.ts';
import { decideAgain } from '../../event-store/decide-again.ts';
import type { Once } from '../../event-store/once.ts';
import type { Client } from '../../projections/clients.ts';
import type { ClientAuthentication } from '../clients/client-authentication.ts';
import { knownKeywords } from '../refusals/sanitize.ts';
import { OAuthError } from './errors.ts';
import type { GrantType, TokenResponse } from '../grant-types/grant-type.ts';
import { requireParameter, type Parameters } from './parameters.ts';

/** A POST to an endpoint that clients authenticate at. */
export interface ClientRequest {
  readonly parameters: Parameters;
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** Where it comes from, as far as limits care. */
  readonly address: string;
  readonly requestMetadata: RequestMetadata;
  readonly now: () => EpochSeconds;
  /** Told at once, before anything else can go wrong: from then on the answer is that client's. */
  readonly onAuthenticated?: (client: Client) => void;
  /** Told whose access token it was that did not authenticate the request. */
  readonly onBearerOf?: (clientId: string | null, isLive: boolean) => void;
}

/**
 * RFC 6749 §3.2: authenticate, pick the grant type, answer.
 * @throws OAuthError the request is refused
 * @throws TooManyAttempts all tokens were issued that the client, or this user of a public one, may get within a minute
 */
export type TokenEndpoint = (request: ClientRequest) => Promise<TokenResponse>;

export function createTokenEndpoint(
  authentication: ClientAuthentication,
  grantTypes: readonly GrantType[],
  budget: TokenBudget,
): TokenEndpoint {
  const byName = new Map(grantTypes.map((grantType) => [grantType.name, grantType]));

  function grantTypeOf(parameters: Parameters): GrantType {
    const asked = requireParameter(parameters, 'grant_type');
    const grantType = byName.get(asked);
    if (grantType === undefined) {
      const allowed = [...byName.keys()];
      throw new OAuthError('unsupported_grant_type', `grant_type must be one of ${allowed.join(', ')}`, {
        rule: 'parameter-value',
        parameter: 'grant_type',
        allowed,
        seen: knownKeywords(asked),
        length: asked.length,
      });
    }
    return grantType;
  }

  /** Nothing is issued unless the client still is as it was when it authenticated. */
  async function answer(grantType: GrantType, request: ClientRequest, once: Once): Promise<TokenResponse> {
    const { parameters, authorization, address, requestMetadata: mark, now, onAuthenticated } = request;
    const { client, previousSecretUsed } = await authentication.authenticate(authorization, parameters, now(), address);
    onAuthenticated?.(client);
    if (!isRegisteredFor(client, grantType)) {
      throw new OAuthError(
        'unauthorized_client',
        `this client is not registered for the grant type ${grantType.name}`,
        {
          rule: 'client-not-registered-for',
          grantType: grantType.name,
          registered: client.grantTypes,
        },
      );
    }
    const [actor, { requestId, traceparent }] = [{ kind: 'client', id: client.clientId } as const, mark];
    const context: CommandContext = { actor, requestId, traceparent, basedOn: [clientAsRead(client)] };
    return grantType.exchange({
      parameters,
      client,
      previousSecretUsed,
      address,
      now: now(),
      context,
      once,
      withinBudget: (userId, issue) => budget.spend(budgetKey(client, userId), issue),
    });
  }

  return async (request) => {
    const grantType = grantTypeOf(request.parameters);
    return decideAgain((once) => answer(grantType, request, once));
  };
}

/**
 * A confidential client has one budget: nobody else can spend it, because the client authenticates. Any user of a public
 * client can, so each has a budget of its own, and none uses up another's.
 */
function budgetKey({ clientId, clientType }: Client, userId: UserId | null): string {
  return clientType === 'public' ? `${clientId}\0${userId}` : clientId; // no client id has a NUL in it
}

function isRegisteredFor(client: Client, { registeredAs }: GrantType): boolean {
  return registeredAs.some((grant) => client.grantTypes.includes(grant));
}
