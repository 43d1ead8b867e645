import { message } from '../../language/message.ts';
import { hash } from 'node:crypto';
import type { AuthorizationDetail } from '../../domain/authorization-details.ts';
import type { Grant, RedeemCode } from '../../domain/authorization-grant.ts';
import { isOpenTo } from '../../domain/members.ts';
import type { Resources } from '../../domain/resource.ts';
import type { CredentialHash, GrantId, UserId } from '../../domain/values.ts';
import { grantStream } from '../../domain/streams.ts';
import type { Client } from '../../projections/clients.ts';
import { codeViolation, type CodeRuleSettings } from './code-rules.ts';
import { parseCode, type PresentedCredential } from '../credentials/credentials.ts';
import { requestedDetails } from '../details/requested-details.ts';
import { credentialForm } from '../refusals/credential-form.ts';
import { OAuthError, oauthError } from '../endpoints/errors.ts';
import { INVALID_CODE } from '../refusals/messages/credentials.ts';
import type { PostMortem } from './post-mortem.ts';
import { requireParameter } from '../endpoints/parameters.ts';
import type { RefreshTokens } from '../credentials/refresh-tokens.ts';
import { noResourceLeftError, remainingResources, requestedResources } from '../endpoints/requested-resources.ts';
import { createCodeTokens, type CodeTokenDeps, type PreparedTokens } from './code-tokens.ts';
import { tokenResponse, type GrantCommands, type GrantType, type TokenRequest } from './grant-type.ts';
import { accessTokenToIssue, refreshTokenToIssue } from './tokens-to-issue.ts';

export interface LiveGrants {
  /** Reports whether a grant is active. Also considers causes outside its stream, such as a disabled user. */
  isLive(grantId: GrantId): boolean;
}

/** A token request with a code. */
interface CodeRequest {
  readonly code: PresentedCredential;
  readonly verifier: RedeemCode['verifier'];
  readonly redirectUri: string | null;
  readonly resource: Resources;
  readonly details: readonly AuthorizationDetail[];
}

type IssuedCode = NonNullable<Grant['code']>;

type RedeemableGrant = Grant & { readonly code: IssuedCode };

/**
 * More permissive than RFC 7636 §4.1, which allows 43 to 128 unreserved characters, because some clients send padded
 * base64. The verifier must match the challenge in any case.
 */
const CODE_VERIFIER = /^[\x20-\x7e]{1,256}$/;
const VERIFIER_FORM = message('refusal-form.verifier');

/** Creates the authorization code grant (RFC 6749 §4.1.3), which exchanges each code for tokens only once. */
export function authorizationCodeGrant(
  deps: CodeTokenDeps & {
    readonly grants: GrantCommands;
    readonly liveGrants: LiveGrants;
    readonly refreshTokens: Pick<RefreshTokens, 'mint'>;
    readonly postMortem: PostMortem;
    readonly settings: CodeRuleSettings;
  },
): GrantType {
  const { grants, liveGrants, refreshTokens, entropy, postMortem, resources, effectiveScope, settings } = deps;
  const codeTokens = createCodeTokens(deps);

  /**
   * Refuses a code that violates a current rule. The code can still be redeemed if the settings are changed back before
   * it expires.
   * @returns the resource servers to request from the grant
   */
  function applyRules(code: IssuedCode, client: Client, requestedUris: Resources): Resources {
    const violation = codeViolation(code, client, settings);
    if (violation !== undefined) throw new OAuthError(INVALID_CODE.error, INVALID_CODE.description, violation.refusal);
    const { resource: grantedUris = [] } = code;
    const remainingUris = remainingResources(requestedUris, grantedUris, resources.uris());
    if (remainingUris === undefined) throw noResourceLeftError(grantedUris, resources.uris());
    return remainingUris;
  }

  /** @throws OAuthError if the request is malformed */
  function readRequest({ parameters, client }: TokenRequest): CodeRequest {
    const value = requireParameter(parameters, 'code');
    const code = parseCode(value);
    const verifier = readVerifier(parameters.get('code_verifier'));
    const resource = requestedResources(parameters, resources.uris());
    const details = requestedDetails(parameters, client, resources);
    if (code === undefined)
      throw oauthError({ rule: 'credential-unknown', parameter: 'code', form: credentialForm(value) });
    return { code, verifier, redirectUri: parameters.get('redirect_uri') ?? null, resource, details };
  }

  /**
   * Prepares the tokens for a code that the client may redeem.
   * @throws OAuthError if the code cannot be redeemed now, or does not allow the requested access
   */
  function prepareTokens(
    grant: RedeemableGrant,
    { code: { grantId }, resource: requestedUris, details }: CodeRequest,
    tokenRequest: TokenRequest,
  ): Promise<PreparedTokens> {
    const { client } = tokenRequest;
    const { code, management } = grant;
    if (!isOpenTo(client, code.userId)) throw oauthError({ rule: 'client-in-test-mode', what: 'code' });
    const resource = applyRules(code, client, requestedUris);
    if (management?.updates !== undefined && !liveGrants.isLive(management.updates))
      throw oauthError({ rule: 'updated-grant-ended' });
    return codeTokens.prepare({ grantId, grant, code, resource, details }, tokenRequest);
  }

  return {
    name: 'authorization_code',
    registeredAs: ['authorization-code'],

    async exchange(tokenRequest) {
      const { client, confirmation, now, context, withinBudget } = tokenRequest;
      const request = readRequest(tokenRequest);
      const { code, redirectUri, verifier } = request;
      const refusedCode = { credential: code, client, now };
      if (!liveGrants.isLive(code.grantId)) throw oauthError(await postMortem.explainEndedCode(refusedCode));
      const stream = grantStream(code.grantId);
      const grant = await grants.state(stream);
      const redeemableGrant = isRedeemable(grant, code.hash, client) ? grant : undefined;
      const { resource, terms, access, details, idToken } =
        redeemableGrant === undefined
          ? codeTokens.createPlaceholders(request.resource, client)
          : await prepareTokens(redeemableGrant, request, tokenRequest);
      const updates = redeemableGrant?.management?.updates;
      const refresh = refreshTokens.mint(code.grantId, entropy);
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
      if (refusal !== undefined) {
        const presented = { redirectUri, verifier, resource, confirmation };
        throw oauthError(await postMortem.explainRefusedCode(refusedCode, refusal, state, presented));
      }
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

/** Returns the command that ends the grant replaced by an update, in the same append that redeems the code. */
function replacementCommand(updates: GrantId, replacementId: GrantId, { clientId }: Client) {
  return { stream: grantStream(updates), command: { type: 'ReplaceGrant', clientId, replacementId } } as const;
}

function userIdOf({ code, refresh }: Grant): UserId | null {
  return code?.userId ?? refresh?.userId ?? null;
}

/**
 * Reports whether the code was issued to the client and has not been redeemed yet. The decider refuses all other codes.
 */
function isRedeemable(grant: Grant, codeHash: CredentialHash, { clientId }: Client): grant is RedeemableGrant {
  return grant.status === 'open' && grant.code?.codeHash === codeHash && grant.code.clientId === clientId;
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
