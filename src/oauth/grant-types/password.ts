import type { Role } from '../../domain/events.ts';
import type { GrantId, UserId } from '../../domain/values.ts';
import { isOpenTo } from '../../domain/members.ts';
import { passwordLogin } from '../../domain/login.ts';
import { observedAccount, grantStream } from '../../domain/streams.ts';
import type { ObservedRevision } from '../../event-store/event-log.ts';
import type { Once } from '../../event-store/once.ts';
import type { Entropy } from '../../platform/ports.ts';
import type { Client } from '../../projections/clients.ts';
import type { FormatAccessToken } from '../credentials/access-token-format.ts';
import { mintId } from '../credentials/credentials.ts';
import type { TaggedCredentials } from '../credentials/tagged-credentials.ts';
import { oauthError } from '../endpoints/errors.ts';
import { accessExpiry, type LifetimeSettings } from '../credentials/lifetimes.ts';
import { requireParameter } from '../endpoints/parameters.ts';
import type { RefreshTokens } from '../credentials/refresh-tokens.ts';
import type { ScopeSettings } from '../endpoints/requested-scope.ts';
import { delegationRefusal } from '../endpoints/restricted-scopes.ts';
import type { KnownResources } from '../resources/known-resources.ts';
import { requestedAccess } from '../resources/requested-access.ts';
import { tokenScope, tokenTerms } from '../resources/token-terms.ts';
import { tokenResponse, type GrantCommands, type GrantType } from './grant-type.ts';
import { accessTokenToIssue, refreshTokenToIssue } from './tokens-to-issue.ts';

interface PasswordUser extends ObservedRevision {
  readonly userId: UserId;
  readonly roles: readonly Role[];
}

export interface PasswordCheck {
  /** Reports whether passwords are disabled because a provider is required. */
  areOff(): boolean;
  /**
   * Returns the user with this name and password, if the user may log in. Returns undefined otherwise, after the same
   * amount of work.
   * @throws TooManyAttemptsError after too many guesses (before any hash is computed) or too many logins
   */
  verify(
    username: string,
    password: string,
    client: Client,
    sender: { readonly address: string; readonly once: Once },
  ): Promise<{ readonly user: PasswordUser } | undefined>;
}

/** Creates the password grant (RFC 6749 §4.3): the client sends a user name and password. */
export function passwordGrant(deps: {
  readonly grants: GrantCommands;
  readonly passwords: PasswordCheck;
  /** Decides which users need more than a password. */
  readonly secondFactorPolicy: { nextStep(user: PasswordUser): 'none' | 'second-step' | 'enrollment' };
  readonly refreshTokens: Pick<RefreshTokens, 'mint'>;
  readonly entropy: Entropy;
  readonly credentials: Pick<TaggedCredentials, 'mintAccessToken'>;
  readonly formatAccessToken: FormatAccessToken;
  readonly resources: KnownResources;
  readonly settings: LifetimeSettings & ScopeSettings;
}): GrantType {
  const {
    grants,
    passwords,
    secondFactorPolicy,
    refreshTokens,
    entropy,
    credentials,
    formatAccessToken,
    resources,
    settings,
  } = deps;
  return {
    name: 'password',
    registeredAs: ['password'],

    async exchange(tokenRequest) {
      const { parameters, client, confirmation, address, now, context, once, withinBudget } = tokenRequest;
      const username = requireParameter(parameters, 'username');
      const password = requireParameter(parameters, 'password');
      const { scope, resource } = requestedAccess(parameters, 'password', client, settings, resources);
      const terms = tokenTerms(resource, client, settings, resources);
      const verification = await passwords.verify(username, password, client, { address, once });
      if (verification === undefined) {
        throw oauthError({ rule: passwords.areOff() ? 'passwords-off' : 'password-wrong' });
      }
      const { user } = verification;
      // Only a caller with the correct password learns that a second factor is needed.
      if (client.secondFactorRequired) throw oauthError({ rule: 'second-factor-needed', by: 'client' });
      if (secondFactorPolicy.nextStep(user) !== 'none') {
        throw oauthError({ rule: 'second-factor-needed', by: 'user' });
      }
      if (!isOpenTo(client, user.userId)) throw oauthError({ rule: 'client-in-test-mode', what: 'password' });
      const refusal = delegationRefusal(scope, user.roles);
      if (refusal !== undefined) throw oauthError(refusal);
      const grantId = mintId<GrantId>(entropy);
      const { clientId } = client;
      const { userId } = user;
      const expiresAt = accessExpiry(now, terms);
      const login = passwordLogin(now);
      const accessScope = tokenScope(scope, terms);
      const access = await formatAccessToken(terms, credentials.mintAccessToken(entropy), () => ({
        clientId,
        userId,
        scope: accessScope,
        resource,
        confirmation,
        login,
        issuedAt: now,
        expiresAt,
      }));
      const refresh = refreshTokens.mint(grantId, entropy);
      await withinBudget(userId, () =>
        grants.execute(
          grantStream(grantId),
          {
            type: 'GrantByPassword',
            grantId,
            clientId,
            userId,
            scope,
            resource,
            login,
            requested: { scope },
            ...accessTokenToIssue(tokenRequest, access, terms),
            ...refreshTokenToIssue(tokenRequest, refresh, settings),
          },
          { ...context, basedOn: [...(context.basedOn ?? []), observedAccount(user)] },
        ),
      );
      const issuedScope = tokenScope(scope, terms);
      const lifetime = terms.accessTokenLifetimeSeconds;
      return tokenResponse(access.value, lifetime, issuedScope, confirmation, undefined, {
        refreshToken: refresh.value,
      });
    },
  };
}
