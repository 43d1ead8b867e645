import type { CommandContext, CommandHandler, Outcome } from '../../event-store/command-handler.ts';
import type { Once } from '../../event-store/once.ts';
import type { Grant, GrantCommand, GrantEvent, GrantRefusal } from '../../domain/authorization-grant.ts';
import { formatScope, type Scope } from '../../domain/scope.ts';
import type { EpochSeconds, RegisteredGrant, UserId } from '../../domain/values.ts';
import type { Client } from '../../projections/clients.ts';
import type { Parameters } from '../endpoints/parameters.ts';

/** A token request whose client is authenticated and registered for the grant. */
export interface TokenRequest {
  readonly parameters: Parameters;
  readonly client: Client;
  /** What the access token's event is to say of it: see `Authenticated`. */
  readonly previousSecretUsed: boolean;
  readonly now: EpochSeconds;
  /** Where the request comes from, as far as limits care. */
  readonly address: string;
  readonly context: CommandContext;
  readonly withinBudget: WithinBudget;
  /** What the request does once, however often it is decided. */
  readonly once: Once;
}

/**
 * Runs the command that issues the tokens, unless all were issued that the client, or the user of a public client, may get
 * within a minute. A command that records nothing costs nothing.
 * @throws TooManyAttempts the command was not run
 */
export type WithinBudget = (userId: UserId | null, issue: () => Promise<GrantOutcome>) => Promise<GrantOutcome>;

/** RFC 6749 §5.1, member by member. */
export interface TokenResponse {
  readonly access_token: string;
  readonly expires_in: number;
  readonly token_type: 'Bearer';
  readonly scope: string;
  readonly refresh_token?: string;
}

export interface GrantType {
  /** The `grant_type` parameter that asks for it. */
  readonly name: string;
  /** The client must be registered for one of these. */
  readonly registeredAs: readonly RegisteredGrant[];
  /** @throws OAuthError the request is refused */
  exchange(request: TokenRequest): Promise<TokenResponse>;
}

export type GrantOutcome = Outcome<Grant, GrantEvent, GrantRefusal>;
export type GrantCommands = CommandHandler<GrantCommand, Grant, GrantEvent, GrantRefusal>;

export function tokenResponse(
  accessToken: string,
  lifetimeSeconds: number,
  scope: Scope,
  refreshToken?: string,
): TokenResponse {
  const said = formatScope(scope);
  return refreshToken === undefined
    ? { access_token: accessToken, expires_in: lifetimeSeconds, token_type: 'Bearer', scope: said }
    : {
        access_token: accessToken,
        expires_in: lifetimeSeconds,
        token_type: 'Bearer',
        scope: said,
        refresh_token: refreshToken,
      };
}
