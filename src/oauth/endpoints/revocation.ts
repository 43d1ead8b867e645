import type { EpochSeconds, GrantId } from '../../domain/values.ts';
import { grantStream } from '../../domain/streams.ts';
import type { RequestMetadata } from '../../event-store/command-handler.ts';
import type { AccessTokens } from '../../projections/access-tokens.ts';
import type { Client } from '../../projections/clients.ts';
import { parseAccessToken } from '../credentials/credentials.ts';
import type { LiveGrants } from '../grant-types/authorization-code.ts';
import type { GrantCommands } from '../grant-types/grant-type.ts';
import type { WasIssued } from '../credentials/issued-refresh-tokens.ts';
import { requireParameter, type Parameters } from './parameters.ts';
import type { RefreshTokens } from '../credentials/refresh-tokens.ts';
import type { CatchUpIfGenuine } from '../credentials/unknown-credentials.ts';

/** A revocation request from an authenticated client. */
export interface RevocationRequest {
  readonly parameters: Parameters;
  readonly client: Client;
  readonly now: EpochSeconds;
  readonly requestMetadata: RequestMetadata;
}

/**
 * Handles a revocation request (RFC 7009). Revoking an access token or a refresh token revokes its whole grant, with
 * one event. The response does not reveal whether the token is unknown, has expired or belongs to a different client.
 * An expired access token revokes nothing.
 * @throws OAuthError `invalid_request` if `token` is missing
 */
export type RevocationEndpoint = (request: RevocationRequest) => Promise<void>;

export function createRevocationEndpoint(deps: {
  readonly grants: GrantCommands;
  readonly liveGrants: LiveGrants;
  readonly accessTokens: Pick<AccessTokens, 'find'>;
  /** The newest time in the log, in milliseconds since the epoch. */
  readonly newestAt: () => number;
  readonly refreshTokens: Pick<RefreshTokens, 'parse'>;
  readonly wasIssued: WasIssued;
  /** Catches up with the log if the token is unknown, because another node may have just issued it. */
  readonly catchUpIfGenuine?: CatchUpIfGenuine | undefined;
}): RevocationEndpoint {
  const { grants, liveGrants, accessTokens, newestAt, refreshTokens, wasIssued, catchUpIfGenuine } = deps;

  function findAccessTokenGrant(token: string, client: Client, now: EpochSeconds): GrantId | undefined {
    const hash = parseAccessToken(token);
    if (hash === undefined) return undefined;
    // The second lookup finds tokens that were issued while the clock was ahead and would become valid later. Its time
    // is never before `now`, because it would otherwise find expired tokens.
    const access = accessTokens.find(hash, now) ?? accessTokens.find(hash, Math.max(now, newestAt() / 1000));
    return access?.clientId === client.clientId ? access.grantId : undefined;
  }

  async function findRefreshTokenGrant(token: string, client: Client): Promise<GrantId | undefined> {
    const presentedToken = refreshTokens.parse(token);
    if (presentedToken === undefined || !liveGrants.isLive(presentedToken.grantId)) return undefined;
    // Also accepts a rotated token, because its client may not have received the response with the successor.
    return (await wasIssued(presentedToken, client.clientId)) ? presentedToken.grantId : undefined;
  }

  const findGrant = async (token: string, client: Client, now: EpochSeconds): Promise<GrantId | undefined> =>
    findAccessTokenGrant(token, client, now) ?? (await findRefreshTokenGrant(token, client));

  return async ({ parameters, client, now, requestMetadata }) => {
    const token = requireParameter(parameters, 'token');
    let grantId = await findGrant(token, client, now);
    if (grantId === undefined && (await catchUpIfGenuine?.(token)) === true)
      grantId = await findGrant(token, client, now);
    if (grantId === undefined) return;
    const context = { actor: { kind: 'client', id: client.clientId }, ...requestMetadata } as const;
    await grants.execute(grantStream(grantId), { type: 'RevokeGrant', reason: 'revoked-by-client' }, context);
  };
}
