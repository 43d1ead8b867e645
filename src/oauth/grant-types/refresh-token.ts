import type { KeyObject } from 'node:crypto';
import { withoutForbidden } from '../../domain/scope.ts';
import { grantStream } from '../../domain/streams.ts';
import { parseRefreshToken, successorsOf } from '../credentials.ts';
import { OAuthError } from '../errors.ts';
import { accessExpiry, refreshExpiry, type LifetimeSettings } from '../lifetimes.ts';
import { required } from '../parameters.ts';
import { requestedResources } from '../requested-resources.ts';
import { parseNamed, requireAllowed } from '../requested-scope.ts';
import type { LiveGrants } from './authorization-code.ts';
import { tokenResponse, type GrantCommands, type GrantType } from './grant-type.ts';

const REFUSED = 'the refresh token is unknown, expired, revoked, already used, or was issued to another client';

/**
 * RFC 6749 §6, rotating at each use (RFC 9700 §4.14.2). A client that lost the answer may ask once
 * more with the same token and gets the very same answer: see `successorsOf`.
 */
export function refreshTokenGrant(parts: {
  readonly grants: GrantCommands;
  readonly liveGrants: LiveGrants;
  readonly key: KeyObject;
  readonly knownResources: () => readonly string[];
  readonly settings: LifetimeSettings & { readonly refreshReuseWindowSeconds: number };
}): GrantType {
  const { grants, liveGrants, key, knownResources, settings } = parts;
  return {
    name: 'refresh_token',
    registeredAs: ['authorization-code', 'password'],

    async exchange({ parameters, client, previousSecretUsed, now, context }) {
      const value = required(parameters, 'refresh_token');
      const asked = parseNamed(parameters.get('scope') ?? '');
      requireAllowed(asked, client);
      const resource = requestedResources(parameters, knownResources());
      const presented = parseRefreshToken(value);
      if (presented === undefined || !liveGrants.isLive(presented.grantId)) throw new OAuthError('invalid_grant', REFUSED);
      const { grantId } = presented;
      const { access, refresh } = successorsOf(value, grantId, key);
      const { refusal, state } = await grants.execute(
        grantStream(grantId),
        {
          type: 'RefreshGrant', grantId, clientId: client.clientId, presentedHash: presented.hash,
          scope: asked.length === 0 ? null : asked, resource, now,
          reuseWindowSeconds: settings.refreshReuseWindowSeconds,
          accessHash: access.hash, accessExpiresAt: accessExpiry(now, settings), previousSecretUsed,
          refreshHash: refresh.hash, refreshExpiresAt: refreshExpiry(now, settings),
        },
        context,
      );
      if (refusal === 'scope-exceeds-grant') throw new OAuthError('invalid_scope', 'scope exceeds what the resource owner granted');
      if (refusal === 'retry-scope-differs') throw new OAuthError('invalid_scope', 'this refresh token was just used with another scope');
      if (refusal === 'resource-exceeds-grant') throw new OAuthError('invalid_target', 'resource exceeds what the grant is for');
      if (refusal === 'retry-resource-differs') throw new OAuthError('invalid_target', 'this refresh token was just used with another resource');
      if (refusal !== undefined) throw new OAuthError('invalid_grant', REFUSED);
      const scope = withoutForbidden(state.refresh?.rotation?.scope ?? [], client.restrictedScopes);
      return tokenResponse(access.value, settings.accessTokenLifetimeSeconds, scope, refresh.value);
    },
  };
}
