import type { AuthorizationDetail, RecordedDetail } from '../../domain/authorization-details.ts';
import type { CredentialHash } from '../../domain/values.ts';
import type { AccessToken } from '../../projections/access-token.ts';
import type { DetailedTokens } from '../../projections/detailed-tokens.ts';
import type { Exchanges } from '../../projections/exchanges.ts';
import type { Grants } from '../../projections/grants.ts';
import { parseAccessToken } from '../credentials/credentials.ts';
import type { KnownResources } from '../resources/known-resources.ts';
import type { DetailOwner } from './detail-seals.ts';
import type { TokenDetails } from './token-details.ts';

/** The part of an access token that its details depend on. */
export type DetailedToken = Pick<AccessToken, 'grantId' | 'clientId' | 'userId' | 'exchanged'>;

/**
 * Returns the recorded details of an access token, with their encrypted contents, or undefined if the token was issued
 * without details.
 */
export type IssuedDetails = (
  tokenHash: CredentialHash,
  token: DetailedToken,
) => { readonly owner: DetailOwner; readonly details: readonly RecordedDetail[] } | undefined;

/**
 * Creates a function that returns the recorded details of a token. The event that records a token contains only the
 * hash of a detail that equals a granted one; the content is in the event that records the consent. The event that
 * records an exchanged token contains all contents, which belong to the user or client of the root of its chain.
 */
export function createIssuedDetails(deps: {
  readonly detailedTokens: Pick<DetailedTokens, 'find'>;
  readonly grants: Pick<Grants, 'find'>;
  readonly exchanges: Pick<Exchanges, 'find'>;
}): IssuedDetails {
  const { detailedTokens, grants, exchanges } = deps;
  return (tokenHash, { grantId, clientId, userId, exchanged }) => {
    const details = detailedTokens.find(tokenHash);
    if (details === undefined) return undefined;
    const root = exchanged === true ? exchanges.find(grantId)?.root : undefined;
    const grantedDetails = grants.find(grantId)?.details ?? [];
    return {
      owner: { clientId: root?.clientId ?? clientId, userId },
      details: details.map((detail) =>
        detail.sealed === undefined ? (grantedDetails.find(({ hash }) => hash === detail.hash) ?? detail) : detail,
      ),
    };
  };
}

/**
 * Returns the authorization details of a valid access token whose types are still declared, or undefined if the token
 * was issued without details.
 */
export type PresentedDetails = (token: string, access: DetailedToken) => readonly AuthorizationDetail[] | undefined;

export function createPresentedDetails(deps: {
  readonly detailedTokens: Pick<DetailedTokens, 'isEmpty'>;
  readonly issuedDetails: IssuedDetails;
  readonly tokenDetails: Pick<TokenDetails, 'open'>;
  readonly resources: Pick<KnownResources, 'detailTypes'>;
}): PresentedDetails {
  const { detailedTokens, issuedDetails, tokenDetails, resources } = deps;
  return (token, access) => {
    if (detailedTokens.isEmpty()) return undefined;
    const tokenHash = parseAccessToken(token);
    const record = tokenHash && issuedDetails(tokenHash, access);
    if (record === undefined) return undefined;
    const declaredTypes = resources.detailTypes();
    return tokenDetails.open(record.owner, record.details).filter(({ type }) => declaredTypes.has(type));
  };
}

/**
 * Returns the details that introspection shows to a client (RFC 9396 §9.2): all details of the client's own tokens. For
 * other clients' tokens, a client that resource servers use for introspection sees only details of the types that these
 * servers declare. Every other client sees only details of types whose resource servers have registered no such client.
 */
export type IntrospectedDetails = (
  details: readonly AuthorizationDetail[] | undefined,
  token: Pick<DetailedToken, 'clientId'>,
  caller: string | null,
) => readonly AuthorizationDetail[] | undefined;

export function createIntrospectedDetails(
  resources: Pick<KnownResources, 'detailTypes' | 'introspectionClients'>,
): IntrospectedDetails {
  return (details, { clientId }, caller) => {
    if (details === undefined || caller === clientId) return details;
    const declaredTypes = resources.detailTypes();
    const introspectionClient =
      caller !== null && (resources.introspectionClients() as ReadonlySet<string>).has(caller) ? caller : null;
    return details.filter(({ type }) => (declaredTypes.get(type)?.introspectionClient ?? null) === introspectionClient);
  };
}
