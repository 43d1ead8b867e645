import type { CommandContext, CommandHandler } from '../../eventsourcing/command-handler.ts';
import type { Grant, GrantCommand, GrantEvent, GrantRefusal } from '../../domain/authorization-grant.ts';
import { formatScope, type Scope } from '../../domain/scope.ts';
import type { EpochSeconds, RegisteredGrant } from '../../domain/values.ts';
import type { Client } from '../../projections/clients.ts';
import type { Parameters } from '../parameters.ts';

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
}

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

export type GrantCommands = CommandHandler<GrantCommand, Grant, GrantEvent, GrantRefusal>;

export function tokenResponse(accessToken: string, lifetimeSeconds: number, scope: Scope, refreshToken?: string): TokenResponse {
  const said = formatScope(scope);
  return refreshToken === undefined
    ? { access_token: accessToken, expires_in: lifetimeSeconds, token_type: 'Bearer', scope: said }
    : { access_token: accessToken, expires_in: lifetimeSeconds, token_type: 'Bearer', scope: said, refresh_token: refreshToken };
}
