import type { GrantId } from '../../domain/values.ts';
import { grantStream } from '../../domain/streams.ts';
import type { Entropy } from '../../platform/ports.ts';
import type { FormatAccessToken } from '../credentials/access-token-format.ts';
import { mintId } from '../credentials/credentials.ts';
import type { TaggedCredentials } from '../credentials/tagged-credentials.ts';
import type { TokenDetails } from '../details/token-details.ts';
import { oauthError } from '../endpoints/errors.ts';
import { accessExpiry, type LifetimeSettings } from '../credentials/lifetimes.ts';
import type { ScopeSettings } from '../endpoints/requested-scope.ts';
import type { KnownResources } from '../resources/known-resources.ts';
import { requestedAccess } from '../resources/requested-access.ts';
import { tokenScope, tokenTerms } from '../resources/token-terms.ts';
import { tokenResponse, type GrantCommands, type GrantType } from './grant-type.ts';
import { accessTokenToIssue } from './tokens-to-issue.ts';

/**
 * Creates the client credentials grant (RFC 6749 §4.4), in which the client acts on its own behalf. No refresh token is
 * issued (§4.4.3).
 */
export function clientCredentialsGrant(deps: {
  readonly grants: GrantCommands;
  readonly entropy: Entropy;
  readonly credentials: Pick<TaggedCredentials, 'mintAccessToken'>;
  readonly formatAccessToken: FormatAccessToken;
  readonly resources: KnownResources;
  readonly tokenDetails: Pick<TokenDetails, 'seal'>;
  readonly settings: LifetimeSettings & ScopeSettings;
}): GrantType {
  const { grants, entropy, credentials, formatAccessToken, resources, tokenDetails, settings } = deps;
  return {
    name: 'client_credentials',
    registeredAs: ['client-credentials'],

    async exchange(tokenRequest) {
      const { parameters, client, confirmation, now, context, withinBudget } = tokenRequest;
      if (client.clientType === 'public') {
        throw oauthError({ rule: 'client-public', what: 'client_credentials' });
      }
      const {
        resource,
        details: requestedDetails,
        scope: requestedScope,
      } = requestedAccess(parameters, 'client-credentials', client, settings, resources);
      const terms = tokenTerms(resource, client, settings, resources);
      const scope = tokenScope(requestedScope, terms);
      const grantId = mintId<GrantId>(entropy);
      const { clientId } = client;
      const owner = { clientId, userId: null };
      const details = requestedDetails.length === 0 ? undefined : await tokenDetails.seal(owner, requestedDetails);
      const expiresAt = accessExpiry(now, terms);
      const access = await formatAccessToken(terms, credentials.mintAccessToken(entropy), () => ({
        clientId,
        userId: null,
        scope,
        resource,
        details: details?.contents,
        confirmation,
        login: undefined,
        issuedAt: now,
        expiresAt,
      }));
      await withinBudget(null, () =>
        grants.execute(
          grantStream(grantId),
          {
            type: 'GrantToClient',
            grantId,
            clientId,
            scope,
            resource,
            ...accessTokenToIssue(tokenRequest, access, terms, details),
          },
          context,
        ),
      );
      return tokenResponse(access.value, terms.accessTokenLifetimeSeconds, scope, confirmation, details);
    },
  };
}
