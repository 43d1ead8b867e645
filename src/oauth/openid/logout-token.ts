import type { EpochSeconds } from '../../domain/values.ts';
import type { Entropy } from '../../platform/ports.ts';
import type { Client } from '../../projections/clients.ts';
import type { PendingLogout } from '../../projections/logouts.ts';
import { mintId } from '../credentials/credentials.ts';
import type { SigningKeys } from '../signing/signing-keys.ts';
import { sessionIdFor } from './session-id.ts';
import type { Subjects } from './subjects.ts';

/** Signs a logout token (OpenID Connect Back-Channel Logout §2.4). Each token has a new `jti`. */
export type SignLogoutToken = (logout: PendingLogout, client: Client, now: EpochSeconds) => Promise<string>;

/** The `typ` in the header. Other tokens have different types, so they cannot be used as logout tokens. */
const LOGOUT_TOKEN_TYPE = 'logout+jwt';
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** The maximum that Back-Channel Logout §2.4 recommends. It suffices, because each attempt has a new token. */
const LIFETIME_SECONDS = 120;

export function createLogoutTokenSigner(deps: {
  readonly keys: Pick<SigningKeys, 'sign'>;
  readonly subjects: Pick<Subjects, 'subjectOf'>;
  readonly issuer: () => string;
  readonly entropy: Entropy;
}): SignLogoutToken {
  const { keys, subjects, issuer, entropy } = deps;
  return async ({ userId, sessionHash }, client, now) => {
    const claims = {
      iss: issuer(),
      aud: client.clientId,
      sub: subjects.subjectOf(client, userId),
      sid: sessionIdFor(client.clientId, sessionHash),
      iat: now,
      exp: now + LIFETIME_SECONDS,
      jti: mintId(entropy),
      events: { [LOGOUT_EVENT]: {} },
    };
    const { jws } = await keys.sign(client.openid.idTokenAlgorithm, LOGOUT_TOKEN_TYPE, claims, now);
    return jws;
  };
}
