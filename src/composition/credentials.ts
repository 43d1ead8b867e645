import type { Config } from '../config/config.ts';
import type { EventLog } from '../event-store/event-log.ts';
import type { Freshness } from '../event-store/freshness.ts';
import { createAccessTokenFormat } from '../oauth/credentials/access-token-format.ts';
import { createIssuedRefreshTokens } from '../oauth/credentials/issued-refresh-tokens.ts';
import { createRefreshTokens } from '../oauth/credentials/refresh-tokens.ts';
import { createSigningKeys } from '../oauth/credentials/signing-keys.ts';
import { createTaggedCredentials } from '../oauth/credentials/tagged-credentials.ts';
import { createGenuineCheck, createLookAgain } from '../oauth/credentials/unknown-credentials.ts';
import type { GrantCommands } from '../oauth/grant-types/grant-type.ts';
import { derivedSigningKey, type Keys } from '../platform/keys/keys.ts';
import type { AccessTokens } from '../projections/access-tokens.ts';

interface CredentialParts {
  readonly keys: Pick<Keys, 'refresh'>;
  readonly config: Pick<Config, 'accessTokenLifetimeSeconds'>;
  readonly issuer: () => string;
  /** Seconds since the epoch. */
  readonly now: () => number;
  readonly log: EventLog;
  readonly grants: GrantCommands;
  readonly accessTokens: AccessTokens;
  readonly freshness: Freshness | undefined;
}

/** Creates what makes and recognizes codes and tokens. */
export function createCredentials(parts: CredentialParts) {
  const { keys, config, issuer, now, log, grants, accessTokens, freshness } = parts;
  const signingKeys = createSigningKeys(
    (label) => derivedSigningKey(keys.refresh, label),
    config.accessTokenLifetimeSeconds,
  );
  const refreshTokens = createRefreshTokens(keys.refresh);
  const credentials = createTaggedCredentials(keys.refresh);
  const isGenuine = createGenuineCheck({ credentials, refreshTokens, signingKeys, now });
  return {
    signingKeys,
    formatAccessToken: createAccessTokenFormat(signingKeys, issuer),
    refreshTokens,
    wasIssued: createIssuedRefreshTokens({ log, grants }),
    credentials,
    isGenuine,
    lookAgain: createLookAgain(freshness, isGenuine, accessTokens),
  };
}
