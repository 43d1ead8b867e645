import { validPreviousSecret } from '../../../domain/previous-secret.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { Registration } from '../../../oauth/clients/registration.ts';
import type { Entropy } from '../../../platform/ports.ts';
import type { Client } from '../../../projections/clients.ts';
import type { ApplicationLocals, ApplicationPageLocals } from './locals.ts';
import { isOpenIdSet } from './openid-fields.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import { pageContextFor } from '../page-context.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { mintPkcePair } from './try-it/pkce.ts';

export interface ApplicationPageParts {
  readonly registration: Pick<Registration, 'forbiddenRedirectUris'>;
  readonly entropy: Entropy;
  readonly issuer: () => string;
  readonly now: () => EpochSeconds;
  readonly settings: { readonly sampleApi: boolean; readonly pkceMethods: readonly ('S256' | 'plain')[] };
}

/** The locals shared by all pages that show example requests of an application. */
export function applicationPageLocals(
  ctx: RequestContext,
  user: LoggedInUser,
  client: Client,
  parts: ApplicationPageParts,
): ApplicationPageLocals {
  const { registration, entropy, issuer, now, settings } = parts;
  const tryIt = {
    issuer: issuer(),
    sampleApi: settings.sampleApi,
    state: entropy.bytes(STATE_BYTES).toString('base64url'),
    nonce: entropy.bytes(STATE_BYTES).toString('base64url'),
    pkce: mintPkcePair(entropy, settings.pkceMethods),
  };
  return {
    ...pageContextFor(ctx, user),
    application: applicationLocals(client),
    tryIt,
    forbiddenRedirectUris: registration.forbiddenRedirectUris(client),
    lastUsed: client.lastUse.anySecret?.at ?? null,
    oldSecret: oldSecretLocals(client, now()),
  };
}

const STATE_BYTES = 16;

export function applicationLocals({
  clientId,
  name,
  clientType,
  grantTypes,
  redirectUris,
  allowedOrigins,
  accessTokenFormat,
  accessTokenAlgorithm,
  openid,
}: Client): ApplicationLocals {
  return {
    id: clientId,
    clientId,
    name,
    clientType,
    grants: grantTypes,
    redirectUris,
    allowedOrigins,
    accessTokenFormat,
    accessTokenAlgorithm,
    openid: { ...openid, isSet: isOpenIdSet(openid) },
  };
}

/** The previous secret, while it still works after a rotation. */
export function oldSecretLocals(client: Client, now: EpochSeconds): ApplicationPageLocals['oldSecret'] {
  const previous = validPreviousSecret(client, now);
  return previous === null ? null : { endsAt: previous.until, lastUsed: client.lastUse.previousSecret?.at ?? null };
}

/** The path of the owner's page of the application. */
export function applicationPath({ clientId }: Pick<Client, 'clientId'>): string {
  return `/o/applications/${encodeURIComponent(clientId)}/`;
}
