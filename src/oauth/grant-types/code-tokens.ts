import type { AuthorizationDetail } from '../../domain/authorization-details.ts';
import type { Grant } from '../../domain/authorization-grant.ts';
import { narrowResources, type Resources } from '../../domain/resource.ts';
import type { GrantId } from '../../domain/values.ts';
import type { Entropy } from '../../platform/ports.ts';
import type { Client } from '../../projections/clients.ts';
import type { FormatAccessToken, FormattedToken } from '../credentials/access-token-format.ts';
import { accessExpiry, type LifetimeSettings } from '../credentials/lifetimes.ts';
import type { TaggedCredentials } from '../credentials/tagged-credentials.ts';
import { codeDetailsRequest, type DetailsToIssue, type TokenDetails } from '../details/token-details.ts';
import type { EffectiveScope } from '../endpoints/restricted-scopes.ts';
import { idTokenContent, type IdTokens, type IssuedIdToken } from '../openid/id-token.ts';
import type { KnownResources } from '../resources/known-resources.ts';
import { tokenScope, tokenTerms, type TokenTerms } from '../resources/token-terms.ts';
import type { TokenRequest } from './grant-type.ts';

/** Tokens that have not been recorded yet, with their terms. */
export interface PreparedTokens {
  /** The resource servers to request from the grant. */
  readonly resource: Resources;
  readonly terms: TokenTerms;
  readonly access: FormattedToken;
  readonly details?: DetailsToIssue | undefined;
  readonly idToken?: IssuedIdToken | undefined;
}

/** A code that the client may redeem, and the part of its access that the client requests. */
export interface Redemption {
  readonly grantId: GrantId;
  readonly grant: Grant;
  /** The code or the device code of the grant. */
  readonly code: Pick<NonNullable<Grant['code']>, 'clientId' | 'userId' | 'scope' | 'resource'>;
  /** Empty if the request is for all of the code's resource servers. */
  readonly resource: Resources;
  /** Empty if the request is for all of the code's details. */
  readonly details: readonly AuthorizationDetail[];
}

/** Prepares the access token and the ID token for which a code or a device code is exchanged. */
export interface CodeTokens {
  /**
   * Prepares the tokens for a code that the client may redeem.
   * @throws OAuthError as `tokenTerms`, `tokenScope` and `TokenDetails.narrow` do
   */
  prepare(redemption: Redemption, request: TokenRequest): Promise<PreparedTokens>;
  /** Creates tokens that are never issued. They complete the command for a code that the decider refuses. */
  createPlaceholders(resource: Resources, client: Client): PreparedTokens;
}

export interface CodeTokenDeps {
  readonly entropy: Entropy;
  readonly credentials: Pick<TaggedCredentials, 'mintAccessToken'>;
  readonly formatAccessToken: FormatAccessToken;
  readonly idTokens: Pick<IdTokens, 'issue'>;
  readonly resources: KnownResources;
  readonly tokenDetails: TokenDetails;
  readonly effectiveScope: EffectiveScope;
  readonly settings: LifetimeSettings;
}

export function createCodeTokens(deps: CodeTokenDeps): CodeTokens {
  const { entropy, credentials, formatAccessToken, idTokens, resources, tokenDetails, effectiveScope, settings } = deps;

  function createPlaceholders(resource: Resources, client: Client): PreparedTokens {
    const terms = tokenTerms([], client, settings, resources);
    return { resource, terms, access: credentials.mintAccessToken(entropy) };
  }

  return {
    createPlaceholders,

    async prepare({ grantId, grant, code, resource, details: requestedDetails }, { client, confirmation, now }) {
      const audience = narrowResources(resource, code.resource ?? []);
      if (audience === undefined) return createPlaceholders(resource, client);
      const terms = tokenTerms(audience, client, settings, resources);
      const times = { issuedAt: now, expiresAt: accessExpiry(now, terms) };
      const details = await tokenDetails.narrow(
        codeDetailsRequest(grant, code, terms, { requested: requestedDetails, audience }),
      );
      const scope = tokenScope(code.scope, terms);
      const secret = credentials.mintAccessToken(entropy);
      const access = await formatAccessToken(terms, secret, () => ({
        clientId: code.clientId,
        userId: code.userId,
        scope: effectiveScope(scope, client, code.userId),
        resource: audience,
        details: details?.contents,
        confirmation,
        login: grant.login,
        ...times,
      }));
      const content = idTokenContent(grantId, grant, code.scope, client, access, times);
      return { resource, terms, access, details, idToken: content && (await idTokens.issue(content)) };
    },
  };
}
