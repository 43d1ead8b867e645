import type { SettingChanges } from '../../config/config.ts';
import type { IssueCode } from '../../domain/authorization-grant.ts';
import type { AuthorizationSettings } from '../../oauth/endpoints/authorization-request.ts';
import type { CodeRuleSettings } from '../../oauth/grant-types/code-rules.ts';
import { accessExpiry, codeExpiry, refreshExpiry } from '../../oauth/credentials/lifetimes.ts';
import { joinRepeated, type Parameters } from '../../oauth/endpoints/parameters.ts';
import type { RedirectUriSettings } from '../../oauth/clients/redirect-uris.ts';
import { requestedResources } from '../../oauth/endpoints/requested-resources.ts';
import type { Resources } from '../../domain/resource.ts';
import type { EffectiveSecurity } from '../../domain/security-profile.ts';
import type { ResourceServers } from '../../projections/resources.ts';
import type { EpochSeconds } from '../../domain/values.ts';
import type { SimulatedSetting } from './setting-classes.ts';
import { isUrl } from '../../platform/urls.ts';

/** The changed settings. An absent setting keeps its former value, which allowed every recorded request. */
export type SimulatedSettings = Pick<SettingChanges, SimulatedSetting>;

/**
 * Returns the settings that apply to an authorization request. Unchanged settings allow everything that the request
 * contains.
 */
export function authorizationSettings(
  changedSettings: SimulatedSettings,
  { scope, redirectUri }: Pick<IssueCode, 'scope' | 'redirectUri'>,
): AuthorizationSettings {
  const scopes = Object.fromEntries(scope.map((name) => [name, name]));
  const defaultScopes = {
    'authorization-code': scope,
    'client-credentials': scope,
    password: scope,
    'device-code': scope,
  };
  return { scopes, defaultScopes, approvalPrompt: 'auto', ...codeRules(changedSettings, redirectUri) };
}

/** Returns the settings that apply to the redemption of a code that was sent to `redirectUri`. */
export function codeRules(changedSettings: SimulatedSettings, redirectUri: string): CodeRuleSettings {
  const { requirePkce = 'none', pkceMethods = ['S256', 'plain'] } = changedSettings;
  return { requirePkce, pkceMethods, ...redirectUriSettings(changedSettings, redirectUri) };
}

/** Returns the settings that apply to a redirect URI in a registration. */
export function redirectUriSettings(
  { plainHttpRedirectUris = true, redirectUriSchemes }: SimulatedSettings,
  uri: string,
): RedirectUriSettings {
  const ownSchemes = isUrl(uri) ? [new URL(uri).protocol.slice(0, -1)] : [];
  return { plainHttpRedirectUris, redirectUriSchemes: redirectUriSchemes ?? ownSchemes };
}

/**
 * Returns the resource servers that can be requested. If the setting is unchanged, these are the ones that were
 * requested, because the recorded request was accepted.
 */
export function resourceUris(
  { resources }: SimulatedSettings,
  { issuer, resourceServers: recordedServers }: ServerResources,
  requested: Resources,
): readonly string[] {
  return resources === undefined ? requested : [issuer, ...resources, ...recordedServers.all().map(({ uri }) => uri)];
}

/** The resource servers that do not depend on the settings. */
export interface ServerResources {
  readonly issuer: string;
  readonly resourceServers: Pick<ResourceServers, 'all'>;
}

/**
 * Parses the resources as the server would have done.
 * @throws OAuthError if one of them is not a resource server
 */
export function parseResources(
  changedSettings: SimulatedSettings,
  server: ServerResources,
  requested: Resources,
): Resources {
  return requestedResources(resourceParameters(requested), resourceUris(changedSettings, server, requested));
}

/** Encodes the resources as request parameters. */
export function resourceParameters(requested: Resources): Parameters {
  return requested.length === 0
    ? new Map()
    : new Map([
        ['resource', requested.reduce((joined: string | undefined, uri) => joinRepeated(joined, uri), undefined) ?? ''],
      ]);
}

/** Returns when an access token issued at `now` would have expired: as recorded, unless the lifetime has changed. */
export function accessTokenExpiry(
  { accessTokenLifetimeSeconds }: SimulatedSettings,
  now: EpochSeconds,
  recordedExpiry: EpochSeconds,
): EpochSeconds {
  return accessTokenLifetimeSeconds === undefined ? recordedExpiry : accessExpiry(now, { accessTokenLifetimeSeconds });
}

export function refreshTokenExpiry(
  { refreshTokenLifetimeSeconds }: SimulatedSettings,
  now: EpochSeconds,
  recordedExpiry: EpochSeconds | null,
): EpochSeconds | null {
  return refreshTokenLifetimeSeconds === undefined
    ? recordedExpiry
    : refreshExpiry(now, { refreshTokenLifetimeSeconds });
}

export function authorizationCodeExpiry(
  { authorizationCodeLifetimeSeconds }: SimulatedSettings,
  now: EpochSeconds,
  recordedExpiry: EpochSeconds,
  security: Pick<EffectiveSecurity, 'maxCodeLifetimeSeconds'>,
): EpochSeconds {
  const lifetime = authorizationCodeLifetimeSeconds ?? Math.max(0, recordedExpiry - now);
  return codeExpiry(now, { authorizationCodeLifetimeSeconds: lifetime }, security);
}
