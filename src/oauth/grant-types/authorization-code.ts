import { message } from '../../language/message.ts';
import { hash } from 'node:crypto';
import type { Grant, RedeemCode } from '../../domain/authorization-grant.ts';
import type { Confirmation } from '../../domain/confirmation.ts';
import { isOpenTo } from '../../domain/members.ts';
import { narrowResources, type Resources } from '../../domain/resource.ts';
import type { CredentialHash, EpochSeconds, GrantId, UserId } from '../../domain/values.ts';
import { grantStream } from '../../domain/streams.ts';
import type { Entropy } from '../../platform/ports.ts';
import type { Client } from '../../projections/clients.ts';
import type { AccessTokenContent, FormatAccessToken, FormattedToken } from '../credentials/access-token-format.ts';
import { idTokenContent, type IdTokens } from '../openid/id-token.ts';
import { codeViolation, type CodeRuleSettings } from './code-rules.ts';
import { parseCode } from '../credentials/credentials.ts';
import { requestedDetails } from '../details/requested-details.ts';
import { codeDetailsRequest, type DetailsToIssue, type TokenDetails } from '../details/token-details.ts';
import type { TaggedCredentials } from '../credentials/tagged-credentials.ts';
import { credentialForm } from '../refusals/credential-form.ts';
import { OAuthError, oauthError } from '../endpoints/errors.ts';
import { INVALID_CODE } from '../refusals/messages/credentials.ts';
import type { PostMortem } from './post-mortem.ts';
import { accessExpiry, type LifetimeSettings } from '../credentials/lifetimes.ts';
import { requireParameter } from '../endpoints/parameters.ts';
import type { RefreshTokens } from '../credentials/refresh-tokens.ts';
import { noResourceLeftError, remainingResources, requestedResources } from '../endpoints/requested-resources.ts';
import type { EffectiveScope } from '../endpoints/restricted-scopes.ts';
import type { KnownResources } from '../resources/known-resources.ts';
import { tokenScope, tokenTerms, type TokenTerms } from '../resources/token-terms.ts';
import { tokenResponse, type GrantCommands, type GrantType } from './grant-type.ts';
import { accessTokenToIssue, refreshTokenToIssue } from './tokens-to-issue.ts';

export interface LiveGrants {
  /** Reports whether a grant is active. Considers reasons outside its stream, such as a disabled user. */
  isLive(grantId: GrantId): boolean;
}

/**
 * Wider than RFC 7636 §4.1, which allows 43 to 128 unreserved characters, because some clients send padded base64. A
 * verifier is correct if it hashes to the challenge.
 */
const CODE_VERIFIER = /^[\x20-\x7e]{1,256}$/;
const VERIFIER_FORM = message('refusal-form.verifier');

/** Creates the authorization code grant (RFC 6749 §4.1.3), which exchanges a code for tokens, once. */
export function authorizationCodeGrant(deps: {
  readonly grants: GrantCommands;
  readonly liveGrants: LiveGrants;
  readonly refreshTokens: Pick<RefreshTokens, 'mint'>;
  readonly entropy: Entropy;
  readonly credentials: Pick<TaggedCredentials, 'mintAccessToken'>;
  readonly postMortem: PostMortem;
  readonly formatAccessToken: FormatAccessToken;
  readonly idTokens: Pick<IdTokens, 'issue'>;
  readonly resources: KnownResources;
  readonly tokenDetails: TokenDetails;
  readonly effectiveScope: EffectiveScope;
  readonly settings: LifetimeSettings & CodeRuleSettings;
}): GrantType {
  const { grants, liveGrants, refreshTokens, entropy, credentials, postMortem } = deps;
  const { formatAccessToken, idTokens, resources, tokenDetails, effectiveScope, settings } = deps;

  /**
   * Refuses a code that violates a current rule. It can be redeemed later if the settings change back while it is
   * valid.
   * @returns the resource servers to request
   */
  function applyRules(code: IssuedCode, client: Client, requestedUris: Resources): Resources {
    const violation = codeViolation(code, client, settings);
    if (violation !== undefined) throw new OAuthError(INVALID_CODE.error, INVALID_CODE.description, violation.refusal);
    const { resource: grantedUris = [] } = code;
    const remainingUris = remainingResources(requestedUris, grantedUris, resources.uris());
    if (remainingUris === undefined) throw noResourceLeftError(grantedUris, resources.uris());
    return remainingUris;
  }

  return {
    name: 'authorization_code',
    registeredAs: ['authorization-code'],

    async exchange(tokenRequest) {
      const { parameters, client, confirmation, now, context, withinBudget } = tokenRequest;
      const value = requireParameter(parameters, 'code');
      const code = parseCode(value);
      const verifier = readVerifier(parameters.get('code_verifier'));
      const requestedUris = requestedResources(parameters, resources.uris());
      const requested = requestedDetails(parameters, client, resources);
      if (code === undefined)
        throw oauthError({ rule: 'credential-unknown', parameter: 'code', form: credentialForm(value) });
      const refusedCode = { credential: code, client, now };
      if (!liveGrants.isLive(code.grantId)) throw oauthError(await postMortem.explainEndedCode(refusedCode));
      const stream = grantStream(code.grantId);
      const secret = credentials.mintAccessToken(entropy);
      const grant = await grants.state(stream);
      if (isRedeemable(grant, code.hash, client) && !isOpenTo(client, grant.code.userId))
        throw oauthError({ rule: 'client-in-test-mode', what: 'code' });
      const resource = isRedeemable(grant, code.hash, client)
        ? applyRules(grant.code, client, requestedUris)
        : requestedUris;
      const audience = isRedeemable(grant, code.hash, client)
        ? narrowResources(resource, grant.code.resource ?? [])
        : [];
      const terms = tokenTerms(audience ?? [], client, settings, resources);
      const expiresAt = accessExpiry(now, terms);
      const details =
        audience && isRedeemable(grant, code.hash, client)
          ? await tokenDetails.narrow(codeDetailsRequest(grant, grant.code, terms, { requested, audience }))
          : undefined;
      const content = audience && accessTokenContent(grant, audience, details, terms, confirmation, now, expiresAt);
      const access: FormattedToken =
        content === undefined || terms.accessTokenFormat === 'opaque'
          ? secret
          : await formatAccessToken(terms, secret, {
              ...content,
              scope: effectiveScope(content.scope, client, content.userId),
            });
      const refresh = refreshTokens.mint(code.grantId, entropy);
      const updates = isRedeemable(grant, code.hash, client) ? grant.management?.updates : undefined;
      if (updates !== undefined && !liveGrants.isLive(updates)) throw oauthError({ rule: 'updated-grant-ended' });
      const openid = isRedeemable(grant, code.hash, client)
        ? idTokenContent(code.grantId, grant, grant.code.scope, client, access, { issuedAt: now, expiresAt })
        : undefined;
      const idToken = openid && (await idTokens.issue(openid));
      const redirectUri = parameters.get('redirect_uri') ?? null;
      const { refusal, state } = await withinBudget(userIdOf(grant), () =>
        grants.execute(
          stream,
          {
            type: 'RedeemCode',
            grantId: code.grantId,
            codeHash: code.hash,
            clientId: client.clientId,
            redirectUri,
            verifier,
            resource,
            ...accessTokenToIssue(tokenRequest, access, terms, details),
            ...refreshTokenToIssue(tokenRequest, refresh, settings),
            idToken: idToken?.record,
            replaces: updates,
          },
          context,
          updates && replacementCommand(updates, code.grantId, client),
        ),
      );
      if (refusal !== undefined)
        throw oauthError(
          await postMortem.explainRefusedCode(refusedCode, refusal, state, {
            redirectUri,
            verifier,
            resource,
            confirmation,
          }),
        );
      if (!liveGrants.isLive(code.grantId)) throw oauthError(await postMortem.explainEndedGrant(refusedCode, 'code'));
      const grantedScope = effectiveScope(state.access?.scope ?? [], client, state.refresh?.userId ?? null);
      const lifetime = terms.accessTokenLifetimeSeconds;
      return tokenResponse(access.value, lifetime, grantedScope, confirmation, details, {
        refreshToken: refresh.value,
        idToken: idToken?.jws,
        grantId: state.management?.grantId,
      });
    },
  };
}

/** Returns the command that ends the grant replaced by an update. The same append redeems the code. */
function replacementCommand(updates: GrantId, replacementId: GrantId, { clientId }: Client) {
  return { stream: grantStream(updates), command: { type: 'ReplaceGrant', clientId, replacementId } } as const;
}

function userIdOf({ code, refresh }: Grant): UserId | null {
  return code?.userId ?? refresh?.userId ?? null;
}

type IssuedCode = NonNullable<Grant['code']>;

/**
 * Reports whether the code belongs to the client and has not been redeemed yet. The decider refuses all other codes.
 */
function isRedeemable(
  grant: Grant,
  codeHash: CredentialHash,
  { clientId }: Client,
): grant is Grant & { readonly code: IssuedCode } {
  return grant.status === 'open' && grant.code?.codeHash === codeHash && grant.code.clientId === clientId;
}

/**
 * Returns the contents of the access token, from the code, the request and the current terms, or undefined if the grant
 * has no code to redeem.
 */
function accessTokenContent(
  { code, login }: Grant,
  resource: Resources,
  details: DetailsToIssue | undefined,
  terms: TokenTerms,
  confirmation: Confirmation | undefined,
  issuedAt: EpochSeconds,
  expiresAt: EpochSeconds,
): AccessTokenContent | undefined {
  if (code === null) return undefined;
  const { clientId, userId } = code;
  const scope = tokenScope(code.scope, terms);
  return { clientId, userId, scope, resource, details: details?.contents, confirmation, login, issuedAt, expiresAt };
}

function readVerifier(verifier: string | undefined): RedeemCode['verifier'] {
  if (verifier === undefined) return null;
  if (!CODE_VERIFIER.test(verifier)) {
    throw oauthError({
      rule: 'parameter-malformed',
      parameter: 'code_verifier',
      form: VERIFIER_FORM,
      length: verifier.length,
    });
  }
  return { S256: hash('sha256', verifier, 'base64url'), plain: verifier };
}
