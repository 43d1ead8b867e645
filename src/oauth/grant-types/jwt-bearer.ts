import {
  narrowToLimits,
  type LimitProblem,
  type NarrowedAccess,
  type RedeemedAssertion,
} from '../../domain/assertion-grant.ts';
import { isOpenTo } from '../../domain/members.ts';
import type { Mutable } from '../../domain/mutable.ts';
import { resourceMember } from '../../domain/resource.ts';
import { observedAccount, grantStream, observedTrustedIssuer } from '../../domain/streams.ts';
import type { ClientId, EpochSeconds } from '../../domain/values.ts';
import type { Entropy } from '../../platform/ports.ts';
import type { FormatAccessToken } from '../credentials/access-token-format.ts';
import { accessExpiry, type LifetimeSettings } from '../credentials/lifetimes.ts';
import type { TaggedCredentials } from '../credentials/tagged-credentials.ts';
import { oauthError } from '../endpoints/errors.ts';
import { requireParameter } from '../endpoints/parameters.ts';
import { requestedResources } from '../endpoints/requested-resources.ts';
import { parseScopeParameter } from '../endpoints/requested-scope.ts';
import type { AssertionNames } from '../issuers/assertion-names.ts';
import { accessLimits } from '../issuers/foreign-limits.ts';
import type { ForeignSubjects } from '../issuers/foreign-subjects.ts';
import { ID_JAG_TYPE, jwtType, type ForeignToken, type ReadForeignToken } from '../issuers/foreign-tokens.ts';
import type { IssuerRefusal } from '../refusals/issuer-refusal.ts';
import { sanitizeNames } from '../refusals/sanitize.ts';
import type { KnownResources } from '../resources/known-resources.ts';
import { tokenScope, tokenTerms } from '../resources/token-terms.ts';
import { tokenResponse, type GrantCommands, type GrantType } from './grant-type.ts';
import { accessTokenToIssue } from './tokens-to-issue.ts';

export const JWT_BEARER_GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/**
 * Creates the JWT bearer grant (RFC 7523 §2.1): the client redeems an assertion from a trusted issuer. Each assertion
 * can be redeemed only once. The grant issues no refresh token: the client gets a new assertion instead (RFC 7521
 * §4.1).
 */
export function jwtBearerGrant(deps: {
  readonly grants: GrantCommands;
  readonly readForeignToken: ReadForeignToken;
  readonly foreignSubjects: ForeignSubjects;
  readonly assertionNames: Pick<AssertionNames, 'grantIdFor'>;
  readonly entropy: Entropy;
  readonly credentials: Pick<TaggedCredentials, 'mintAccessToken'>;
  readonly formatAccessToken: FormatAccessToken;
  readonly resources: KnownResources;
  readonly settings: LifetimeSettings;
}): GrantType {
  const { grants, readForeignToken, foreignSubjects, assertionNames } = deps;
  const { entropy, credentials, formatAccessToken, resources, settings } = deps;
  return {
    name: JWT_BEARER_GRANT_TYPE,
    registeredAs: ['jwt-bearer'],

    async exchange(tokenRequest) {
      const { parameters, client, confirmation, now, context, withinBudget } = tokenRequest;
      if (client.clientType === 'public') throw oauthError({ rule: 'client-public', what: 'jwt-bearer' });
      const { clientId } = client;
      // If authorization details were ignored, the client would believe that a user had approved them.
      if (parameters.has('authorization_details'))
        throw oauthError({ rule: 'details-need-consent', grant: JWT_BEARER_GRANT_TYPE });
      const assertion = requireParameter(parameters, 'assertion');
      const use = jwtType(assertion) === ID_JAG_TYPE ? 'identity-assertion' : 'assertion';
      const token = await readForeignToken(assertion, { parameter: 'assertion', use, now }, clientId);
      requireSameClient(token, clientId);
      const user = foreignSubjects.find(token, 'assertion');
      const userId = user?.userId ?? null;
      if (userId !== null && !isOpenTo(client, userId))
        throw oauthError({ rule: 'client-in-test-mode', what: 'assertion' });
      if (userId !== null && client.secondFactorRequired) throw oauthError({ rule: 'issuer-second-factor' });
      const requested = {
        scope: parseScopeParameter(parameters.get('scope') ?? ''),
        resource: requestedResources(parameters, resources.uris()),
      };
      const { scope: allowedScope, resource } = allowedAccess(
        narrowToLimits(requested, accessLimits(token, resources)),
      );
      const terms = tokenTerms(resource, client, settings, resources);
      const scope = tokenScope(allowedScope, terms);
      const { trustedIssuer } = token;
      const expiresAt = Math.min(accessExpiry(now, terms), now + trustedIssuer.maxTokenLifetimeSeconds) as EpochSeconds;
      const access = await formatAccessToken(terms, credentials.mintAccessToken(entropy), () => ({
        clientId,
        userId,
        scope,
        resource,
        confirmation,
        login: undefined,
        issuedAt: now,
        expiresAt,
      }));
      const grantId = assertionNames.grantIdFor(trustedIssuer.issuer, token.id);
      const redeemedAssertion: Mutable<RedeemedAssertion> = {
        grantId,
        clientId,
        userId,
        use,
        issuer: trustedIssuer.issuer,
        assertionHash: token.tokenHash,
        subjectHash: foreignSubjects.hashSubject(token),
        mapping: trustedIssuer.subject.by,
        keyId: token.keyId,
        algorithm: token.algorithm,
        scope,
        ...resourceMember(resource),
        requested: { scope: requested.scope, ...resourceMember(requested.resource) },
        assertionExpiresAt: token.expiresAt,
        expiresAt,
      };
      const account = user === null ? [] : [observedAccount(user)];
      const basedOn = [...(context.basedOn ?? []), observedTrustedIssuer(trustedIssuer), ...account];
      const { refusal } = await withinBudget(userId, () =>
        grants.execute(
          grantStream(grantId),
          {
            type: 'RedeemAssertion',
            grantId,
            redeemedAssertion,
            ...accessTokenToIssue(tokenRequest, access, terms),
            accessExpiresAt: expiresAt,
          },
          { ...context, basedOn },
        ),
      );
      if (refusal !== undefined) throw oauthError({ rule: 'issuer-token-replayed' });
      return tokenResponse(access.value, expiresAt - now, scope, confirmation, undefined);
    },
  };
}

/**
 * Requires the `client_id` claim of an identity assertion to be the id of the client. In other assertions, the claim is
 * optional and is not checked.
 */
function requireSameClient({ use, claims }: ForeignToken, clientId: ClientId): void {
  const { client_id: claimedClientId } = claims;
  if (use === 'identity-assertion' && claimedClientId !== clientId)
    throw oauthError({ rule: 'issuer-client', parameter: 'assertion' });
}

/**
 * Returns the narrowed access.
 * @throws OAuthError if the request exceeds a limit, or if the limits leave no access
 */
function allowedAccess(result: NarrowedAccess | LimitProblem): NarrowedAccess {
  if (!('problem' in result)) return result;
  throw oauthError(toRefusal(result));
}

function toRefusal(limitProblem: LimitProblem): IssuerRefusal {
  if (limitProblem.problem === 'no-scope-left') return { rule: 'issuer-no-scope-left' };
  if (limitProblem.problem === 'no-resource-left') return { rule: 'issuer-no-resource-left' };
  const { problem, limit, missing, allowed } = limitProblem;
  return { rule: `issuer-${problem}`, limit, missing: sanitizeNames(missing), allowed: sanitizeNames(allowed) };
}
