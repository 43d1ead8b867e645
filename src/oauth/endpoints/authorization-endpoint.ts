import type { Grant } from '../../domain/authorization-grant.ts';
import type { GrantedClaims, Login, Management, Requested, Role, ShownText } from '../../domain/events.ts';
import { isSameScope, type Scope } from '../../domain/scope.ts';
import { grantStream } from '../../domain/streams.ts';
import type { EpochSeconds, GrantId, UserId } from '../../domain/values.ts';
import type { CommandContext, RequestMetadata } from '../../event-store/command-handler.ts';
import type { Grants } from '../../projections/grants.ts';
import { authorizationError, type AuthorizationError, type AuthorizationRequest } from './authorization-request.ts';
import type { AuthorizationResponse, BuildAuthorizationResponse } from './authorization-response.ts';
import { implicitConsent, silentRefusal } from './consent.ts';
import { requestedDetailsMember, type DetailsToIssue, type TokenDetails } from '../details/token-details.ts';
import type { TaggedCredentials } from '../credentials/tagged-credentials.ts';
import type { GrantCommands } from '../grant-types/grant-type.ts';
import { effectiveSecurity } from '../../domain/security-profile.ts';
import { codeExpiry } from '../credentials/lifetimes.ts';
import { requestedSubjects } from '../openid/authentication-request.ts';
import type { DemandedLogin } from '../openid/demanded-login.ts';
import { readIdTokenHint, type VerifyIdToken } from '../openid/id-token-hint.ts';
import { demandedLogin, reasonToLogIn, type CurrentSession } from '../openid/required-login.ts';
import { grantedClaims, toRecordedClaims } from '../openid/claims.ts';
import type { GroupsOf, ScopeClaims } from '../openid/user-claims.ts';
import type { Users } from '../../projections/users.ts';
import type { Subjects } from '../openid/subjects.ts';
import { mayManage, mergedDetails } from './requested-management.ts';
import { delegationRefusal } from './restricted-scopes.ts';
import { requireOpenToUser } from './test-mode.ts';

/** The user who is logged in to this browser. */
export interface CurrentUser extends CurrentSession {
  readonly userId: UserId;
  readonly roles: readonly Role[];
}

/** The next step of a valid request. */
export type NextStep =
  /** `demanded` is set if the login must meet requirements; `needs` shows whether only the second step is missing. */
  | {
      readonly step: 'log-in';
      readonly demanded: DemandedLogin | undefined;
      readonly needs: 'login' | 'second-step';
    }
  | { readonly step: 'ask' }
  /** No consent form is needed; `consent` is the reason. */
  | { readonly step: 'issue'; readonly consent: 'remembered' | 'skipped' };

/** A user's approval of a request, which may be implied by an earlier consent or the client's registration. */
export interface Approval {
  readonly userId: UserId;
  readonly scope: Scope;
  readonly consent: 'asked' | 'remembered' | 'skipped';
  /** How the user authenticated in this session; undefined if an earlier release started the session. */
  readonly login: Login | undefined;
  /** The text on the consent page; undefined if the page was not shown. */
  readonly shownText?: ShownText | undefined;
  /** 256 random bits from which the code is derived; not stored. */
  readonly nonce: string;
}

/** The authorization endpoint (RFC 6749 §3.1 and §4.1), except for parsing the request. */
export interface AuthorizationEndpoint {
  /**
   * Returns the next step of the request.
   * @param demanded the login that an earlier step demanded for this request
   * @throws TestModeError if the client is not open to the user
   * @throws AuthorizationError if the ID token hint or the demanded login is not accepted, the user cannot delegate
   * the scope, the grant to update belongs to another user, or a page is needed despite `prompt=none`
   */
  nextStep(
    request: AuthorizationRequest,
    user: CurrentUser | undefined,
    demanded: DemandedLogin | undefined,
    now: EpochSeconds,
  ): Promise<NextStep>;
  /**
   * Issues the code. Repeating an approval with the same nonce returns the same response while the code can be
   * redeemed, and undefined if the code can no longer be redeemed or was issued for a different scope. A sealed request
   * leads to at most one grant: the result for any other nonce is undefined.
   * @param context must be based on the user's account and the client, which may change before the code is recorded
   * @returns the response for the client
   * @throws AuthorizationError if the request updates another user's grant
   */
  approve(
    request: AuthorizationRequest,
    approval: Approval,
    now: EpochSeconds,
    context: CommandContext,
  ): Promise<AuthorizationResponse | undefined>;
  /**
   * Revokes the approval with this nonce, because only the user's last answer to a form counts. Records nothing if
   * there is no such approval.
   */
  revokeApproval(
    request: Pick<AuthorizationRequest, 'sealedRequest'>,
    approval: Pick<Approval, 'userId' | 'nonce'>,
    metadata: RequestMetadata,
  ): Promise<void>;
  /**
   * Reports whether a sealed request has led to a grant through an approval with a different nonce. This node may lag
   * behind other nodes, so this is checked again when the approval is appended to the log.
   */
  isUsed(request: Pick<AuthorizationRequest, 'sealedRequest'>, nonce?: string): Promise<boolean>;
  /** Returns the response that reports a refusal to the client (RFC 6749 §4.1.2.1). */
  refusalResponse(error: AuthorizationError): Promise<AuthorizationResponse>;
}

export function createAuthorizationEndpoint(deps: {
  readonly grants: GrantCommands;
  readonly liveGrants: Pick<Grants, 'covers'>;
  readonly credentials: Pick<TaggedCredentials, 'deriveCode'>;
  readonly buildResponse: BuildAuthorizationResponse;
  readonly issuer: () => string;
  readonly verifyIdToken: VerifyIdToken;
  readonly subjects: Pick<Subjects, 'subjectOf'>;
  readonly users: Pick<Users, 'find'>;
  readonly groupsOf: GroupsOf;
  readonly tokenDetails: Pick<TokenDetails, 'seal'>;
  readonly settings: { readonly authorizationCodeLifetimeSeconds: number; readonly scopeClaims: ScopeClaims };
}): AuthorizationEndpoint {
  const {
    grants,
    liveGrants,
    credentials,
    buildResponse,
    issuer,
    verifyIdToken,
    subjects,
    users,
    groupsOf,
    tokenDetails,
    settings,
  } = deps;

  /**
   * Returns the lists of subjects that the request accepts. The user's subject must be in each list.
   * @throws AuthorizationError if the ID token hint is not accepted
   */
  async function acceptedSubjects(request: AuthorizationRequest): Promise<readonly (readonly unknown[])[]> {
    const { client, openid } = request;
    if (openid === null) return [];
    const requestedLists = requestedSubjects(openid);
    if (openid.idTokenHint === undefined) return requestedLists;
    const hint = await readIdTokenHint(openid.idTokenHint, client.clientId, issuer(), verifyIdToken);
    if (typeof hint === 'string') throw authorizationError({ rule: 'hint-refused', problem: hint }, request);
    return [...requestedLists, [hint.subject]];
  }

  async function isUsed({ sealedRequest }: Pick<AuthorizationRequest, 'sealedRequest'>, nonce = ''): Promise<boolean> {
    if (sealedRequest === undefined) return false;
    const { grantId, code: derivedCode } = credentials.deriveCode(nonce, sealedRequest.id);
    const { status, code, redeemedCodeHash } = await grants.state(grantStream(grantId));
    return status !== 'absent' && (code?.codeHash ?? redeemedCodeHash) !== derivedCode.hash;
  }

  function claimsToGrant({ openid, scope }: AuthorizationRequest, approval: Approval): GrantedClaims | undefined {
    const user = openid && users.find(approval.userId);
    if (openid === null || !user || !approval.scope.includes('openid')) return undefined;
    return grantedClaims(
      openid.claims,
      { requested: scope, granted: approval.scope },
      settings.scopeClaims,
      user,
      groupsOf(user.userId),
    );
  }

  return {
    async nextStep(request, user, demanded, now) {
      const isSilent = request.prompt.has('none');
      const subjectLists = await acceptedSubjects(request);
      const isAccepted = ({ userId }: CurrentUser): boolean =>
        subjectLists.every((list) => list.includes(subjects.subjectOf(request.client, userId)));
      const reason = reasonToLogIn(request, user, demanded, user !== undefined && isAccepted(user), now);
      if (user === undefined || reason !== undefined) {
        if (!isSilent || reason === undefined || reason === 'prompt')
          return {
            step: 'log-in',
            demanded: demandedLogin(request, user, now),
            needs: reason === 'second-factor' ? 'second-step' : 'login',
          };
        const { maxAgeSeconds } = request;
        throw authorizationError({ rule: 'log-in-required', why: reason, maxAgeSeconds }, request);
      }
      requireOpenToUser(request, user.userId);
      requireUserOfGrant(request, user.userId);
      requireDelegable(request, request.scope, user.roles);
      const consent = implicitConsent(request, user.userId, now, liveGrants, settings.scopeClaims);
      if (consent !== undefined) return { step: 'issue', consent };
      if (isSilent)
        throw authorizationError(silentRefusal(request, user.userId, now, liveGrants, settings.scopeClaims), request);
      return { step: 'ask' };
    },

    async approve(request, approval, now, context) {
      const { userId, scope, consent, login, shownText, nonce } = approval;
      const { sealedRequest } = request;
      requireUserOfGrant(request, userId);
      const { grantId, code, untaggedCode } = credentials.deriveCode(nonce, sealedRequest?.id);
      const stream = grantStream(grantId);
      // A form or a sealed request may still be used an hour later. By then, the grant may have been archived, and an
      // append would not detect its events.
      const existingGrant = consent === 'asked' || sealedRequest !== undefined ? await grants.state(stream) : undefined;
      const { clientId } = request.client;
      const details = await tokenDetails.seal({ clientId, userId }, request.details, mergedDetails(request.management));
      const { refusal, state } =
        existingGrant !== undefined && existingGrant.status !== 'absent'
          ? { refusal: 'grant-exists', state: existingGrant }
          : await grants.execute(
              stream,
              {
                type: 'IssueCode',
                grantId,
                clientId,
                userId,
                scope,
                resource: request.resource,
                consent,
                codeHash: code.hash,
                redirectUri: request.redirectUri,
                redirectUriRequired: request.redirectUriRequired,
                codeChallenge: request.codeChallenge,
                nonce: request.openid?.nonce,
                dpopJkt: request.dpopJkt,
                isPushed: sealedRequest?.isPushed,
                claims: claimsToGrant(request, approval),
                details: details?.recorded,
                login,
                requested: requestedTerms(request, details),
                shown: shownText,
                documentHash: request.client.document?.hash,
                management: recordedManagement(request, grantId),
                now,
                expiresAt: codeExpiry(now, settings, effectiveSecurity(request.client, {})),
              },
              context,
            );
      if (refusal !== undefined && !isRedeemable(state, scope, now)) return undefined;
      const isRecorded = state.code?.codeHash === code.hash;
      if (sealedRequest !== undefined && !isRecorded) return undefined;
      return buildResponse(request, { code: (isRecorded ? code : untaggedCode()).value });
    },

    async revokeApproval(request, { userId, nonce }, metadata) {
      if (await isUsed(request, nonce)) return;
      const context: CommandContext = { actor: { kind: 'user', id: userId }, ...metadata };
      await grants.execute(
        grantStream(credentials.deriveCode(nonce, request.sealedRequest?.id).grantId),
        { type: 'RevokeGrant', reason: 'revoked-by-resource-owner' },
        context,
      );
    },

    isUsed,

    refusalResponse: ({ code, message, returnTo }) =>
      buildResponse(returnTo, { error: code, error_description: message }),
  };
}

/** Returns the part of a request that is recorded in addition to the granted access. */
function requestedTerms(request: AuthorizationRequest, details: DetailsToIssue | undefined): Requested {
  const { requestedScope: scope, prompt, maxAgeSeconds, acrValues, openid, sealedRequest } = request;
  const claims = openid && toRecordedClaims(openid.claims);
  return {
    scope,
    ...(claims && { claims }),
    ...(acrValues.length === 0 ? {} : { acrValues }),
    ...(prompt.size === 0 ? {} : { prompt: [...prompt] }),
    ...(maxAgeSeconds === null ? {} : { maxAgeSeconds }),
    ...(sealedRequest?.requestObjectHash === undefined ? {} : { requestObjectHash: sealedRequest.requestObjectHash }),
    ...requestedDetailsMember(details, request.requestedDetails),
  };
}

/** Returns the grant management to record. An updated grant is still managed under the id of the first grant. */
function recordedManagement({ management }: AuthorizationRequest, newGrantId: GrantId): Management | undefined {
  if (management === undefined) return undefined;
  const { action, grantToUpdate } = management;
  return grantToUpdate === undefined
    ? { action, grantId: newGrantId }
    : { action, grantId: grantToUpdate.management.grantId, updates: grantToUpdate.grantId };
}

/** @throws AuthorizationError if the request updates another user's grant */
function requireUserOfGrant(request: AuthorizationRequest, userId: UserId): void {
  if (mayManage(request.management, userId)) return;
  throw authorizationError({ rule: 'grant-id-unknown', problem: 'another-user' }, request);
}

/** @throws AuthorizationError if a user with these roles cannot delegate the scope */
export function requireDelegable(request: AuthorizationRequest, scope: Scope, roles: readonly Role[]): void {
  const refusal = delegationRefusal(scope, roles);
  if (refusal !== undefined) throw authorizationError(refusal, request);
}

/** Reports whether the code has this scope and can still be redeemed. Redeeming it twice would revoke the tokens. */
function isRedeemable({ status, code }: Grant, scope: Scope, now: number): boolean {
  return status === 'open' && code !== null && now < code.expiresAt && isSameScope(code.scope, scope);
}
