import { isActiveGrant } from '../../domain/authorization-grant.ts';
import {
  observedAccount,
  observedClient,
  grantStream,
  sessionStream,
  observedTrustedIssuer,
} from '../../domain/streams.ts';
import type { SubjectToken } from '../../domain/token-exchange.ts';
import type { GrantId } from '../../domain/values.ts';
import type { ObservedRevision, Revision, StreamName } from '../../event-store/event-log.ts';
import type { Clients } from '../../projections/clients.ts';
import type { Exchange } from '../../projections/exchange.ts';
import type { Exchanges } from '../../projections/exchanges.ts';
import type { Grants } from '../../projections/grants.ts';
import type { TrustedIssuers } from '../../projections/trusted-issuers.ts';
import type { Users } from '../../projections/users.ts';
import type { GrantCommands } from '../grant-types/grant-type.ts';

type DependentToken = Pick<SubjectToken, 'grantId' | 'clientId' | 'userId' | 'foreign'>;

/** A token with the exchanges behind it, newest first. */
interface TokenWithAncestry extends DependentToken {
  readonly ancestry: readonly Exchange[];
}

/**
 * Returns the observed revisions of everything that the tokens depend on. The decision about an exchange becomes
 * outdated as soon as one of these revisions changes. Returns undefined if one of their grants is not active.
 */
export type ObserveDependencies = (
  tokens: readonly DependentToken[],
) => Promise<readonly ObservedRevision[] | undefined>;

export function createDependencyObserver(deps: {
  readonly grants: Pick<GrantCommands, 'observe'>;
  readonly sessions: { observe(stream: StreamName): Promise<{ readonly revision: Revision | undefined }> };
  readonly exchanges: Pick<Exchanges, 'listAncestry'>;
  readonly logins: Pick<Grants, 'find'>;
  readonly clients: Pick<Clients, 'find'>;
  readonly users: Pick<Users, 'find'>;
  readonly trustedIssuers: Pick<TrustedIssuers, 'find'>;
}): ObserveDependencies {
  const { grants, sessions, exchanges, logins, clients, users, trustedIssuers } = deps;

  const withAncestry = ({ grantId, clientId, userId, foreign }: DependentToken): TokenWithAncestry => ({
    grantId,
    clientId,
    userId,
    foreign,
    ancestry: foreign === undefined ? exchanges.listAncestry(grantId) : [],
  });

  /** Returns the revisions of the clients and accounts that a token's grants depend on. */
  function partyRevisions({ clientId, userId, ancestry }: TokenWithAncestry): readonly ObservedRevision[] {
    const actors = ancestry[0]?.chain ?? [];
    return [{ clientId, userId }, ...actors, ...ancestry.map(({ parent }) => parent)].flatMap((party) => {
      const client = clients.find(party.clientId);
      const user = 'userId' in party && party.userId !== null ? users.find(party.userId) : undefined;
      return [
        client === undefined ? [] : observedClient(client),
        user === undefined ? [] : observedAccount(user),
      ].flat();
    });
  }

  /** Returns the revisions of the issuers whose JWTs are in a token's chain. */
  function issuerRevisions({ ancestry }: TokenWithAncestry): readonly ObservedRevision[] {
    return ancestry
      .flatMap(({ issuers = [] }) => issuers)
      .flatMap((issuer) => trustedIssuers.find(issuer) ?? [])
      .map(observedTrustedIssuer);
  }

  /** Returns the revisions of the sessions whose end also ends the grants behind a token and its actors. */
  async function observeSessions(token: TokenWithAncestry): Promise<readonly ObservedRevision[]> {
    const hashes = listGrantIds(token).flatMap((grantId) => logins.find(grantId)?.endsWith?.sessionHash ?? []);
    const streams = [...new Set(hashes)].map(sessionStream);
    const observations = await Promise.all(
      streams.map(async (stream) => ({ stream, revision: (await sessions.observe(stream)).revision })),
    );
    return observations.flatMap(({ stream, revision }) => (revision === undefined ? [] : [{ stream, revision }]));
  }

  /** Returns the observed revisions of the grants, or undefined if one of them is not active. */
  async function observeGrants(grantIds: readonly GrantId[]): Promise<readonly ObservedRevision[] | undefined> {
    const streams = [...new Set(grantIds)].map(grantStream);
    const observations = await Promise.all(
      streams.map(async (stream) => {
        const { state, revision } = await grants.observe(stream);
        return { stream, state, revision };
      }),
    );
    const activeRevisions = observations.flatMap(({ stream, state, revision }) =>
      revision !== undefined && isActiveGrant(state) ? [{ stream, revision }] : [],
    );
    return activeRevisions.length < observations.length ? undefined : activeRevisions;
  }

  return async (dependentTokens) => {
    const tokens = dependentTokens.map(withAncestry);
    const grantRevisions = await observeGrants(tokens.flatMap(listGrantIds));
    const sessionRevisions = await Promise.all(tokens.map(observeSessions));
    return (
      grantRevisions && [
        ...grantRevisions,
        ...sessionRevisions.flat(),
        ...tokens.flatMap(partyRevisions),
        ...tokens.flatMap(issuerRevisions),
      ]
    );
  };
}

/** Returns the ids of the grants of a token, of its chain, and of the actors in the chain. */
function listGrantIds({ grantId, foreign, ancestry }: TokenWithAncestry): readonly GrantId[] {
  if (foreign !== undefined) return []; // the token's grant does not exist yet
  const chainGrants = ancestry.flatMap(({ parent, actor }) => (actor === undefined ? [parent] : [parent, actor]));
  return [grantId, ...chainGrants.map((grant) => grant.grantId)];
}
