import type { KeyObject } from 'node:crypto';
import type { Grant } from '../../domain/authorization-grant.ts';
import type { Role } from '../../domain/events.ts';
import { isSameScope, type Scope } from '../../domain/scope.ts';
import { grantStream } from '../../domain/streams.ts';
import type { EpochSeconds, UserId } from '../../domain/values.ts';
import type { CommandContext, RequestMetadata } from '../../event-store/command-handler.ts';
import type { Grants } from '../../projections/grants.ts';
import type { AuthorizationRequest, ReturnAddress } from './authorization-request.ts';
import { AuthorizationRefused } from './authorization-request.ts';
import { implicitConsent } from './consent.ts';
import { deriveCode } from '../credentials/credentials.ts';
import type { GrantCommands } from '../grant-types/grant-type.ts';
import { codeExpiry } from '../credentials/lifetimes.ts';
import { withParameters } from '../clients/redirect-uris.ts';
import { mayDelegate, AUDIT_SCOPE_NEEDS_ROLE } from './restricted-scopes.ts';

/** Who sits in front of the browser, as far as is known. */
export interface CurrentUser {
  readonly userId: UserId;
  /** When they proved it, in seconds since the epoch. */
  readonly authenticatedAt: number;
  readonly roles: readonly Role[];
}

/** What a valid request needs next. */
export type NextStep =
  | { readonly step: 'log-in' }
  | { readonly step: 'ask' }
  /** Nobody needs to be asked, and this is why. */
  | { readonly step: 'issue'; readonly consent: 'remembered' | 'skipped' };

/** A person's yes. */
export interface Approval {
  readonly userId: UserId;
  readonly scope: Scope;
  readonly consent: 'asked' | 'remembered' | 'skipped';
  /** 256 random bits that are kept nowhere: the code comes of them. */
  readonly nonce: string;
}

/** RFC 6749 §3.1 and §4.1, beyond reading the request. */
export interface AuthorizationEndpoint {
  /** @throws AuthorizationRefused the scope is not this person's to give, or `prompt=none` and something would have to be shown */
  nextStep(request: AuthorizationRequest, person: CurrentUser | undefined, now: EpochSeconds): NextStep;
  /**
   * Issues the code; the address to send the browser to. With the nonce of an approval before, it is the same approval: the same
   * address while its code waits to be redeemed, and undefined when it no longer does or was given for another scope.
   * @param context must be based on the user's account and the client, which may change before the code is recorded
   */
  approve(
    request: AuthorizationRequest,
    approval: Approval,
    now: EpochSeconds,
    context: CommandContext,
  ): Promise<string | undefined>;
  /** Takes back what was approved with the same nonce: the later answer to one question counts. Records nothing if there is none. */
  revokeApproval(approval: Pick<Approval, 'userId' | 'nonce'>, mark: RequestMetadata): Promise<void>;
  /** The address that tells the client of a refusal (RFC 6749 §4.1.2.1, RFC 9207). */
  refusalAddress(refused: AuthorizationRefused): string;
}

export function createAuthorizationEndpoint(parts: {
  readonly grants: GrantCommands;
  readonly liveGrants: Pick<Grants, 'covers'>;
  /** Turns nonces into codes. */
  readonly key: KeyObject;
  readonly issuer: () => string;
  readonly settings: { readonly authorizationCodeLifetimeSeconds: number };
}): AuthorizationEndpoint {
  const { grants, liveGrants, key, issuer, settings } = parts;

  function answer({ redirectUri, state }: ReturnAddress, parameters: Readonly<Record<string, string>>): string {
    return withParameters(redirectUri, { ...parameters, state, iss: issuer() });
  }

  return {
    nextStep(request, person, now) {
      const silent = request.prompt.has('none');
      if (person === undefined || mustLogIn(request, person, now)) {
        if (silent)
          throw new AuthorizationRefused(
            'login_required',
            'the user is not logged in',
            { rule: 'log-in-required' },
            request,
          );
        return { step: 'log-in' };
      }
      requireDelegable(request, request.scope, person.roles);
      const consent = implicitConsent(request, person.userId, now, liveGrants);
      if (consent !== undefined) return { step: 'issue', consent };
      if (silent)
        throw new AuthorizationRefused(
          'consent_required',
          'the user has not authorized this request',
          { rule: 'consent-required' },
          request,
        );
      return { step: 'ask' };
    },

    async approve(request, approval, now, context) {
      const { userId, scope, consent, nonce } = approval;
      const { grantId, code } = deriveCode(nonce, key);
      const stream = grantStream(grantId);
      // A form lives for an hour, and what it began may have gone to the archive: an append would not look there.
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
                now,
                expiresAt: codeExpiry(now, settings),
              },
              context,
            );
      if (refusal !== undefined && !isRedeemable(state, scope, now)) return undefined;
      return answer(request, { code: code.value });
    },

    async revokeApproval({ userId, nonce }, mark) {
      const context: CommandContext = { actor: { kind: 'user', id: userId }, ...mark };
      await grants.execute(
        grantStream(deriveCode(nonce, key).grantId),
        { type: 'RevokeGrant', reason: 'revoked-by-resource-owner' },
        context,
      );
    },

    refusalAddress: ({ code, message, returnTo }) => answer(returnTo, { error: code, error_description: message }),
  };
}

/** @throws AuthorizationRefused a user of these roles may not give the scope, or not any more */
export function requireDelegable(request: AuthorizationRequest, scope: Scope, roles: readonly Role[]): void {
  if (mayDelegate(scope, roles)) return;
  const refusal = { rule: 'scope-needs-role', scope: 'audit' } as const;
  throw new AuthorizationRefused('invalid_scope', AUDIT_SCOPE_NEEDS_ROLE, refusal, request);
}

/** Whether the code is for this scope and can still be redeemed: a second redemption would end all that came of the first. */
function isRedeemable({ status, code }: Grant, scope: Scope, now: number): boolean {
  return status === 'open' && code !== null && now < code.expiresAt && isSameScope(code.scope, scope);
}

function mustLogIn({ prompt, maxAgeSeconds }: AuthorizationRequest, person: CurrentUser, now: number): boolean {
  if (prompt.has('login') || prompt.has('select_account') || maxAgeSeconds === 0) return true; // OpenID Connect Core §3.1.2.1
  return maxAgeSeconds !== null && now - person.authenticatedAt > maxAgeSeconds;
}
