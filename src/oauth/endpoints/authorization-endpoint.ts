import type { Grant } from '../../domain/authorization-grant.ts';
import type { Login, Requested, Role } from '../../domain/events.ts';
import { isSameScope, type Scope } from '../../domain/scope.ts';
import { grantStream } from '../../domain/streams.ts';
import type { EpochSeconds, UserId } from '../../domain/values.ts';
import type { CommandContext, RequestMetadata } from '../../event-store/command-handler.ts';
import type { Grants } from '../../projections/grants.ts';
import {
  authorizationRefused,
  type AuthorizationRefused,
  type AuthorizationRequest,
  type ReturnAddress,
} from './authorization-request.ts';
import { implicitConsent } from './consent.ts';
import type { TaggedCredentials } from '../credentials/tagged-credentials.ts';
import type { GrantCommands } from '../grant-types/grant-type.ts';
import { codeExpiry } from '../credentials/lifetimes.ts';
import { withParameters } from '../clients/redirect-uris.ts';
import { mayDelegate } from './restricted-scopes.ts';

/** The user who is logged in to this browser. */
export interface CurrentUser {
  readonly userId: UserId;
  /** When the user authenticated, in seconds since the epoch. */
  readonly authenticatedAt: number;
  readonly roles: readonly Role[];
}

/** What a valid request needs next. */
export type NextStep =
  | { readonly step: 'log-in' }
  | { readonly step: 'ask' }
  /** No consent form is needed, for this reason. */
  | { readonly step: 'issue'; readonly consent: 'remembered' | 'skipped' };

/** A user's consent. */
export interface Approval {
  readonly userId: UserId;
  readonly scope: Scope;
  readonly consent: 'asked' | 'remembered' | 'skipped';
  /** How the user authenticated in this session; undefined if an earlier release started it. */
  readonly login: Login | undefined;
  /** 256 random bits from which the code is derived. They are not stored. */
  readonly nonce: string;
}

/** RFC 6749 §3.1 and §4.1, except for parsing the request. */
export interface AuthorizationEndpoint {
  /**
   * @throws AuthorizationRefused the user cannot delegate the scope, or `prompt=none` and a page would have to be shown
   */
  nextStep(request: AuthorizationRequest, user: CurrentUser | undefined, now: EpochSeconds): NextStep;
  /**
   * Issues the code. Repeating an approval with the same nonce returns the same address while the code can be redeemed,
   * and undefined when it no longer can or was issued for another scope.
   * @param context must be based on the user's account and the client, which may change before the code is recorded
   * @returns the address to which the browser is redirected
   */
  approve(
    request: AuthorizationRequest,
    approval: Approval,
    now: EpochSeconds,
    context: CommandContext,
  ): Promise<string | undefined>;
  /**
   * Revokes what was approved with the same nonce, because the user's last answer to a form counts. Records nothing if
   * there is no such approval.
   */
  revokeApproval(approval: Pick<Approval, 'userId' | 'nonce'>, mark: RequestMetadata): Promise<void>;
  /** The address that reports a refusal to the client (RFC 6749 §4.1.2.1, RFC 9207). */
  refusalAddress(refused: AuthorizationRefused): string;
}

export function createAuthorizationEndpoint(parts: {
  readonly grants: GrantCommands;
  readonly liveGrants: Pick<Grants, 'covers'>;
  readonly credentials: Pick<TaggedCredentials, 'deriveCode'>;
  readonly issuer: () => string;
  readonly settings: { readonly authorizationCodeLifetimeSeconds: number };
}): AuthorizationEndpoint {
  const { grants, liveGrants, credentials, issuer, settings } = parts;

  function responseAddress(
    { redirectUri, state }: ReturnAddress,
    parameters: Readonly<Record<string, string>>,
  ): string {
    return withParameters(redirectUri, { ...parameters, state, iss: issuer() });
  }

  return {
    nextStep(request, user, now) {
      const silent = request.prompt.has('none');
      if (user === undefined || mustLogIn(request, user, now)) {
        if (silent) throw authorizationRefused({ rule: 'log-in-required' }, request);
        return { step: 'log-in' };
      }
      requireDelegable(request, request.scope, user.roles);
      const consent = implicitConsent(request, user.userId, now, liveGrants);
      if (consent !== undefined) return { step: 'issue', consent };
      if (silent) throw authorizationRefused({ rule: 'consent-required' }, request);
      return { step: 'ask' };
    },

    async approve(request, approval, now, context) {
      const { userId, scope, consent, login, nonce } = approval;
      const { grantId, code, untagged } = credentials.deriveCode(nonce);
      const stream = grantStream(grantId);
      // A form is valid for an hour. By then its grant may be archived, where an append would not find it.
      const before = consent === 'asked' ? await grants.state(stream) : undefined;
      const { refusal, state } =
        before !== undefined && before.status !== 'absent'
          ? { refusal: 'grant-exists', state: before }
          : await grants.execute(
              stream,
              {
                type: 'IssueCode',
                grantId,
                clientId: request.client.clientId,
                userId,
                scope,
                resource: request.resource,
                consent,
                codeHash: code.hash,
                redirectUri: request.redirectUri,
                redirectUriRequired: request.redirectUriRequired,
                codeChallenge: request.codeChallenge,
                login,
                requested: requestedTerms(request),
                now,
                expiresAt: codeExpiry(now, settings),
              },
              context,
            );
      if (refusal !== undefined && !isRedeemable(state, scope, now)) return undefined;
      const isRecorded = state.code?.codeHash === code.hash;
      return responseAddress(request, { code: (isRecorded ? code : untagged()).value });
    },

    async revokeApproval({ userId, nonce }, mark) {
      const context: CommandContext = { actor: { kind: 'user', id: userId }, ...mark };
      await grants.execute(
        grantStream(credentials.deriveCode(nonce).grantId),
        { type: 'RevokeGrant', reason: 'revoked-by-resource-owner' },
        context,
      );
    },

    refusalAddress: ({ code, message, returnTo }) =>
      responseAddress(returnTo, { error: code, error_description: message }),
  };
}

/** What the log keeps of a request beside what was granted. */
function requestedTerms({ scope, prompt, maxAgeSeconds }: AuthorizationRequest): Requested {
  return {
    scope,
    ...(prompt.size === 0 ? {} : { prompt: [...prompt] }),
    ...(maxAgeSeconds === null ? {} : { maxAgeSeconds }),
  };
}

/** @throws AuthorizationRefused a user with these roles cannot delegate the scope, or no longer */
export function requireDelegable(request: AuthorizationRequest, scope: Scope, roles: readonly Role[]): void {
  if (mayDelegate(scope, roles)) return;
  throw authorizationRefused({ rule: 'scope-needs-role', scope: 'audit' }, request);
}

/**
 * Whether the code has this scope and can still be redeemed. A second redemption would revoke the tokens of the first.
 */
function isRedeemable({ status, code }: Grant, scope: Scope, now: number): boolean {
  return status === 'open' && code !== null && now < code.expiresAt && isSameScope(code.scope, scope);
}

/** OpenID Connect Core §3.1.2.1. */
function mustLogIn({ prompt, maxAgeSeconds }: AuthorizationRequest, user: CurrentUser, now: number): boolean {
  if (prompt.has('login') || prompt.has('select_account') || maxAgeSeconds === 0) return true;
  return maxAgeSeconds !== null && now - user.authenticatedAt > maxAgeSeconds;
}
