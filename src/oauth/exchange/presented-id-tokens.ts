import { isActiveGrant } from '../../domain/authorization-grant.ts';
import { grantStream } from '../../domain/streams.ts';
import type { Grants } from '../../projections/grants.ts';
import { OAuthError } from '../endpoints/errors.ts';
import type { GrantCommands } from '../grant-types/grant-type.ts';
import { grantIdFromJti, hashIdToken } from '../openid/id-token.ts';
import type { VerifyIdToken } from '../openid/id-token-hint.ts';
import { INVALID_EXCHANGED_TOKEN } from '../refusals/exchange-refusal.ts';
import type { RefusalOf } from '../refusals/refusal.ts';
import type { ReadPresentedToken } from './presented-token.ts';

/**
 * Creates the reader for this server's ID tokens in token exchanges. The `jti` of an ID token contains the id of its
 * grant. Only the latest ID token of a grant is accepted, because the grant's state contains no other. The exchange
 * uses the scope, resource servers and key of the access token that was issued with the ID token.
 */
export function createIdTokenReader(deps: {
  readonly grants: Pick<GrantCommands, 'observe'>;
  readonly liveGrants: Pick<Grants, 'isLive'>;
  readonly verifyIdToken: VerifyIdToken;
  /** For tokens that another node may have just issued; undefined if there is no other node. */
  readonly catchUp?: (() => Promise<void>) | undefined;
}): ReadPresentedToken {
  const { grants, liveGrants, verifyIdToken, catchUp } = deps;

  return async (value, parameter, { now, mayExchange }) => {
    const idTokenError = (problem: RefusalOf<'exchange-id-token'>['problem']): OAuthError =>
      new OAuthError('invalid_request', INVALID_EXCHANGED_TOKEN[parameter], {
        rule: 'exchange-id-token',
        parameter,
        problem,
      });
    const claims = await verifyIdToken(value);
    if (claims === undefined) throw idTokenError('not-verified');
    const grantId = grantIdFromJti(claims['jti']);
    if (grantId === undefined) throw idTokenError('no-id');
    if (!liveGrants.isLive(grantId)) await catchUp?.();
    const stream = grantStream(grantId);
    const { state, revision } = await grants.observe(stream);
    const { idToken, access, clientId, login } = state;
    if (revision === undefined || clientId === null) throw idTokenError('not-verified');
    /** Explains the problem only if the client may exchange tokens of the client that the ID token was issued to. */
    const disclosableError = (problem: RefusalOf<'exchange-id-token'>['problem']): OAuthError =>
      mayExchange(clientId)
        ? idTokenError(problem)
        : new OAuthError('invalid_request', INVALID_EXCHANGED_TOKEN[parameter], {
            rule: 'exchange-token-ended',
            parameter,
          });
    if (!isActiveGrant(state) || !liveGrants.isLive(grantId)) throw disclosableError('ended');
    const tokenHash = hashIdToken(value);
    if (idToken?.tokenHash !== tokenHash || access === null) throw disclosableError('not-newest');
    if (now >= idToken.expiresAt) throw disclosableError('expired');
    return {
      token: {
        grantId,
        clientId,
        userId: idToken.userId,
        tokenHash,
        tokenType: 'id_token',
        scope: access.scope,
        resource: access.resource ?? [],
        confirmation: access.confirmation,
        expiresAt: idToken.expiresAt,
        login,
        exchange: undefined,
      },
      basedOn: [{ stream, revision }],
      isStillValid: () => liveGrants.isLive(grantId),
      invalidTokenError: async () => disclosableError('ended'),
    };
  };
}
