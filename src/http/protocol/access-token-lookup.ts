import type { EpochSeconds } from '../../domain/values.ts';
import type { Freshness } from '../../event-store/freshness.ts';
import type { PresentedTokens } from '../../oauth/credentials/presented-tokens.ts';
import type { PresentedDetails } from '../../oauth/details/presented-details.ts';
import type { CatchUpIfGenuine } from '../../oauth/credentials/unknown-credentials.ts';
import type { AccessToken } from '../../projections/access-token.ts';
import type { Grants } from '../../projections/grants.ts';
import type { AccessTokenLookup, LiveToken, RemoteAccessTokenLookup } from '../pipeline/bearer-token.ts';

/** Finds the access tokens that the APIs of this server accept. */
export interface LocalTokenLookup extends Required<RemoteAccessTokenLookup> {
  /** The lookup for a token that `find` has already found, for example to check the token during a long response. */
  readonly recheckLookup: Required<AccessTokenLookup>;
}

/** Creates the lookup for this server's access tokens. The issuer is also this server's URI as a resource server. */
export function createAccessTokenLookup(
  tokens: PresentedTokens,
  grants: Pick<Grants, 'find'>,
  presentedDetails: PresentedDetails,
  issuer: () => string,
  now: () => EpochSeconds,
): LocalTokenLookup {
  function toLiveToken(token: AccessToken | undefined, value: string): LiveToken | undefined {
    if (token === undefined) return undefined;
    const { clientId, userId, scope, resource, confirmation, grantId } = token;
    const login = grants.find(grantId)?.login;
    return { clientId, userId, scope, resource, confirmation, login, details: presentedDetails(value, token) };
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
export function withFreshnessCheck(
  tokens: LocalTokenLookup,
  { assertCurrent }: Pick<Freshness, 'assertCurrent'>,
): LocalTokenLookup {
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

/** Returns the lookup for new requests, which also finds a token that another node has just issued. */
export function withCatchUp(tokens: LocalTokenLookup, catchUpIfGenuine: CatchUpIfGenuine): RemoteAccessTokenLookup {
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
