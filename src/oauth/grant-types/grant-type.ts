import type { AuthorizationDetail } from '../../domain/authorization-details.ts';
import { tokenType, type Confirmation } from '../../domain/confirmation.ts';
import type { CommandContext, CommandHandler, Outcome } from '../../event-store/command-handler.ts';
import type { Once } from '../../event-store/once.ts';
import type { Grant, GrantCommand, GrantEvent, GrantRefusal } from '../../domain/authorization-grant.ts';
import { formatScope, type Scope } from '../../domain/scope.ts';
import type { EpochSeconds, GrantId, KeyId, RegisteredGrant, UserId } from '../../domain/values.ts';
import type { Client } from '../../projections/clients.ts';
import type { DetailsToIssue } from '../details/token-details.ts';
import type { Parameters } from '../endpoints/parameters.ts';

/** A token request from an authenticated client that is registered for the grant type. */
export interface TokenRequest {
  readonly parameters: Parameters;
  readonly client: Client;
  /** Recorded with the access token: see `AuthenticatedClient`. */
  readonly previousSecretUsed: boolean;
  readonly clientKeyId?: KeyId | undefined;
  /** The key or certificate that the client proved possession of; undefined if the request contained no such proof. */
  readonly confirmation: Confirmation | undefined;
  readonly now: EpochSeconds;
  /** The client's IP address (for IPv6, its /64 network), to which rate limits apply. */
  readonly address: string;
  readonly context: CommandContext;
  readonly withinBudget: WithinBudget;
  /** Runs effects only once, even if the request is processed several times. */
  readonly once: Once;
}

/**
 * Runs the command that issues the tokens, unless the client, or the user of a public client, has exhausted the limit
 * on tokens per minute. A command that records nothing does not count toward the limit.
 * @throws TooManyAttemptsError if the limit is exhausted; the command is not run
 */
export type WithinBudget = (userId: UserId | null, issue: () => Promise<GrantOutcome>) => Promise<GrantOutcome>;

/** A successful response to a token request (RFC 6749 §5.1, RFC 9449 §5). */
export interface TokenResponse {
  readonly access_token: string;
  readonly expires_in: number;
  readonly token_type: 'Bearer' | 'DPoP';
  readonly scope: string;
  readonly refresh_token?: string | undefined;
  /** Present only with the `openid` scope (OpenID Connect Core §3.1.3.3). */
  readonly id_token?: string | undefined;
  /** The authorization details of the access token (RFC 9396 §7); absent if it has none. */
  readonly authorization_details?: readonly AuthorizationDetail[] | undefined;
  /** Present if the grant is managed (FAPI Grant Management §5.5). */
  readonly grant_id?: GrantId | undefined;
  /** Present only in the response to a token exchange (RFC 8693 §2.2.1). */
  readonly issued_token_type?: string | undefined;
}

export interface GrantType {
  /** The value of the `grant_type` parameter. */
  readonly name: string;
  /** The client must be registered for one of these grant types. */
  readonly registeredAs: readonly RegisteredGrant[];
  /**
   * Issues the requested tokens.
   * @throws OAuthError if the request is refused
   */
  exchange(request: TokenRequest): Promise<TokenResponse>;
}

export type GrantOutcome = Outcome<Grant, GrantEvent, GrantRefusal>;
export type GrantCommands = CommandHandler<GrantCommand, Grant, GrantEvent, GrantRefusal>;

/** The members of a response that only some grant types return. */
interface ResponseExtras {
  readonly refreshToken?: string | undefined;
  readonly idToken?: string | undefined;
  /** The id of a managed grant. */
  readonly grantId?: GrantId | undefined;
}

/** Returns a successful response with these tokens. */
export function tokenResponse(
  accessToken: string,
  lifetimeSeconds: number,
  scope: Scope,
  confirmation: Confirmation | undefined,
  details: DetailsToIssue | undefined,
  { refreshToken, idToken, grantId }: ResponseExtras = {},
): TokenResponse {
  return {
    access_token: accessToken,
    expires_in: lifetimeSeconds,
    token_type: tokenType(confirmation),
    scope: formatScope(scope),
    refresh_token: refreshToken,
    id_token: idToken,
    authorization_details: details?.contents,
    grant_id: grantId,
  };
}
