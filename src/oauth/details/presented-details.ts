import type { AuthorizationDetail } from '../../domain/authorization-details.ts';
import type { AccessToken } from '../../projections/access-token.ts';
import type { DetailedTokens } from '../../projections/detailed-tokens.ts';
import type { Grants } from '../../projections/grants.ts';
import { parseAccessToken } from '../credentials/credentials.ts';
import type { KnownResources } from '../resources/known-resources.ts';
import type { TokenDetails } from './token-details.ts';

/**
 * The authorization details of a valid access token, of types that are still declared; undefined if it was issued
 * without any.
 */
export type PresentedDetails = (
  token: string,
  access: Pick<AccessToken, 'grantId' | 'clientId' | 'userId'>,
) => readonly AuthorizationDetail[] | undefined;

/** The event of a token names details of its grant by their hashes. The consent contains their texts. */
export function createPresentedDetails(parts: {
  readonly detailedTokens: Pick<DetailedTokens, 'isEmpty' | 'find'>;
  readonly grants: Pick<Grants, 'find'>;
  readonly tokenDetails: Pick<TokenDetails, 'open'>;
  readonly resources: Pick<KnownResources, 'detailTypes'>;
}): PresentedDetails {
  const { detailedTokens, grants, tokenDetails, resources } = parts;
  return (token, { grantId, clientId, userId }) => {
    if (detailedTokens.isEmpty()) return undefined;
    const tokenHash = parseAccessToken(token);
    const details = tokenHash && detailedTokens.find(tokenHash);
    if (details === undefined) return undefined;
    const granted = grants.find(grantId)?.details ?? [];
    const recorded = details.map((each) =>
      each.sealed === undefined ? (granted.find(({ hash }) => hash === each.hash) ?? each) : each,
    );
    const declared = resources.detailTypes();
    return tokenDetails.open({ clientId, userId }, recorded).filter(({ type }) => declared.has(type));
  };
}
