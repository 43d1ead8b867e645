import type { EarlierExchange } from '../../domain/token-exchange.ts';
import type { ClientId } from '../../domain/values.ts';
import type { AccessToken } from '../../projections/access-token.ts';
import type { Exchange } from '../../projections/exchange.ts';
import type { Exchanges } from '../../projections/exchanges.ts';
import type { Grants } from '../../projections/grants.ts';
import { parseAccessToken } from '../credentials/credentials.ts';
import type { IssuedDetails } from '../details/presented-details.ts';
import type { PresentedTokens } from '../credentials/presented-tokens.ts';
import type { CatchUpIfGenuine } from '../credentials/unknown-credentials.ts';
import { OAuthError } from '../endpoints/errors.ts';
import type { PostMortem } from '../grant-types/post-mortem.ts';
import { INVALID_EXCHANGED_TOKEN, type ExchangedParameter } from '../refusals/exchange-refusal.ts';
import type { ProtocolRefusal } from '../refusals/refusal-messages.ts';
import type { ExchangeContext, ReadPresentedToken } from './presented-token.ts';

/** Creates the reader for this server's access tokens in token exchanges, both opaque tokens and JWTs. */
export function createAccessTokenReader(deps: {
  readonly presentedTokens: PresentedTokens;
  readonly exchanges: Pick<Exchanges, 'listAncestry'>;
  readonly issuedDetails: IssuedDetails;
  readonly logins: Pick<Grants, 'find'>;
  readonly postMortem: Pick<PostMortem, 'explainInvalidAccessToken'>;
  /** For tokens that another node may have just issued; undefined if there is no other node. */
  readonly catchUpIfGenuine?: CatchUpIfGenuine | undefined;
}): ReadPresentedToken {
  const { presentedTokens, exchanges, issuedDetails, logins, postMortem, catchUpIfGenuine } = deps;

  /**
   * Returns the error for a token exchange (RFC 8693 §2.2.2). It explains why the token is invalid, unless the token
   * was issued to a client whose tokens the caller may not exchange.
   */
  async function invalidTokenError(
    value: string,
    parameter: ExchangedParameter,
    { now, mayExchange }: ExchangeContext,
  ): Promise<OAuthError> {
    const { refusal, clientId } = await postMortem.explainInvalidAccessToken(value, now);
    return new OAuthError('invalid_request', INVALID_EXCHANGED_TOKEN[parameter], explain());

    function explain(): ProtocolRefusal {
      if (clientId !== null && !mayExchange(clientId as ClientId)) return { rule: 'exchange-token-ended', parameter };
      return refusal.rule === 'token-for-other-resource' ? { rule: 'exchange-resource-removed', parameter } : refusal;
    }
  }

  async function find(value: string, { now }: ExchangeContext): Promise<AccessToken | undefined> {
    const accessToken = await presentedTokens.find(value, now);
    if (accessToken !== undefined || (await catchUpIfGenuine?.(value)) !== true) return accessToken;
    return presentedTokens.find(value, now);
  }

  return async (value, parameter, context) => {
    const accessToken = await find(value, context);
    const tokenHash = parseAccessToken(value);
    if (accessToken === undefined || tokenHash === undefined) throw await invalidTokenError(value, parameter, context);
    const { grantId, clientId, userId, scope, resource, confirmation, expiresAt } = accessToken;
    const ancestry = exchanges.listAncestry(grantId);
    // A spread would take a tenth of an exchange's processor time (npm run bench -- profile --rows exchange).
    return {
      token: {
        grantId,
        clientId,
        userId,
        scope,
        resource,
        confirmation,
        expiresAt,
        tokenHash,
        tokenType: 'access_token',
        details: issuedDetails(tokenHash, accessToken)?.details,
        login: (ancestry[0] ?? logins.find(grantId))?.login,
        exchange: earlierExchange(ancestry),
      },
      basedOn: [],
      isStillValid: () => presentedTokens.findVerified(value, context.now) !== undefined,
      wasRetired: () => (presentedTokens.findVerified(value, context.now)?.expiresAt ?? Infinity) < expiresAt,
      invalidTokenError: () => invalidTokenError(value, parameter, context),
    };
  };
}

/** @param ancestry the exchanges behind a token, newest first */
function earlierExchange(ancestry: readonly Exchange[]): EarlierExchange | undefined {
  const [newestExchange] = ancestry;
  if (newestExchange === undefined) return undefined;
  const { depth, chain, root } = newestExchange;
  return { depth, chain, root, clients: ancestry.map(({ clientId }) => clientId) };
}
