import type { EpochSeconds } from '../../domain/values.ts';
import type { Freshness } from '../../event-store/freshness.ts';
import type { PresentedTokens } from '../../oauth/credentials/presented-tokens.ts';
import type { PresentedDetails } from '../../oauth/details/presented-details.ts';
import type { CatchUpIfGenuine } from '../../oauth/credentials/unknown-credentials.ts';
import type { AccessToken } from '../../projections/access-token.ts';
import type { Grants } from '../../projections/grants.ts';
import type { AccessTokenLookup, LiveToken, RemoteAccessTokenLookup } from '../pipeline/bearer-token.ts';

/** Finds the access tokens that the APIs of this server accept. */
export interface LocalTokens extends Required<RemoteAccessTokenLookup> {
  /** Looks up a token that `find` has already found, for example while a long response is being sent. */
  readonly recheckLookup: Required<AccessTokenLookup>;
}

/** Creates the lookup for the access tokens that this server accepts. Its issuer is its URI as a resource server. */
export function createAccessTokenLookup(
  tokens: PresentedTokens,
  grants: Pick<Grants, 'find'>,
  detailsOf: PresentedDetails,
  issuer: () => string,
  now: () => EpochSeconds,
): LocalTokens {
  function toLiveToken(token: AccessToken | undefined, value: string): LiveToken | undefined {
    if (token === undefined) return undefined;
    const { clientId, userId, scope, resource, confirmation, grantId } = token;
    const login = grants.find(grantId)?.login;
    return { clientId, userId, scope, resource, confirmation, login, details: detailsOf(value, token) };
  }

  return {
    get resource() {
      return issuer();
    },
    find(token) {
      const result = tokens.find(token, now());
      return result instanceof Promise
        ? result.then((accessToken) => toLiveToken(accessToken, token))
        : toLiveToken(result, token);
    },
    recheckLookup: {
      get resource() {
        return issuer();
      },
      find: (token) => toLiveToken(tokens.findVerified(token, now()), token),
    },
  };
}

/**
 * Returns the lookup for a node with a shared log. The lookup throws `LogUnreachable` while the node may have missed a
 * revocation.
 */
export function currentTokens(tokens: LocalTokens, { assertCurrent }: Pick<Freshness, 'assertCurrent'>): LocalTokens {
  return {
    get resource() {
      return tokens.resource;
    },
    find(token) {
      assertCurrent();
      return tokens.find(token);
    },
    recheckLookup: {
      get resource() {
        return tokens.resource;
      },
      find(token) {
        assertCurrent();
        return tokens.recheckLookup.find(token);
      },
    },
  };
}

/** Returns the lookup for a new request: it also finds a token that another node has just issued. */
export function confirmedTokens(tokens: LocalTokens, catchUpIfGenuine: CatchUpIfGenuine): RemoteAccessTokenLookup {
  const findAfterCatchUp = async (token: string): Promise<LiveToken | undefined> =>
    (await catchUpIfGenuine(token)) ? tokens.find(token) : undefined;
  return {
    get resource() {
      return tokens.resource;
    },
    find(token) {
      const result = tokens.find(token);
      return result instanceof Promise
        ? result.then((liveToken) => liveToken ?? findAfterCatchUp(token))
        : (result ?? findAfterCatchUp(token));
    },
  };
}
