import { validPreviousSecret } from '../../../domain/previous-secret.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { Registration } from '../../../oauth/clients/registration.ts';
import type { Entropy } from '../../../platform/ports.ts';
import type { Client } from '../../../projections/clients.ts';
import type { ApplicationLocals, ApplicationPageLocals } from './locals.ts';
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

/** What every page that shows requests of one application to try out has in common. */
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
  };
}

/** The secret that the newest rotation replaced, while it still works. */
export function oldSecretLocals(client: Client, now: EpochSeconds): ApplicationPageLocals['oldSecret'] {
  const previous = validPreviousSecret(client, now);
  return previous === null ? null : { endsAt: previous.until, lastUsed: client.lastUse.previousSecret?.at ?? null };
}

/** The address of the application's own page, for its owner. */
export function applicationPath({ clientId }: Pick<Client, 'clientId'>): string {
  return `/o/applications/${encodeURIComponent(clientId)}/`;
}
